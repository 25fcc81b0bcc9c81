"""Parts of a tree of executions, explored by the native core: NOTE(native-parts)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from itertools import chain, pairwise
from typing import Any

from abpress.core.executions import CoreExecutions
from abpress.core.library import NO_LIMIT, Algorithm
from abpress.core.reference import refusal
from abpress.core.told import CoreEvent, CoreTally, Ran
from abpress.properties import Property
from abpress.search.bounds import ExecutionBounds
from abpress.search.ledger import Exploration, Ledger, SearchOver
from abpress.search.part import Missing, PartSplit, PartTurn, Plans, TreePart
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.names import CanonicalNames, numbered
from abpress.semantics.outcome import State

REMEMBERING = frozenset({"context-sensitive", "optimal-context-sensitive"})
"""Each worker remembers by itself; how many executions there are depends on who knows what."""

SHARED = REMEMBERING | {"none", "sleep", "persistent", "source"}
"""Algorithms whose trees are shared in parts; the one of optimal is in leaves, `core.leaves`."""

_NOTHING = CoreTally(0, 0, 0, 0, 0, 0, 0, 0)
_TALLIED = tuple(its.name for its in fields(CoreTally))


class CountedExecutions(CoreExecutions):
    """A search of some of a tree, of which somebody is told what was done. Mutable."""

    def __init__(
        self,
        system: Interpreter,
        algorithm: Algorithm,
        property: Property,
        ledger: Ledger[State, ExecutionStatistics],
        bounds: ExecutionBounds,
    ) -> None:
        self._names = CanonicalNames(system.context)
        self._told = _NOTHING
        super().__init__(system, algorithm, property, ledger, bounds)

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

    def tell_again(self) -> None:
        """Nothing is told yet, as all begin again who were told."""
        self._told = _NOTHING

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
            raise refusal(self.core, self.lowered)
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
            counts.cut,
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

    def begin(self, given: TreePart) -> None:
        """Goes to where a part begins. Raises SearchOver and CoreRefused."""
        core = self.core
        core.begin()
        for k, turn in enumerate(given):
            self._name_threads()
            for name in turn.before:
                core.sleep(self._names.thread_number(name))
            core.branch(self._names.thread_number(turn.thread), turn.first, turn.count)
            if k + 1 < len(given):
                core.go()
        if given and given[-1].plans:
            core.plan_below(self._numbers(given[-1].plans))
            self._name_threads()

    def go_on(self, steps: int) -> bool:
        """Explores some of what was given; returns whether that is all. Raises SearchOver and
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
        turns[-1] = last = replace(turns[-1], plans=self._plans(found.node, below=True))
        rest: tuple[tuple[str, Plans], ...] = ()
        if found.node >= found.frozen:  # else they were handed over before
            planned = dict(_by_first(self._plans(found.node, below=False)))
            names = self._names_of(self.core.node(found.node).rest)
            rest = tuple((name, planned.get(name, ())) for name in names)
        given = None
        if found.given:
            given = replace(last, first=found.first, count=found.given)
        split = PartSplit(found.frozen, tuple(turns), rest, given)
        return split, self._since(found.before)

    def told(self, event: CoreEvent, one: int, other: int) -> int:
        if event is CoreEvent.MISSING:
            self._name_threads()
            self.missing.append(Missing(one, tuple(map(self._name, self.core.wanted(other)))))
            return 0
        return super().told(event, one, other)

    def _plans(self, k: int, below: bool) -> Plans:
        """What is planned at a node, or below the thread under way there."""
        its = array("i", self.core.plans(k, below))
        return tuple(zip(map(self._name, its[::2]), its[1::2], strict=True))

    def _numbers(self, plans: Plans) -> bytes:
        its = ((numbered(name, self.core.child), depth) for name, depth in plans)
        return array("i", chain.from_iterable(its)).tobytes()

    def _names_of(self, threads: int) -> Iterator[str]:
        return (self._name(t + 1) for t in range(threads.bit_length()) if threads >> t & 1)


def _by_first(plans: Plans) -> Iterator[tuple[str, Plans]]:
    """The first steps of what is planned, each with what is below."""
    firsts = [k for k, (_, depth) in enumerate(plans) if depth == 1]
    for k, end in pairwise([*firsts, len(plans)]):
        yield plans[k][0], tuple((name, depth - 1) for name, depth in plans[k + 1 : end])
