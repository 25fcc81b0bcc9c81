"""Parts of a tree of executions, explored by the native core: NOTE(native-parts)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

from abpress.core.executions import CoreExecutions
from abpress.core.library import NO_LIMIT, Algorithm, CoreEvent, CoreTally, Ran
from abpress.core.reference import SLICE, CoreRefused
from abpress.properties import Property
from abpress.search.ledger import Exploration, Ledger, SearchOver
from abpress.search.part import Missing, PartSplit, PartTurn, TreePart
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.names import CanonicalNames
from abpress.semantics.outcome import State

SHARED = frozenset({"none", "sleep", "persistent", "source"})
"""Algorithms whose trees are shared in parts; wakeup trees are in leaves, `abpress.core.leaves`."""

_NOTHING = CoreTally(0, 0, 0, 0, 0, 0, 0)
_TALLIED = tuple(its.name for its in fields(CoreTally))


class CountedExecutions(CoreExecutions):
    """A search of some of a tree, of which somebody is told what was done. Mutable."""

    def __init__(
        self,
        system: Interpreter,
        algorithm: Algorithm,
        property: Property,
        ledger: Ledger[State, ExecutionStatistics],
        most_steps: int,
        awaits: bool,
    ) -> None:
        self._names = CanonicalNames(system.context)
        self._told = _NOTHING
        super().__init__(system, algorithm, property, ledger, most_steps, awaits)

    def alone(self) -> Exploration[State, ExecutionStatistics]:
        """Explores the whole tree, until the ledger says that it ends; it can be gone on with.
        Raises CoreRefused."""
        return self._run(NO_LIMIT)

    def done(self) -> ExecutionStatistics:
        """What was done, and is not told yet."""
        return self._since(self._now())

    def not_told(self) -> ExecutionStatistics:
        """The same, which is still not told then; with what is thought to be left."""
        told, found = self._told, self.done()
        self._told = told
        found.left = self.ledger.statistics.left
        return found

    def outcome(self, exhausted: bool) -> Exploration[State, ExecutionStatistics]:
        """What was found so far."""
        return self.ledger.closed(exhausted)

    def _ran(self, steps: int) -> bool:
        """Goes on for so many steps; returns whether that is all. Raises SearchOver and
        CoreRefused."""
        try:
            ran = self.core.run(steps, NO_LIMIT)
        finally:
            self._record()
        if ran is Ran.REFUSED:
            why, where = self.core.refusal
            raise CoreRefused(f"{why}{self._place(where)}")
        if ran is Ran.STOPPED:
            raise SearchOver
        return ran is Ran.EXHAUSTED

    def _now(self) -> CoreTally:
        counts = self.core.counts
        return CoreTally(
            counts.complete,
            counts.deadlocked,
            counts.assume_blocked,
            counts.violating,
            counts.sleep_set_blocked,
            counts.steps,
            counts.races,
        )

    def _since(self, now: CoreTally) -> ExecutionStatistics:
        before, self._told = self._told, now
        its = self.ledger.statistics
        done = ExecutionStatistics(max_depth=its.max_depth, waiting_loops=its.waiting_loops)
        for name in _TALLIED:
            setattr(done, name, getattr(now, name) - getattr(before, name))
        return done

    @property
    def _name(self) -> Callable[[int], str]:
        return self._names.thread


class CoreParts(CountedExecutions):
    """A search of parts of a tree, one after the other. Mutable: `missing` is for who gives parts
    out; it is told in this order, before a split and before the end of a part."""

    def __init__(self, *given: Any) -> None:
        self.missing: list[Missing] = []
        super().__init__(*given)

    def begin(self, part: TreePart) -> None:
        """Goes to where a part begins. Raises SearchOver and CoreRefused."""
        core = self.core
        core.begin()
        for k, turn in enumerate(part):
            self._name_threads()
            for name in turn.before:
                core.sleep(self._names.thread_number(name))
            core.branch(self._names.thread_number(turn.thread), turn.first, turn.count)
            if k + 1 < len(part):
                core.go()

    def go_on(self, steps: int = SLICE) -> bool:
        """Explores some of the part; returns whether that is all. Raises SearchOver and
        CoreRefused."""
        return self._ran(steps)

    def split(self) -> tuple[PartSplit, ExecutionStatistics] | None:
        """Hands over what others can have, if there is something; with what was done of the part
        before that which is kept, and not told yet."""
        found = self.core.split()
        if found is None:
            return None
        nodes = range(max(found.frozen - 1, 0), found.node + 1)
        turns = []
        for k in nodes:
            its = self.core.node(k)
            name, before = self._name(its.thread), tuple(self._names_of(its.done))
            turns.append(PartTurn(before, name, its.alternative, 1 + its.left))
        rest: tuple[str, ...] = ()
        if found.node >= found.frozen:  # else they were handed over before
            rest = tuple(self._names_of(self.core.node(found.node).rest))
        given = None
        if found.given:
            given = PartTurn(turns[-1].before, turns[-1].thread, found.first, found.given)
        split = PartSplit(found.frozen, tuple(turns), rest, given)
        return split, self._since(found.before)

    def told(self, event: CoreEvent, one: int, other: int) -> int:
        if event is CoreEvent.MISSING:
            self._name_threads()
            self.missing.append(Missing(one, tuple(map(self._name, self.core.wanted(other)))))
            return 0
        return super().told(event, one, other)

    def _names_of(self, threads: int) -> Iterator[str]:
        return (self._name(t + 1) for t in range(threads.bit_length()) if threads >> t & 1)
