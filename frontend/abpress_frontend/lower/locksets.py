"""Which mutexes a thread certainly holds, and where it is certainly in an atomic block.

A mutex is taken where a call of `pthread_mutex_lock` returns, and released by every write to its
owner, but those of functions that write it only if the mutex is free or is the thread's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from abpress.ir.expr import Addr
from abpress.ir.types import IntType
from abpress_frontend.lower.accesses import Access, accesses, may_alias
from abpress_frontend.lower.flow import forward, open_parts, region
from abpress_frontend.lower.graph import Draft, GraphBuilder
from abpress_frontend.lower.pointing import Pointing
from abpress_frontend.lower.sequencing import Evaluation, Part

Lock = tuple[str, int]
"""A mutex: a static object, and an offset in it."""

TAKES = frozenset({"pthread_mutex_lock"})
"""Models that return when their thread holds the mutex that is their first argument. (Where mutexes
may be robust, they may return without.)"""

WAITS = {"pthread_cond_wait": 1, "pthread_cond_timedwait": 1}
"""Models that return with the mutex if they were called with it -> which argument it is."""

_HARMLESS = frozenset(
    {
        "__abp_cond_relock",
        "__abp_take",
        "pthread_mutex_destroy",
        "pthread_mutex_lock",
        "pthread_mutex_timedlock",
        "pthread_mutex_trylock",
    }
)
"""Models that write the owner of a mutex only if it is free, or is their thread."""

_OWN = frozenset(
    {"__abp_cond_enter", "__abp_release", "__abp_thread_exit_robust", "pthread_mutex_unlock"}
)
"""Models that release a mutex only if it is their thread's own."""

_OWNER = IntType(64, False)
"""What is at least as large as the owner, with which a mutex begins."""


@dataclass(frozen=True, slots=True)
class Held:
    """The mutexes that the thread certainly holds, and in how many atomic blocks it is at least."""

    locks: frozenset[Lock] = frozenset()
    depth: int = 0

    def meet(self, other: Held) -> Held:
        return Held(self.locks & other.locks, min(self.depth, other.depth))


class LockSets:
    """The answer for one program, as it was lowered so far. `held` has it for each template and
    each of its locations that can be reached; `broken` are mutexes that a thread may release
    although another one holds them."""

    def __init__(
        self,
        graphs: Mapping[str, GraphBuilder],
        evaluations: Mapping[str, list[Evaluation]],
        pointing: Pointing,
        alone: Mapping[str, frozenset[int]],
    ) -> None:
        """`alone` are the locations of each template at which no other thread runs."""
        self._graphs = graphs
        self._known = {
            lock: address
            for graph in graphs.values()
            for events in graph.locks.values()
            for address, _ in events
            if (lock := _lock(graph, address)) is not None
        }
        self._released = {
            name: dict(self._releases(name, graph, pointing)) for name, graph in graphs.items()
        }
        self.held = {name: self._solved(name, evaluations[name]) for name in graphs}
        self._leaves = {
            n: left for name in graphs for n, left in self._left(name, evaluations[name])
        }
        broken: set[Lock] = set()
        for name, graph in graphs.items():
            held = self.held[name]
            for at, state in held.items():
                if at not in alone[name]:
                    for draft in graph.out[at]:
                        released = self._released[name].get(id(draft), frozenset())
                        if not _is_of(draft, _OWN):
                            broken |= released - state.locks
            for evaluation in evaluations[name]:
                broken |= self._mix(graph, open_parts(evaluation), held)
        self.broken = frozenset(broken)

    def leaves(self, evaluation: Evaluation) -> list[bool] | None:
        """For each part of an evaluation that begins in an atomic block, whether it may leave the
        block on its way; None if the evaluation may begin outside of one."""
        return self._leaves.get(id(evaluation))

    def _left(self, name: str, evaluations: list[Evaluation]) -> Iterator[tuple[int, list[bool]]]:
        graph, held = self._graphs[name], self.held[name]
        for evaluation in evaluations:
            if evaluation.start in held and held[evaluation.start].depth > 0:
                parts = (region(graph, p, len(graph.out)) for p in evaluation.parts)
                yield (
                    id(evaluation),
                    [any(at in held and held[at].depth == 0 for at in part) for part in parts],
                )

    # -- what happens -------------------------------------------------------------------------

    def _releases(
        self, name: str, graph: GraphBuilder, pointing: Pointing
    ) -> Iterator[tuple[int, frozenset[Lock]]]:
        """id of an edge -> the mutexes that it may release."""
        owners = [
            (lock, Access(address, _OWNER, True, frozenset({("", lock[0])})))
            for lock, address in self._known.items()
        ]
        for edges in graph.out if owners else ():
            for draft in edges:
                if draft.effects and not _is_of(draft, _HARMLESS):
                    writes = [a for a in accesses(name, draft, pointing) if a.writes]
                    found = {lock for lock, owner in owners for a in writes if may_alias(owner, a)}
                    if found:
                        yield id(draft), frozenset(found)

    def _solved(self, name: str, evaluations: list[Evaluation]) -> dict[int, Held]:
        """What is known at each location. A wait returns with what it was called with; that is
        assumed first, and taken back where it turns out to be wrong."""
        graph = self._graphs[name]
        refused: set[int] = set()
        while True:
            held = forward(graph, evaluations, Held(), partial(self._after, name, refused))
            wrong = {
                at
                for at, events in graph.locks.items()
                for address, since in events
                if since is not None and at in held and at not in refused
                if (lock := _lock(graph, address)) is not None
                if since not in held or lock not in held[since].locks
            }
            if not wrong:
                return held
            refused |= wrong

    def _after(self, name: str, refused: set[int], at: int, state: Held, draft: Draft) -> Held:
        graph = self._graphs[name]
        locks = state.locks - self._released[name].get(id(draft), frozenset())
        for address, since in graph.locks.get(draft.target, ()):
            lock = _lock(graph, address)
            if lock is not None and (since is None or draft.target not in refused):
                locks |= {lock}
        return Held(locks, max(0, state.depth + draft.depth))

    # -- what stands beside each other --------------------------------------------------------

    def _mix(self, graph: GraphBuilder, parts: list[Part], held: dict[int, Held]) -> set[Lock]:
        """Parts of which the order is open do not hold what one of them releases on its way.
        Returns the mutexes that a part takes or releases for good."""
        changed: set[Lock] = set()
        dropped: set[Lock] = set()
        regions = [list(region(graph, p, len(graph.out))) for p in parts if p.start in held]
        for part, inside in zip((p for p in parts if p.start in held), regions, strict=True):
            begin = held[part.start].locks
            for at in inside:
                dropped |= begin - held[at].locks if at in held else set()
            if part.end is not None and part.end in held:
                changed |= begin ^ held[part.end].locks
        if dropped or changed:
            for at in {at for inside in regions for at in inside if at in held}:
                held[at] = Held(held[at].locks - dropped - changed, held[at].depth)
        return changed


def _is_of(draft: Draft, models: frozenset[str]) -> bool:
    """Whether the edge stands in one of the models."""
    return draft.position.in_model and draft.position.function in models


def _lock(graph: GraphBuilder, address: object) -> Lock | None:
    """The mutex at the address, if it is known which one."""
    if isinstance(address, Addr) and address.object not in graph.locals:
        return address.object, address.offset
    return None
