"""The interface of properties: what one looks at, what it asks of a search, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from abpress.ir.program import Overflow
from abpress.properties.ends import End, classify
from abpress.properties.finding import Finding
from abpress.properties.preserved import Preserved
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Violation
from abpress.semantics.protocols import S, Step, TransitionSystem
from abpress.semantics.standing import StandingThreads


class Aspect(Enum):
    """What a property looks at, and an engine shows."""

    STEP = "steps that end with a violation event"
    STATE = "states"  # all that the search visits
    END = "states without a step, with how the execution ends there"
    LOSS = "steps that lose the last pointer to allocated memory"
    LEFTOVER = "steps that end the program while memory is allocated"
    CIRCLE = "states in which some threads wait for one another in a circle, which stay so"
    RACE = "states in which two threads stand before accesses that race"
    DEADLOCK = "states in which threads are left and all of them wait for one another"


ENDS = frozenset({Aspect.END, Aspect.DEADLOCK})
"""The aspects of which `Property.of_end` is asked."""

VISITED = frozenset({Aspect.STATE, Aspect.CIRCLE, Aspect.RACE})
"""Those of which `Property.of_state` is asked."""

PASSING = frozenset({Aspect.STATE, Aspect.RACE})
"""Those of them that may be over in the next state."""


@dataclass(frozen=True, slots=True)
class Variant:
    """Which program is searched, where options and C leave it open.

    What one variant says of a property that it is not made for is as true as what another says:
    they differ in what they show. So several properties can be asked of their join.

    `spurious_wakeups`: how waiting on a condition variable may end without a signal, unless the
    user says: `on`, at any time; `chosen`, only if that was chosen when the wait began, so that
    none needs to. `signed_overflow` is what it has to do; None: what the user says.
    `every_access`: accesses count that nothing observes, so that they survive simplification.
    `lifetimes`: it matters how long local variables hold pointers that nothing reads any more.
    `misuse`: the models of the thread library look for misuse that costs states to look for, or
    that is defined all the same. `reads_text`: what only reads a text, to print it, accesses it.
    `exits`: it matters how executions end without an error, and so who ends the program by `exit`
    or `abort` is not taken for one who goes no further (NOTE(exits-as-assumptions)).
    """

    spurious_wakeups: str = "on"
    signed_overflow: Overflow | None = None
    every_access: bool = False
    lifetimes: bool = False
    misuse: bool = False
    reads_text: bool = False
    exits: bool = True

    def joined(self, other: Variant) -> Variant:
        """The variant that shows what either does."""
        return Variant(
            "chosen" if "chosen" in (self.spurious_wakeups, other.spurious_wakeups) else "on",
            self.signed_overflow or other.signed_overflow,
            self.every_access or other.every_access,
            self.lifetimes or other.lifetimes,
            self.misuse or other.misuse,
            self.reads_text or other.reads_text,
            self.exits or other.exits,
        )

    @classmethod
    def join(cls, variants: Iterable[Variant]) -> Variant:
        """The variant that shows what any of these does."""
        joined = cls(exits=False)
        for variant in variants:
            joined = joined.joined(variant)
        return joined


class Property:
    """A property of programs: a question with the answers "true" and "false".

    `name` is the value of `--property`, `ltl` the formula by which SV-COMP property files name it.
    Engines and reductions are matched with `looks_at` and `needs`. Of what it looks at, a property
    finds nothing unless it says otherwise.
    """

    name: str
    meaning: str
    ltl: str
    looks_at: frozenset[Aspect]
    needs: Preserved
    variant: Variant = Variant()
    """The program that it is asked of."""
    faults: bool = False
    """Whether undefined behaviour can violate it."""
    ends_executions: bool = False
    """Whether an execution that would go on ends where it violates this one, in a search that looks
    for that: then such a search says nothing of the others once it has found a violation."""
    others_assume: str = ""
    """What verdicts "true" of others rest on where this one is violated: executions go on there."""

    @property
    def parts(self) -> tuple[Property, ...]:
        """The properties of which this one is a conjunction."""
        return (self,)

    def standing(self, system: Interpreter, /) -> StandingThreads | None:
        """What tells, of a system that runs a program, where its threads have to stand for
        `of_state` to find something; None if nothing does."""
        return None

    def suspects(self, system: TransitionSystem[S], /) -> Callable[[S], bool] | None:
        """A test that is quicker than `of_state`, and false only where that finds nothing."""
        return None

    def of_violation(self, violation: Violation, /) -> Finding | None:
        """What a step commits that ends with this violation event."""
        return None

    def of_attempt(self, attempt: Step[S], /) -> Finding | None:
        """What an attempt is that is undefined behaviour; its successor is the state of it."""
        return None if attempt.violation is None else self.of_violation(attempt.violation)

    def of_state(self, system: TransitionSystem[S], state: S, /) -> Finding | None:
        """What a visited state shows; asked by `Ledger.visit`, which both search loops call."""
        return None

    def of_end(self, system: TransitionSystem[S], state: S, end: End, /) -> Finding | None:
        """What a state without a step shows, in which executions end so."""
        return None

    def of_execution(
        self, system: TransitionSystem[S], state: S, violation: Violation | None, /
    ) -> Finding | None:
        """What an execution as a whole shows, by the violation event that its last step ends with,
        if there is one, else by its last state."""
        if violation is not None:
            return self.of_violation(violation)
        finding = self.of_state(system, state)
        if finding is None and not any(system.steps(state, t) for t in system.threads(state)):
            finding = self.of_end(system, state, classify(system, state))
        return finding
