"""Checks proved locally: along all paths that lead to an edge, from where enough is known.

A path is executed with variables for what is not known where it begins: registers and cells within
their bounds there, values of cells that others may have written within theirs. If the solver finds
no such values with which the check fails, no execution that comes along the path fails it; else all
paths that lead to its begin are tried, as long as they come by no location twice. Where these are
too many, all paths since the last heads of loops are executed together, NOTE(paths-together).
NOTE(first-overflow): on the path before the check nothing overflows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from abpress.analysis.flow import loop_heads
from abpress.config import Place
from abpress.ir.expr import Const
from abpress.ir.program import NO_OVERFLOW, Edge, Fail, Program, goes_on
from abpress.logic.formula import FALSE, neg
from abpress.modular.numbers.holding import NumericHolding
from abpress.proof.certificate import Rejected, Unchecked
from abpress.proof.judge import Judge
from abpress.proof.numbers.certificate import Span, Stand
from abpress.proof.numbers.walk import Goal, Walk
from abpress.smt.answer import Answer

MOST_EDGES = 60
"""Edges of a path."""

MOST_PATHS = 250
"""Paths that are tried for one check."""

MOST_TOGETHER = 600
"""Locations of paths that are executed together."""


class LocalProofs:
    """Local proofs of a property in one program, from stands and bounds of cells (mutable: `tried`
    counts paths)."""

    def __init__(
        self,
        holding: NumericHolding,
        stands: Mapping[tuple[str, int], Sequence[Stand]],
        shared: Mapping[str, Span],
        counted: frozenset[str],
        property: str = NO_OVERFLOW,
    ) -> None:
        self._program = program = holding.program
        self._holding = holding
        self._stands = stands
        self._shared = shared
        self._uncounted = {cell: span for cell, span in shared.items() if cell not in counted}
        self._property = property
        self.tried = 0
        self._judges = {
            name: Judge("int") for name in program.templates
        }  # names of registers are theirs
        self._before: dict[tuple[str, int], list[tuple[int, int]]] = {}
        for name, template in program.templates.items():
            for i, location in enumerate(template.locations):
                for k, edge in enumerate(location.edges):
                    if goes_on(edge) and stands.get((name, i)):
                        self._before.setdefault((name, edge.target), []).append((i, k))

    def require(self, place: Place) -> None:
        """Raises Rejected, or Unchecked, unless the checks of the edge are proved."""
        answer = self.proves(place)
        what = violated_at(self._program, self._property, place)
        if answer is Answer.UNKNOWN:
            raise Unchecked(what)
        if answer is Answer.NO:
            raise Rejected(f"{what}, as far as is known near it")

    def proves(self, place: Place) -> Answer:
        """Whether the checks of the edge hold on all paths that lead to it."""
        answer = self._along_paths(place)
        return answer if answer is Answer.YES else self._on_all_paths(place)

    def _along_paths(self, place: Place) -> Answer:
        template, location, k = place
        paths: list[tuple[tuple[int, int], ...]] = [((location, k),)]
        most = self.tried + MOST_PATHS
        while paths:
            path = paths.pop()
            self.tried += 1
            if self.tried > most or len(path) > MOST_EDGES:
                return Answer.NO
            begin = path[0][0]
            if len(path) == 1 or self._says_more(template, path):
                answers = [
                    self._holds(template, path, stand) for stand in self._stands[template, begin]
                ]
                if all(answer is Answer.YES for answer in answers):
                    continue
            if begin == self._program.templates[template].entry:
                return Answer.NO
            met = {i for i, _ in path}
            for i, n in self._before.get((template, begin), ()):
                if i in met:
                    return Answer.NO
                paths.append(((i, n), *path))
        return Answer.YES

    def _says_more(self, template: str, path: Sequence[tuple[int, int]]) -> bool:
        """Whether the first edge may matter: it tests, or assigns."""
        edge = self._edge(template, path[0])
        return edge.guard != Const(1, edge.guard.type) or bool(edge.effects)

    def _edge(self, template: str, at: tuple[int, int]) -> Edge:
        return self._program.templates[template].locations[at[0]].edges[at[1]]

    def _on_all_paths(self, place: Place) -> Answer:
        """Whether the checks of the edge hold on the paths to it from the heads of loops that they
        come by last, or the begin of the thread, executed together."""
        template, location, k = place
        order, begins = self._region(template, location)
        if location in begins or len(order) > MOST_TOGETHER:
            return Answer.NO
        alone = any(self._holding.threads.is_alone(template, i) for i in begins)
        met: dict[int, Walk] = {}
        for i in order:
            its = [
                self._moved(met[at], template, (at, n))
                for at, n in self._before.get((template, i), ())
                if at in met
            ]
            if i in begins:
                its = [self._begun(template, stand, alone) for stand in self._stands[template, i]]
            if its:
                met[i] = reduce(Walk.merged, its)
        walk = met.get(location)
        return Answer.NO if walk is None else self._answer(walk, template, (location, k))

    def _region(self, template: str, location: int) -> tuple[list[int], frozenset[int]]:
        """The locations of all paths that lead to a location, each behind those before it, and
        those of them where paths begin."""
        its = self._program.templates[template]
        heads = frozenset(loop_heads(its, [True] * len(its.locations))) | {its.entry}
        order: list[int] = []
        begins: set[int] = set()
        seen = {location}
        todo = [(location, iter(self._before.get((template, location), ())))]
        while todo:
            i, rest = todo[-1]
            if i in heads:
                begins.add(i)
            at = None if i in heads else next(rest, None)
            if at is None:
                order.append(i)
                todo.pop()
            elif at[0] not in seen:
                seen.add(at[0])
                todo.append((at[0], iter(self._before.get((template, at[0]), ()))))
        return order, frozenset(begins)

    def _holds(self, template: str, path: Sequence[tuple[int, int]], stand: Stand) -> Answer:
        alone = self._holding.threads.is_alone(template, path[0][0])
        walk = self._begun(template, stand, alone)
        for at in path[:-1]:
            self._follow(walk, template, at)
        return self._answer(walk, template, path[-1])

    def _begun(self, template: str, stand: Stand, alone: bool) -> Walk:
        """A walk that begins here. While the first thread is alone, cells that are counted later
        may hold anything."""
        shared = self._uncounted if alone else self._shared
        types = self._program.templates[template].registers
        return Walk(self._holding, shared, template, types, stand)

    def _moved(self, walk: Walk, template: str, at: tuple[int, int]) -> Walk:
        """A walk that has gone on along an edge."""
        found = walk.copy()
        self._follow(found, template, at)
        return found

    def _follow(self, walk: Walk, template: str, at: tuple[int, int]) -> None:
        edge = self._edge(template, at)
        for _ in walk.along(edge):
            pass
        if not self._holding.undisturbed(template, edge.target):
            walk.publish(edge.target)

    def _answer(self, walk: Walk, template: str, at: tuple[int, int]) -> Answer:
        """Whether the checks of an edge hold where a walk stands before it."""
        for known, goal in self._goals(walk, self._edge(template, at)):
            answer = self._judges[template].impossible(known, frozenset({neg(goal)}))
            if answer is not Answer.YES:
                return answer
        return Answer.YES

    def _goals(self, walk: Walk, last: Edge) -> Iterator[Goal]:
        """What has to hold so that the edge does not violate the property."""
        for goal in walk.along(last):
            if self._property == NO_OVERFLOW:
                yield goal
        if any(isinstance(e, Fail) and e.property == self._property for e in last.effects):
            yield frozenset(walk.known), FALSE


def violated_at(program: Program, property: str, place: Place) -> str:
    """The words for an edge that may violate a property."""
    template, location, k = place
    where = program.templates[template].locations[location].edges[k].position
    what = "an operation" if property == NO_OVERFLOW else "an error"
    may = "overflow" if property == NO_OVERFLOW else "be reached"
    return f"{what} at {where} may {may}"
