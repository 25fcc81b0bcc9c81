"""Outcomes of executing a step: successors, violations, and why there may be none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from abpress.config import Bounds, Place
from abpress.errors import Position
from abpress.ir.program import UNDEFINED, VALID_FREE, GuardKind
from abpress.semantics.sharing import LARGE, LargeState

State = tuple[Any, ...] | LargeState
"""A state of the program: it reads as a flat tuple, is hashable, and opaque outside of
`abpress.semantics`."""


Change = tuple[Any, ...]
"""What a step has changed, and how it was before; opaque outside who makes it, not empty."""


FEW_THREADS = 64
"""Threads of one execution, where the user has not said how many there may be."""

MANY_THREADS = 20_000
"""The same for searches to which threads that do not move cost nothing."""


@dataclass(frozen=True, slots=True)
class Options:
    """Bounds of the interpreter; reaching one clears the soundness flag.

    `input_domain`: an arbitrary value of at most so many possible values is enumerated.
    `max_threads`: threads alive or finished in one execution.
    `every_value`: values that the program does not tell apart are not taken for one, because the
    states are read by somebody else.
    `large`: components of a state from which on it is shared (`semantics.sharing`); no bound.
    `racing`: the edges whose accesses are looked at for races; None is all.
    `open`: for some kinds of undefined behaviour, by the properties that they violate, the edges at
    which it may happen; symbolic steps look for it nowhere else, NOTE(alarms).
    `losses`, `leftovers`: a step that loses allocated memory, or that ends the program while memory
    is allocated, is a violation (`semantics.tracking`).
    """

    input_domain: int = 256
    max_threads: int = FEW_THREADS
    every_value: bool = False
    large: int = LARGE
    losses: bool = False
    leftovers: bool = False
    racing: frozenset[Place] | None = None
    open: tuple[tuple[str, frozenset[Place]], ...] = ()

    @classmethod
    def within(
        cls, bounds: Bounds, every_value: bool = False, threads: int = FEW_THREADS
    ) -> Options:
        """Those that the bounds of a run ask for; `threads` if they do not say how many."""
        return cls(bounds.input_domain, bounds.max_threads or threads, every_value)


LOSS, LEFTOVER = "valid-memtrack", "valid-memcleanup"
"""The properties that steps violate which lose memory, or leave it."""

ABOUT_ALLOCATION = (LOSS, LEFTOVER, VALID_FREE)
"""The properties of allocated memory."""


@dataclass(frozen=True, slots=True)
class Violation:
    """An execution is an error: which property it violates, and where."""

    property: str
    message: str
    position: Position
    thread: int


class ConcreteStep(NamedTuple):
    """One step of a thread. `choices` resolve its arbitrary values, in the order of their use."""

    thread: int
    choices: tuple[int, ...]
    successor: State
    violation: Violation | None


class NoSteps(tuple[ConcreteStep, ...]):
    """The empty tuple of steps that knows why it is empty."""

    why: GuardKind


def _no_steps(why: GuardKind) -> NoSteps:
    nothing = NoSteps()
    nothing.why = why
    return nothing


AWAITING = _no_steps(GuardKind.AWAIT)
"""Some alternative waits for a synchronisation."""

ASSUMING = _no_steps(GuardKind.ASSUME)
"""Every alternative ended otherwise: by an assumption, a bound, or undefined behaviour."""


class ExecutionEnds(Exception):
    """The execution ends here without violation. Raised by generated code and its helpers.

    `reason` withholds the verdict "true"; where `assumption` is set it only qualifies it. Both are
    None where the execution just has no continuation. `fault` is undefined behaviour: the property
    that it violates, what it is, and where.
    """

    def __init__(
        self,
        reason: str | None = None,
        assumption: str | None = None,
        fault: tuple[str, str, Position] | None = None,
    ) -> None:
        super().__init__(reason or assumption or "")
        self.reason = reason
        self.assumption = assumption
        self._fault = fault

    def violation(self, thread: int) -> Violation | None:
        """What a thread commits that ends the execution so; None unless it is undefined."""
        return None if self._fault is None else Violation(*self._fault, thread)


UNDEFINED_BEHAVIOUR = "undefined behaviour"
"""How reasons begin that are about it."""


def undefined(kind: str, where: Position, property: str = UNDEFINED) -> ExecutionEnds:
    """The end of an execution by undefined behaviour, which violates a property if it can be
    asked whether there is any."""
    reason = f"{UNDEFINED_BEHAVIOUR}: {kind} at {where.described}"
    return ExecutionEnds(reason, fault=(property, kind, where))


def overflow(where: Position) -> ExecutionEnds:
    """The end of an execution by a signed overflow that the program is assumed not to have."""
    return ExecutionEnds(assumption=no_overflow(where))


OVERFLOW_ASSUMED = "no signed overflow"
"""How assumptions begin that nothing overflows."""


def no_overflow(where: Position) -> str:
    """The assumption that an operation does not overflow, in the words of verdicts."""
    return f"{OVERFLOW_ASSUMED} (possible at {where.described})"


FIRST_PAGE = 4096
"""Addresses below are those of members and elements of what NULL would point to."""


def null_dereferenced(address: int) -> str:
    """What an access to an address of the first page is called."""
    return f"NULL dereferenced{f', {address} bytes further' if address else ''}"
