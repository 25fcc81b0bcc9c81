"""Races: the conditions under which two threads of a discrete part stand before accesses that race.

A thread *stands before* the accesses of the first edge of its next step, or of the atomic block
that the edge begins, as in `abpress.semantics.standing`. Each is known with the condition under
which it is made, over variables and fresh inputs, and its place: an object, and the offset or the
index in it. So two of them race exactly where a formula holds, NOTE(races-in-trees).
"""

from __future__ import annotations

from contextlib import suppress

from abpress.ir.expr import Compare
from abpress.logic.formula import FALSE, TRUE, Formula, conj, conjuncts, holds
from abpress.semantics.context import DONE, Context
from abpress.symbolic.discrete import Discrete, EndShown, PendingAccess, SymbolicStep, ThreadPart
from abpress.symbolic.effects import Runner
from abpress.symbolic.objects import SymbolicObjects
from abpress.symbolic.paths import MAX_PATHS, Decisions, PathEnds, SymbolicPath
from abpress.symbolic.questions import DecisionTree, Recorder
from abpress.symbolic.shapes import Shapes

Before = tuple[PendingAccess, ...] | None
"""What a thread stands before; None if there are too many cases."""


class Races:
    """What threads stand before in discrete parts of one system. Mutable: answers are kept.

    Of the edges of `context.options.racing` only, if these are named.
    """

    def __init__(self, context: Context, objects: SymbolicObjects, shapes: Shapes) -> None:
        racing, among = context.facts.racing, context.options.racing
        self._racing = racing if among is None else racing.among(among)
        self._context = context
        self._objects = objects
        self._shapes = shapes
        self._trees: dict[ThreadPart, DecisionTree[tuple[Before]]] = {}
        self._found: dict[Discrete, tuple[SymbolicStep, ...]] = {}

    def of(self, d: Discrete) -> tuple[SymbolicStep, ...]:
        """The ends of executions in states in which two threads stand before accesses that race,
        one for each two accesses."""
        found = self._found.get(d)
        if found is None:
            found = self._found[d] = tuple(self._search(d).values())
        return found

    def _search(self, d: Discrete) -> dict[tuple[Formula, ...], SymbolicStep]:
        at = self._racing.at
        parts = [p for p in d.threads if p.location != DONE and (p.template, p.location) in at]
        found: dict[tuple[Formula, ...], SymbolicStep] = {}
        for k, one in enumerate(parts):
            masks = at[one.template, one.location].masks
            for other in parts[k + 1 :]:
                if masks.races(at[other.template, other.location].masks):
                    self._meet(d, self._before(d, one), self._before(d, other), found)
        return found

    def _meet(
        self,
        d: Discrete,
        mine: Before,
        others: Before,
        found: dict[tuple[Formula, ...], SymbolicStep],
    ) -> None:
        """Adds the races of two threads, by their guards."""
        if mine is None or others is None:
            found.setdefault((), self._shapes.shown(EndShown.RACE, d, (), (), ()))
            return
        for a in mine:
            for b in others:
                condition = conj((*a.guard, *b.guard, _race(a, b)))
                guard = conjuncts(condition)
                if condition is not FALSE and guard not in found:
                    inputs, arrays = (*a.inputs, *b.inputs), (*a.arrays, *b.arrays)
                    found[guard] = self._shapes.shown(EndShown.RACE, d, guard, inputs, arrays)

    def _before(self, d: Discrete, part: ThreadPart) -> Before:
        tree = self._trees.setdefault(part, DecisionTree())
        known = tree.find(d)
        if known is None:
            recorder = Recorder(d)
            known = (self._explore(part, recorder),)
            tree.add(recorder, known)
        return known[0]

    def _explore(self, part: ThreadPart, before: Recorder) -> Before:
        code = self._context.codes[part.template]
        counting = self._racing.counting[part.template]
        found: dict[PendingAccess, None] = {}
        prefix: list[int] | None = []
        for _ in range(MAX_PATHS):
            decisions = Decisions(prefix or ())
            path = SymbolicPath(self._objects, code, part, before, decisions)
            with suppress(PathEnds):
                Runner(path, {}, {}).stand(counting)
            found.update(path.pending)
            prefix = decisions.next()
            if prefix is None:
                return tuple(found)
        return None


def _race(a: PendingAccess, b: PendingAccess) -> Formula:
    """Where two accesses of different threads race."""
    if a.object != b.object or not (a.writes or b.writes) or not a.kind.races(b.kind):
        return FALSE
    if isinstance(a.at, int) and isinstance(b.at, int):
        return TRUE if a.at < b.at + b.size and b.at < a.at + a.size else FALSE
    if isinstance(a.at, int) or isinstance(b.at, int):
        return TRUE
    return holds(Compare("==", a.at, b.at))
