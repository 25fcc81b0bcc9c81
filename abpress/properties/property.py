"""The interface of properties: what one looks at, what it asks of a search, and what it finds."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from abpress.ir.program import Overflow
from abpress.properties.ends import End
from abpress.properties.finding import Finding
from abpress.properties.preserved import Preserved
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Violation
from abpress.semantics.protocols import S, TransitionSystem
from abpress.semantics.standing import StandingThreads


class Aspect(Enum):
    """What a property looks at, and an engine shows."""

    STEP = "steps that end with a violation event"
    STATE = "states"  # all that the search visits
    END = "states without a step, with how the execution ends there"
    LOSS = "steps that lose the last pointer to allocated memory"
    LEFTOVER = "steps that end the program while memory is allocated"
    DEADLOCK = "states in which threads are left and all of them wait for one another"


class Property:
    """A property of programs: a question with the answers "true" and "false".

    `name` is the value of `--property`, `ltl` the formula by which SV-COMP property files name it.
    Engines and reductions are matched with `looks_at` and `needs`. Of what it looks at, a property
    finds nothing unless it says otherwise.
    """

    name: ClassVar[str]
    meaning: ClassVar[str]
    ltl: ClassVar[str]
    looks_at: ClassVar[frozenset[Aspect]]
    needs: ClassVar[Preserved]
    spurious_wakeups: ClassVar[str] = "on"
    """How waiting on a condition variable may end without a signal, unless the user says: `on`, at
    any time; `chosen`, only if that was chosen when the wait began, so that none needs to."""
    every_access: ClassVar[bool] = False
    """Whether accesses matter that nothing observes: then they stay in the program."""
    lifetimes: ClassVar[bool] = False
    """Whether it matters how long local variables hold pointers that nothing reads any more."""

    faults: ClassVar[bool] = False
    """Whether undefined behaviour can violate it."""
    signed_overflow: ClassVar[Overflow | None] = None
    """What signed overflow has to do in the program; None: what the user says."""

    def standing(self, system: Interpreter, /) -> StandingThreads | None:
        """What tells, of a system that runs a program, where its threads have to stand for
        `of_state` to find something; None if nothing does."""
        return None

    def of_violation(self, violation: Violation, /) -> Finding | None:
        """What a step commits that ends with this violation event."""
        return None

    def of_state(self, system: TransitionSystem[S], state: S, /) -> Finding | None:
        """What a visited state shows; asked by `Ledger.visit`, which both search loops call."""
        return None

    def of_end(self, system: TransitionSystem[S], state: S, end: End, /) -> Finding | None:
        """What a state without a step shows, in which executions end so."""
        return None
