"""no-data-race: no two threads are about to access the same memory in conflict."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from abpress.errors import Position
from abpress.ir.program import AccessKind
from abpress.properties.finding import Finding, Ready, Shown
from abpress.properties.preserved import Preserved
from abpress.properties.property import Aspect, Property, Variant
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.protocols import S, TransitionSystem
from abpress.semantics.standing import Pending, StandingThreads


@dataclass(frozen=True, slots=True)
class RacingAccess:
    """An access that a thread is about to make: of which object, where, holding which mutexes.

    `what` is `reads`, `writes` or `frees`, with `atomically` before it for the operand of an atomic
    operation, or `in an atomic section` after it.
    """

    thread: str
    what: str
    object: str
    position: Position
    locks: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What the thread is about to do, in words."""
        holding = f", holding {' and '.join(self.locks)}" if self.locks else ""
        return f"{self.what} {self.object}{holding}"

    @property
    def place(self) -> tuple[str, Position]:
        """Equal for accesses that count as one."""
        return self.what, self.position.origin


@dataclass(frozen=True, slots=True)
class DataRace(Shown):
    """Two threads stand before accesses to common memory, one of which writes."""

    first: RacingAccess
    second: RacingAccess

    @property
    def key(self) -> Hashable:
        return frozenset((self.first.place, self.second.place))

    @property
    def message(self) -> str:
        return f"data race on {self.first.object}"

    @property
    def sentence(self) -> str:
        one, other = self.first, self.second
        return (
            f"{one.position.origin}: {self.message}: {one.thread} {one.text},"
            f" {other.thread} {other.text} ({other.position.origin})"
        )

    @property
    def waits(self) -> tuple[int, ...]:
        return ()

    @property
    def ready(self) -> tuple[Ready, ...]:
        return tuple(Ready(a.thread, a.position, a.text) for a in (self.first, self.second))

    def shown(self, system: TransitionSystem[S], state: S) -> DataRace | None:
        """The race of accesses at the same places that the state shows, by whichever threads."""
        places = frozenset((self.first.position.origin, self.second.position.origin))
        return next((r for r in races(system, state, places) if r.key == self.key), None)


class NoDataRace(Property):
    """Violated by a state in which two threads stand before accesses that race: they share a byte,
    one writes, and they are neither both atomic, nor both in atomic sections, nor the library's to
    an object of its own (C11 5.1.2.4p25; `abpress.analysis.racing`).
    """

    name = "no-data-race"
    meaning = "no two threads are about to access the same memory, one writing, not both atomically"
    ltl = "G ! data-race"
    looks_at = frozenset({Aspect.RACE})
    needs = Preserved.RACES
    variant = Variant(every_access=True, reads_text=True)
    others_assume = "accesses interleave also where they race (no-data-race is violated)"

    def standing(self, system: Interpreter) -> StandingThreads:
        """What tells where two threads have to stand."""
        return system.standing

    def suspects(self, system: TransitionSystem[S]) -> Callable[[Any], bool] | None:
        """Whether two threads of a state may race."""
        return system.standing.suspicious if isinstance(system, Interpreter) else None

    def of_state(self, system: TransitionSystem[S], state: S) -> Finding | None:
        """A race of two threads of the state."""
        if isinstance(system, Interpreter) and not system.standing.suspicious(state):
            return None
        return next(races(system, state), None)


def races(
    system: TransitionSystem[S], state: S, places: frozenset[Position] | None = None
) -> Iterator[DataRace]:
    """The races that a state of a program shows; with `places` only those of threads that stand
    before accesses there (in the user's text). Raises TypeError for what runs no program."""
    if not isinstance(system, Interpreter):
        raise TypeError("only states of programs show what threads are about to access")
    among = None if places is None else system.standing.edges_at(places)
    for one, other in system.standing.races(state, among):
        yield DataRace(_told(system, state, one), _told(system, state, other))


def _told(system: Interpreter, state: Any, access: Pending) -> RacingAccess:
    standing = system.standing
    words = {
        AccessKind.PLAIN: "{}",
        AccessKind.ATOMIC: "atomically {}",
        AccessKind.SECTION: "in an atomic section {}",
    }
    does = "frees" if standing.frees(access) else "writes" if access.writes else "reads"
    return RacingAccess(
        system.views.thread_name(access.thread),
        words[access.kind].format(does),
        standing.name(access),
        standing.position(access),
        tuple(_held(system, state, access.thread)),
    )


def _held(system: Interpreter, state: Any, thread: int) -> Iterator[str]:
    """The locks that the thread holds."""
    for cell, value in system.views.cells(state):
        lock, _, member = cell.rpartition(".")
        if member in ("owner", "writer"):
            holds = value == thread
        else:
            holds = member == "readers" and value is not None and bool(value >> thread & 1)
        if holds:
            yield lock
