"""Which accesses of a lowered program other threads may influence or notice.

An access is a *mover* (Lipton, 1975) if no other thread can access the same object in conflict
with it: because no other thread runs, because none that does touches the object, or because all
that do hold the same mutex. Where a mover stands among the actions of its thread nobody else can
tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from abpress.ir.expr import Expr
from abpress.ir.program import Copy, Effect, Free, Load, Store
from abpress_frontend.lower.beside import Beside
from abpress_frontend.lower.graph import Draft, Facts, GraphBuilder
from abpress_frontend.lower.locksets import Lock, LockSets
from abpress_frontend.lower.pointing import Object, Pointing
from abpress_frontend.lower.sequencing import Evaluation


@dataclass(frozen=True, slots=True)
class _Use:
    """An access: by which template, under which mutexes, beside which others if it is main's."""

    template: str
    locks: frozenset[Lock]
    beside: frozenset[str]
    writes: bool


class Sharing:
    """The accesses of a program. Sets `Draft.facts` of all edges that access memory."""

    def __init__(
        self,
        graphs: Mapping[str, GraphBuilder],
        evaluations: Mapping[str, list[Evaluation]],
        pointing: Pointing,
        main: str,
    ) -> None:
        self._main = main
        self._numbers: dict[Object, int] = {}
        self._uses: dict[int, set[_Use]] = {}
        self.pointing = pointing
        self._beside = Beside(graphs, evaluations, self.pointing, main)
        places = range(len(graphs[main].out))
        alone = {name: frozenset[int]() for name in graphs}
        alone[main] = frozenset(at for at in places if not self._beside.main(at))
        self.locks = LockSets(graphs, evaluations, self.pointing, alone)
        found: list[tuple[Draft, _Use, frozenset[int], frozenset[int]]] = []
        for name, graph in graphs.items():
            for at, state in self.locks.held[name].items():
                beside = self._beside.main(at) if name == main else frozenset()
                use = _Use(name, state.locks - self.locks.broken, beside, False)
                for draft in graph.out[at]:
                    reads, writes = self._accesses(name, draft)
                    if reads or writes:
                        found.append((draft, use, reads, writes))
                        self._note(use, reads, writes)
        self._private = frozenset(
            n
            for object, n in self._numbers.items()
            if object[0] and object not in self.pointing.escaped
        )
        for draft, use, reads, writes in found:
            draft.facts = Facts(
                reads,
                writes,
                any(self._contested(use, o, False) for o in reads),
                any(self._contested(use, o, True) for o in writes),
            )

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

    def _note(self, use: _Use, reads: frozenset[int], writes: frozenset[int]) -> None:
        for objects, write in ((reads, False), (writes, True)):
            made = _Use(use.template, use.locks, use.beside, write)
            for o in objects:
                self._uses.setdefault(o, set()).add(made)

    def _contested(self, access: _Use, number: int, write: bool) -> bool:
        """Whether another thread may access the object in conflict with this access."""
        return number not in self._private and any(
            (write or use.writes) and not use.locks & access.locks and self._meet(access, use)
            for use in self._uses.get(number, ())
        )

    def _meet(self, a: _Use, b: _Use) -> bool:
        """Whether two threads may be there at the same time."""
        if a.template == self._main and b.template in a.beside:
            return b.template != self._main or a.template in b.beside
        if b.template == self._main:
            return a.template in b.beside
        return a.template != self._main and self._beside.together(a.template, b.template)


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
