"""What lies ahead of a thread, by where it stands: errors, aborts, and creations of threads.

All lists are by pc (`Context.locate`), and are facts about paths in the control-flow graphs: a path
need not be one of an execution.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from abpress.ir.components import components, is_cycle
from abpress.ir.program import Edge, Exit, Fail, Spawn, goes_on
from abpress.properties import Aspect, Property
from abpress.semantics.context import Context
from abpress.semantics.outcome import Violation

NEAR = 2
"""Visible edges before an error or an abort up to which a thread stands near it."""

ABORT = "abort"
"""How the program ends where it finds that an execution does not count."""


class Outlook:
    """What lies ahead of the threads of a program, for one property.

    `errors`: whether a thread at the pc, or one that it may create, can still do something that the
    property looks at, or is near an abort, after which inputs are chosen anew. `near`: whether an
    error or an abort is at most `NEAR` visible edges away, and no creation follows. `creates`:
    whether the thread itself can still create one. `invisible`: whether its next step is seen by no
    other thread. All are False at the pc DONE.

    `any_error` says whether the first thread can come to an error; `places` are the pcs at which
    threads may stand before a step that others see; `creates_again`: whether some thread may create
    threads in a loop; `few_suffice`: whether an error may come before such a loop ends. `watched`
    are the pcs at which threads have to stand for a state to show something, where that is known.
    """

    def __init__(
        self, context: Context, property: Property, watched: Collection[int] | None = None
    ) -> None:
        self._codes = tuple(context.codes.values())
        entries = {code.template.name: code.first_pc + code.template.entry for code in self._codes}
        all_edges = list(self._edges())
        self._next: list[list[tuple[int, int]]] = [[] for _ in range(context.pcs)]
        seen = [False] * (context.pcs + 1)  # the last one is found by the pc DONE
        for pc, edge, target, visible in all_edges:
            seen[pc] |= visible
            if goes_on(edge):
                self._next[pc].append((target, int(visible)))
        known = {Aspect.STEP} if watched is None else {Aspect.STEP, Aspect.RACE}
        everything = not property.looks_at <= known or property.faults
        found = {pc for pc, edge, *_ in all_edges if _violates(edge, property)}
        found.update(watched or ())
        spawns: dict[int, list[int]] = {}
        for pc, edge, *_ in all_edges:
            for effect in edge.effects:
                if isinstance(effect, Spawn):
                    spawns.setdefault(pc, []).append(entries[effect.template])
        aborts = {pc for pc, edge, *_ in all_edges if _aborts(edge)}
        ahead = [everything or d is not None for d in self._distances(found, spawns)]
        self.any_error = ahead[entries[context.program.main]]
        self.errors = [
            error or (abort is not None and abort <= NEAR)
            for error, abort in zip(ahead, self._distances(aborts), strict=True)
        ]
        self.creates = [d is not None for d in self._distances(spawns)]
        loops = self._creating_loops(spawns)
        self.creates_again = bool(loops)
        few = self._before_crowds(entries[context.program.main], spawns, loops)
        self.few_suffice = everything or not found.isdisjoint(few)
        self.near = [
            d is not None and d <= NEAR and not creates
            for d, creates in zip(self._distances(found | aborts), self.creates, strict=True)
        ]
        if property.looks_at == {Aspect.RACE} and watched is not None:
            self.near = [pc in watched and not self.creates[pc] for pc in range(context.pcs)]
        self.invisible = [not visible for visible in seen]
        self.places = [
            code.first_pc + location
            for code in self._codes
            for location in sorted(code.boundaries)
            if seen[code.first_pc + location]
        ]
        for facts in (self.errors, self.creates, self.near):
            facts.append(False)
        self.invisible[-1] = False

    # -- graphs ---------------------------------------------------------------------------------

    def _edges(self) -> Iterator[tuple[int, Edge, int, bool]]:
        """Each edge with its pc, that of its target, and whether it is visible."""
        for code in self._codes:
            first = code.first_pc
            for location, its in enumerate(code.template.locations):
                for k, edge in enumerate(its.edges):
                    yield first + location, edge, first + edge.target, (location, k) in code.visible

    def _creating_loops(self, spawns: Collection[int]) -> list[frozenset[int]]:
        """The loops with a pc at which a thread may be created."""
        graph = {pc: [target for target, _ in its] for pc, its in enumerate(self._next)}
        its = (part for part in components(graph) if not part.isdisjoint(spawns))
        return [part for part in its if is_cycle(part, graph)]

    def _before_crowds(
        self, entry: int, spawns: Mapping[int, list[int]], loops: Sequence[frozenset[int]]
    ) -> set[int]:
        """The pcs that threads may come to although no loop that creates threads has ended."""
        inside = {pc: loop for loop in loops for pc in loop}
        found: set[int] = set()
        todo = [entry]
        while todo:
            pc = todo.pop()
            if pc not in found:
                found.add(pc)
                targets = [target for target, _ in self._next[pc]]
                loop = inside.get(pc)
                todo += targets if loop is None else loop.intersection(targets)
                todo += spawns.get(pc, ())
        return found

    def _distances(
        self, goals: Iterable[int], calls: dict[int, list[int]] | None = None
    ) -> list[int | None]:
        """The visible edges from each pc to the nearest goal; None if there is no way.

        `calls` are further places to which one comes from a pc, at once.
        """
        before: list[list[tuple[int, int]]] = [[] for _ in self._next]
        for pc, targets in enumerate(self._next):
            for target, cost in targets:
                before[target].append((pc, cost))
            for target in (calls or {}).get(pc, ()):
                before[target].append((pc, 0))
        found: list[int | None] = [None] * len(before)
        level, distance = sorted(goals), 0
        while level:
            later: list[int] = []
            while level:
                pc = level.pop()
                if found[pc] is not None:
                    continue
                found[pc] = distance
                for earlier, cost in before[pc]:
                    (later if cost else level).append(earlier)
            level, distance = later, distance + 1
        return found


def _aborts(edge: Edge) -> bool:
    return any(isinstance(effect, Exit) and effect.how == ABORT for effect in edge.effects)


def _violates(edge: Edge, property: Property) -> bool:
    """Whether the property finds something in a step that takes the edge."""
    for effect in edge.effects:
        if isinstance(effect, Fail):
            violation = Violation(effect.property, effect.message, edge.position, 0)
            if property.of_violation(violation) is not None:
                return True
    return False
