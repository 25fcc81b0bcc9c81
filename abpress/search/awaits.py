"""Loops that only wait for other threads count as waiting.

NOTE(useless-rounds): a *useless* part of an execution: steps of one thread that write nothing, but
for cells that nobody else knows and nobody reads any more, after which the thread is in a local
state (location and live registers) that it was in before them, or in one to which a single step
would have led from there, taken instead of the last one; other threads may move in between. A
thread that would complete a useless part waits instead: that step does not exist. So
`while (!flag);` is `assume(flag)`, and so are loops whose rounds take several steps, with calls,
and attempts that fail (a compare-and-swap, a trylock).

Nothing is lost: the note has the proof. What is searched are the executions of another program,
whose threads remember the local states that they have passed since they have last written
something, and assume that no part is useless. That memory is part of the states here, it changes
only by a thread's own steps, and the assumption reads what the step accesses; so reductions need
not know about it. A state in which all threads are deadlocked is reached as any other, and nobody
can move there either.

A thread that waits so is no part of a deadlock, NOTE(assume-blocked): its loop goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from abpress.errors import Position
from abpress.ir.program import GuardKind
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.local_states import LocalState, LoopPlace
from abpress.semantics.outcome import Change, ConcreteStep, State
from abpress.semantics.protocols import Splits, TakesBack
from abpress.semantics.recording import Recorded

MOST_REMEMBERED = 32
"""Local states that a thread remembers: the latest. Longer rounds are not noticed."""

MOST_TRIED = 4
"""So many of them are asked whether one step from there leads to the same: the latest that may."""

MOST_CELLS = 1 << 18
"""Cells of the states whose recorded steps are kept: executions differ little from one another."""


class _Remembering(NamedTuple):
    """A state of the interpreter, and by thread, ascending, the local states that are remembered;
    of threads that remember some. Where there is none, the interpreter's state stands for it."""

    state: State
    passed: tuple[tuple[int, tuple[LocalState, ...]], ...]


class Awaiting:
    """An interpreter whose threads wait where they would complete a useless part.

    `met` are the places where a thread had to wait.
    """

    def __init__(self, system: Interpreter) -> None:
        self._system = system
        self._local = system.local
        self.undo: TakesBack = _RememberingUndo(system.undo)
        self.cells: Splits = _RememberingCells(system.cells)
        self.program = system.program
        self.soundness = system.soundness
        self.met: dict[Position, None] = {}
        self._known: dict[tuple[State, int], Recorded] = {}

    @staticmethod
    def possible(system: Interpreter) -> bool:
        """Whether there may be useless parts at all."""
        return system.local.any_quiet_cycles

    def plain(self, s: State) -> State:
        """The interpreter's state."""
        return _plain(s)

    def initial(self) -> State:
        """As `Interpreter.initial`."""
        return self._system.initial()

    def threads(self, s: State) -> Sequence[int]:
        """As `Interpreter.threads`."""
        return self._system.threads(s.state if type(s) is _Remembering else s)

    def steps(self, s: State, t: int) -> tuple[ConcreteStep, ...]:
        """The interpreter's steps that do not complete a useless part."""
        if type(s) is not _Remembering and self._local.place_at(s, t) is None:
            return self._system.steps(s, t)
        return self.record(s, t).steps

    def record(self, s: State, t: int) -> Recorded:
        """The steps as `steps` gives them, with what all of the interpreter's access."""
        if type(s) is not _Remembering:
            place = self._local.place_at(s, t)
            if place is None:
                return self._system.record(s, t)
            if not place.source and place.cycles is not None and not place.cycles.remembered:
                return self._recorded(s, t, {})
        known = self._known.get((s, t))
        if known is None:
            plain = s.state if type(s) is _Remembering else s
            if len(self._known) * len(plain) >= MOST_CELLS:
                self._known.clear()
            known = self._known[s, t] = self._recorded(plain, t, _passed(s))
        return known

    def _recorded(self, s: State, t: int, passed: dict[int, tuple[LocalState, ...]]) -> Recorded:
        """What `record` returns in the interpreter's state s; threads remember what is `passed`."""
        found = self._system.record(s, t)
        here = self._local.place_at(s, t)
        mine = passed.pop(t, ())
        if here is None and not passed and not mine:
            return found
        round = _Round(self._system, s, t, found, mine)
        steps = []
        for step in found.steps:
            remembered = round.remembered(step)
            if remembered is None:
                self.met.setdefault(self._system.views.position(s, t))
            elif step.violation is not None or not (passed or remembered):
                steps.append(step)
            else:
                steps.append(_leading(step, {**passed, t: remembered}))
        return found._replace(steps=tuple(steps))

    def waits(self, s: State, t: int) -> GuardKind | None:
        """As of the interpreter: None for a thread that waits only here."""
        return self._system.waits(self.plain(s), t)

    def invisible(self, s: State, t: int) -> bool:
        """As `Interpreter.invisible`."""
        return self._system.invisible(self.plain(s), t)

    def location(self, s: State, t: int) -> tuple[str, int]:
        """As `Interpreter.location`."""
        return self._system.location(self.plain(s), t)


class _Round:
    """The next steps of a thread, which has passed some local states since it last wrote."""

    def __init__(
        self, system: Interpreter, s: State, t: int, found: Recorded, mine: tuple[LocalState, ...]
    ) -> None:
        self._system = system
        self._local = system.local
        self._state = s
        self._thread = t
        self._found = found
        self._mine = mine
        self._before = system.local.of(s, t)
        self._here = system.local.place(self._before)
        self._addresses = [] if self._here is None else self._here.addresses(self._before)
        self._own = frozenset(a for a in self._addresses if a is not None)

    def remembered(self, step: ConcreteStep) -> tuple[LocalState, ...] | None:
        """What the thread remembers after the step; None if that would complete a useless part."""
        here = self._here
        if here is None or step.violation is not None:
            return ()
        after = self._local.of(step.successor, self._thread)
        there = self._local.place(after)
        if there is None or there.cycles is None:
            return ()
        pc: int = self._before[1]
        goes_round = there.cycles is here.cycles
        if not (goes_round or pc in there.sources) or not self._is_quiet(step):
            return ()
        if not goes_round:
            return (self._before,)
        if self._is_useless(step, after, there):
            return None
        if not there.cycles.remembered:
            return ()
        return (*self._mine[1 - MOST_REMEMBERED :], self._before)

    def _is_quiet(self, step: ConcreteStep) -> bool:
        """Whether the step writes nothing but cells that are its own."""
        found = self._found
        if not (found.writes or found.ends):
            return True
        if step.choices:
            again = self._system.repeat(self._state, self._thread, step.choices)
            if again is None:
                return False
            found = again
        return not found.ends and self._own.issuperset(found.writes)

    def _is_useless(self, step: ConcreteStep, after: LocalState, there: LoopPlace) -> bool:
        """Whether the thread could have come to this local state by fewer steps."""
        if not there.alive and (after == self._before or after in self._mine):
            return True
        sources = (passed for passed in reversed(self._mine) if passed[1] in there.sources)
        return any(self._leads(passed, step, there) for passed in islice(sources, MOST_TRIED))

    def _leads(self, passed: LocalState, step: ConcreteStep, there: LoopPlace) -> bool:
        """Whether one step from a local state that the thread has passed would lead to the same
        state as the step does, and depends on nothing else."""
        system, t = self._system, self._thread
        if None in self._addresses:
            return False
        again = system.repeat(system.undo.with_local(self._state, t, passed), t)
        if again is None or again.ends or again.steps[0].violation is not None:
            return False
        own, writes = self._own, set(again.writes)
        return (
            again.steps[0].successor == step.successor
            and own.issuperset(writes)
            and own.isdisjoint(again.reads)
            and {*self._found.reads, *self._found.writes}.issuperset(again.reads)
            and all(self._addresses[k] in writes for k in there.alive)
        )


class _RememberingUndo:
    """Takes steps back, with what threads remember."""

    def __init__(self, undo: TakesBack) -> None:
        self._undo = undo

    def change(self, before: State, after: State, t: int) -> Change | None:
        """As of the interpreter, with what t remembers."""
        change = self._undo.change(_plain(before), _plain(after), t)
        return None if change is None else (change, t, _passed(before).get(t, ()))

    def restored(self, s: State, changes: Iterable[Change]) -> State:
        """As of the interpreter, with what threads remember."""
        changes = tuple(changes)
        state = self._undo.restored(_plain(s), [change for change, _, _ in changes])
        before = {t: passed for _, t, passed in changes}
        if type(s) is not _Remembering and not any(before.values()):
            return state
        return _remembering(state, _passed(s) | before)


class _RememberingCells:
    """The cells at fixed places; what threads remember is in the rest of the state."""

    def __init__(self, cells: Splits) -> None:
        self._cells = cells
        self.same_but = cells.same_but

    @property
    def addresses(self) -> tuple[int, ...]:
        """As the interpreter's cells."""
        return self._cells.addresses

    def split(self, s: State) -> tuple[State, tuple[Any, ...]]:
        """As of the interpreter, with what threads remember."""
        rest, contents = self._cells.split(_plain(s))
        return (_Remembering(rest, s.passed) if type(s) is _Remembering else rest), contents


def _plain(s: State) -> State:
    """The interpreter's state."""
    return s.state if type(s) is _Remembering else s


def _passed(s: State) -> dict[int, tuple[LocalState, ...]]:
    """A new mapping from threads to the local states that they remember."""
    return dict(s.passed) if type(s) is _Remembering else {}


def _remembering(s: State, passed: dict[int, tuple[LocalState, ...]]) -> State:
    """The interpreter's state, with this memory."""
    some = tuple(sorted((t, locals) for t, locals in passed.items() if locals))
    return _Remembering(s, some) if some else s


def _leading(step: ConcreteStep, passed: dict[int, tuple[LocalState, ...]]) -> ConcreteStep:
    """The step, to the state with this memory."""
    if not any(passed.values()):
        return step
    return step._replace(successor=_remembering(step.successor, passed))
