"""Which accesses of a lowered program other threads may influence or notice.

An access is a *mover* (Lipton, 1975) if no other thread can access the same object in conflict
with it: because no other thread has begun, because none touches the object, or because all that do
hold the same mutex. Where a mover stands among the actions of its thread nobody else can tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from abpress.ir.expr import Addr, Expr
from abpress.ir.program import Copy, Effect, Free, Load, MemoryObject, Spawn, Store
from abpress_frontend.lower.graph import Draft, Facts, GraphBuilder
from abpress_frontend.lower.pointing import Object, Pointing
from abpress_frontend.lower.sequencing import Evaluation, Part

Lock = tuple[str, int]
"""A mutex: a static object, and an offset in it."""


@dataclass(frozen=True, slots=True)
class _Held:
    """What certainly holds at a location: the mutexes of the thread, and whether it is in an
    atomic block; and whether there may be other threads."""

    locks: frozenset[Lock] = frozenset()
    depth: int = 0
    others: bool = False

    def meet(self, other: _Held) -> _Held:
        return _Held(
            self.locks & other.locks, min(self.depth, other.depth), self.others or other.others
        )


@dataclass(frozen=True, slots=True)
class _Use:
    """An access: by which template, and under which mutexes."""

    template: str
    locks: frozenset[Lock]
    writes: bool


def region(graph: GraphBuilder, part: Part, old: int) -> Iterator[int]:
    """The locations of a part, without its end; those from number `old` on were made later."""
    found, todo = {part.start}, [part.start]
    while todo:
        at = todo.pop()
        yield at
        for draft in graph.out[at]:
            if not draft.ends and draft.target not in found and within(part, draft.target, old):
                found.add(draft.target)
                todo.append(draft.target)


def within(part: Part, location: int, old: int) -> bool:
    """Whether an edge in the part that leads to the location stays in it."""
    if location == part.end or location in part.outside:
        return False
    return part.first <= location < part.last or location >= old


class Sharing:
    """The accesses of a program. Sets `Draft.facts` of all edges that access memory."""

    def __init__(
        self,
        graphs: Mapping[str, GraphBuilder],
        evaluations: Mapping[str, list[Evaluation]],
        objects: Mapping[str, MemoryObject],
        main: str,
    ) -> None:
        self._graphs = graphs
        self._main = main
        self.pointing = Pointing(graphs, objects)
        self._numbers: dict[Object, int] = {}
        self._several = self._started_often()
        held = {
            name: self._held(graph, evaluations[name], name == main)
            for name, graph in graphs.items()
        }
        broken = self._broken(held)
        for name, graph in graphs.items():
            self._loosen(graph, evaluations[name], held[name])
        self._uses: dict[int, set[_Use]] = {}
        found: list[tuple[str, Draft, _Held, frozenset[int], frozenset[int]]] = []
        for name, graph in graphs.items():
            for at, state in held[name].items():
                for draft in graph.out[at]:
                    reads, writes = self._accesses(name, draft)
                    if reads or writes:
                        state = _Held(state.locks - broken, state.depth, state.others)
                        found.append((name, draft, state, reads, writes))
                        if state.others:
                            for objects_, write in ((reads, False), (writes, True)):
                                use = _Use(name, state.locks, write)
                                for o in objects_:
                                    self._uses.setdefault(o, set()).add(use)
        self._private = frozenset(
            n
            for object, n in self._numbers.items()
            if object[0] and object not in self.pointing.escaped
        )
        for name, draft, state, reads, writes in found:
            draft.facts = Facts(
                reads,
                writes,
                state.others and any(self._contested(name, state, o, False) for o in reads),
                state.others and any(self._contested(name, state, o, True) for o in writes),
            )
        self._atomic = {
            name: frozenset(at for at, state in known.items() if state.depth > 0)
            for name, known in held.items()
        }

    def atomic(self, template: str, location: int) -> bool:
        """Whether the location is certainly in an atomic block."""
        return location in self._atomic[template]

    # -- accesses -----------------------------------------------------------------------------

    def _accesses(self, name: str, draft: Draft) -> tuple[frozenset[int], frozenset[int]]:
        reads: set[Object] = set()
        writes: set[Object] = set()
        for effect in draft.effects:
            for address, write in _addresses(effect):
                (writes if write else reads).update(self.pointing.objects(name, address))
        return self._numbered(reads), self._numbered(writes)

    def _numbered(self, objects: set[Object]) -> frozenset[int]:
        return frozenset(self._numbers.setdefault(o, len(self._numbers)) for o in sorted(objects))

    def _contested(self, name: str, state: _Held, number: int, write: bool) -> bool:
        """Whether another thread may access the object in conflict with this access."""
        return number not in self._private and any(
            (write or use.writes)
            and (use.template != name or name in self._several)
            and not (use.locks & state.locks)
            for use in self._uses.get(number, ())
        )

    # -- threads ------------------------------------------------------------------------------

    def _started_often(self) -> frozenset[str]:
        """The templates of which there may be several threads."""
        started: dict[str, int] = {}
        for name, graph in self._graphs.items():
            for at, edges in enumerate(graph.out):
                for draft in edges:
                    for effect in draft.effects:
                        if isinstance(effect, Spawn):
                            once = name == self._main and not _repeats(graph, at, draft)
                            count = 1 if once else 2
                            started[effect.template] = started.get(effect.template, 0) + count
        return frozenset(name for name, count in started.items() if count > 1)

    def _held(
        self, graph: GraphBuilder, evaluations: list[Evaluation], main: bool
    ) -> dict[int, _Held]:
        """What holds at each location that can be reached, in whatever order expressions are
        evaluated: an operand can be although one on its left does not end."""
        held = {0: _Held(others=not main)}
        todo = [0]
        while todo:
            while todo:
                at = todo.pop()
                for draft in graph.out[at]:
                    if draft.ends:
                        continue
                    after = self._after(graph, at, held[at], draft)
                    known = held.get(draft.target)
                    new = after if known is None else known.meet(after)
                    if new != known:
                        held[draft.target] = new
                        todo.append(draft.target)
            for evaluation in evaluations:
                for part in evaluation.parts:
                    if evaluation.start in held and part.start not in held:
                        held[part.start] = held[evaluation.start]
                        todo.append(part.start)
        return held

    def _after(self, graph: GraphBuilder, at: int, state: _Held, draft: Draft) -> _Held:
        locks = set(state.locks)
        for taken, address in graph.locks.get(at, ()):
            lock = self._lock(graph, address)
            if lock is None and not taken:
                locks.clear()
            elif lock is not None:
                (locks.add if taken else locks.discard)(lock)
        others = state.others or any(isinstance(e, Spawn) for e in draft.effects)
        return _Held(frozenset(locks), max(0, state.depth + draft.depth), others)

    def _lock(self, graph: GraphBuilder, address: Expr) -> Lock | None:
        """The mutex at the address, if it is known which one."""
        if isinstance(address, Addr) and address.object not in graph.locals:
            return address.object, address.offset
        return None

    def _broken(self, held: Mapping[str, Mapping[int, _Held]]) -> frozenset[Lock]:
        """Mutexes that a thread may release without holding them."""
        everything = {
            lock
            for graph in self._graphs.values()
            for events in graph.locks.values()
            for _, address in events
            if (lock := self._lock(graph, address)) is not None
        }
        broken: set[Lock] = set()
        for name, graph in self._graphs.items():
            for at, events in graph.locks.items():
                state = held[name].get(at)
                for taken, address in events:
                    if taken or state is None:
                        continue
                    lock = self._lock(graph, address)
                    if lock is None:
                        objects = {o for _, o in self.pointing.objects(name, address)}
                        broken |= {known for known in everything if known[0] in objects}
                    elif lock not in state.locks:
                        broken.add(lock)
        return frozenset(broken)

    def _loosen(
        self, graph: GraphBuilder, evaluations: list[Evaluation], held: dict[int, _Held]
    ) -> None:
        """Where a part of an expression takes or releases a mutex or starts a thread, what stands
        beside it may come before or after."""
        for evaluation in evaluations:
            parts = [p for p in evaluation.parts if p.start != p.end and p.start in held]
            if all(p.end is None or held.get(p.end) in (None, held[p.start]) for p in parts):
                continue
            for part in parts:
                for at in region(graph, part, len(graph.out)):
                    if at in held:
                        held[at] = _Held(others=True)


def _addresses(effect: Effect) -> Iterator[tuple[Expr, bool]]:
    """The addresses that an effect accesses, and whether it writes there."""
    match effect:
        case Load(_, address):
            yield address, False
        case Store(address, _) | Free(address):
            yield address, True
        case Copy(target, source, _):
            yield source, False
            yield target, True
        case _:
            pass


def _repeats(graph: GraphBuilder, at: int, draft: Draft) -> bool:
    """Whether the edge lies on a cycle."""
    found, todo = {draft.target}, [draft.target]
    while todo:
        here = todo.pop()
        if here == at:
            return True
        for following in graph.out[here]:
            if not following.ends and following.target not in found:
                found.add(following.target)
                todo.append(following.target)
    return False
