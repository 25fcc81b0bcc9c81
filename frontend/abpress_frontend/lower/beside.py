"""Which threads may run beside which.

For each location of main: the threads that it has created and not certainly joined, and all that
these may create. A creation is one thread as long as it is not done again before the thread is
joined; which one is joined tells the value of a variable, if main alone writes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from abpress.ir.expr import Addr, Compare, Expr, Reg
from abpress.ir.program import Assign, Copy, Effect, Enter, Free, Join, Leave, Load, Spawn, Store
from abpress_frontend.lower.accesses import split
from abpress_frontend.lower.flow import forward, open_parts, region
from abpress_frontend.lower.graph import Draft, GraphBuilder
from abpress_frontend.lower.pointing import Object, Pointing
from abpress_frontend.lower.sequencing import Evaluation

_Cell = tuple[str, int, int]
"""Where an id is: a register (by name, and -1, 0), or a part of an object (offset and size)."""


@dataclass(frozen=True, slots=True)
class _Known:
    """The creations whose thread may run, by number; other templates that may run; and the cells
    that certainly hold the id of what a creation made last."""

    alive: frozenset[int] = frozenset()
    nested: frozenset[str] = frozenset()
    ids: frozenset[tuple[_Cell, int]] = frozenset()

    def meet(self, other: _Known) -> _Known:
        return _Known(self.alive | other.alive, self.nested | other.nested, self.ids & other.ids)


class Beside:
    """The answer for one program, as it was lowered so far."""

    def __init__(
        self,
        graphs: Mapping[str, GraphBuilder],
        evaluations: Mapping[str, list[Evaluation]],
        pointing: Pointing,
        main: str,
    ) -> None:
        self._graphs = graphs
        self._main = main
        self._graph = graphs[main]
        self._pointing = pointing
        started = {name: frozenset(_started(graph)) for name, graph in graphs.items()}
        self._nested = {name: _closure(started, started[name]) for name in graphs}
        self._everything = frozenset(graphs)
        self._at: dict[int, frozenset[str]] = {}
        self._pairs: set[tuple[str, str]] = set()
        if any(main in names for names in started.values()):
            self._pairs = {(a, b) for a in graphs for b in graphs}
            return
        self._everything -= {main}
        self._creations = self._numbered()
        self._foreign = frozenset(self._written_by_others())
        self._loose: set[int] = set()
        """Locations of what stands beside other parts of an expression: whose order is open."""
        regions = [
            [frozenset(region(self._graph, p, len(self._graph.out))) for p in parts]
            for evaluation in evaluations[main]
            for parts in [open_parts(evaluation)]
        ]
        self._loose.update(at for parts in regions for inside in parts for at in inside)
        self._many = {
            n for at in self._loose for draft in self._graph.out[at] for n in self._of(draft)
        }
        """Creations of which there may be several threads at a time."""
        known = self._solved(evaluations[main])
        for parts in regions:
            alive = [known[at] for inside in parts for at in inside if at in known]
            for at in {at for inside in parts for at in inside if at in known}:
                for other in alive:
                    known[at] = known[at].meet(other)
        for state in {_Known(k.alive, k.nested) for k in known.values()}:
            self._pairs.update(self._together(state))
        self._at = {at: self._templates(state) for at, state in known.items()}

    def main(self, location: int) -> frozenset[str]:
        """What may run beside main at one of its locations; nothing if main never is there."""
        return self._at.get(location, frozenset()) if self._at else self._everything

    def together(self, a: str, b: str) -> bool:
        """Whether a thread of one template, not main, may run beside one of the other."""
        return (a, b) in self._pairs

    # -- creations ----------------------------------------------------------------------------

    def _numbered(self) -> dict[int, tuple[int, str]]:
        """id of an effect -> the number and the template of the creation."""
        found: dict[int, tuple[int, str]] = {}
        for effect in self._graph.effects():
            if isinstance(effect, Spawn):
                found[id(effect)] = len(found), effect.template
        return found

    def _of(self, draft: Draft) -> Iterator[int]:
        for effect in draft.effects:
            if isinstance(effect, Spawn):
                yield self._creations[id(effect)][0]

    def _templates(self, state: _Known) -> frozenset[str]:
        alive = {t for n, t in self._creations.values() if n in state.alive}
        return state.nested | alive

    def _together(self, state: _Known) -> Iterator[tuple[str, str]]:
        alive = [(n, t) for n, t in self._creations.values() if n in state.alive]
        for n, a in alive:
            for m, b in alive:
                if n != m or n in self._many:
                    yield a, b
        for a in state.nested:
            for b in self._templates(state):
                yield a, b
                yield b, a

    def _written_by_others(self) -> Iterator[Object]:
        for name, graph in self._graphs.items():
            for effect in graph.effects() if name != self._main else ():
                match effect:
                    case Store(address, _) | Copy(address, _, _) | Free(address):
                        yield from self._pointing.objects(name, address)
                    case _:
                        pass

    # -- the flow of main ---------------------------------------------------------------------

    def _solved(self, evaluations: list[Evaluation]) -> dict[int, _Known]:
        """What is known at each location that main can reach. Begins again where a creation turns
        out to be done while its last thread may run."""
        while True:
            before = len(self._many)
            known = forward(self._graph, evaluations, _Known(), self._after)
            if len(self._many) == before:
                return known

    def _is_own_id(self, state: _Known, guard: Expr) -> bool:
        """Whether the guard holds only if main has created itself."""
        match guard:
            case Compare("==", Reg() as a, Reg() as b):
                other = b if a.name == "$tid" else a if b.name == "$tid" else None
                return other is not None and _id(state, _register(other)) is not None
            case _:
                return False

    def _after(self, at: int, state: _Known, draft: Draft) -> _Known | None:
        if self._is_own_id(state, draft.guard):
            return None
        for effect in draft.effects:
            state = self._effect(at, state, effect)
        return state

    def _effect(self, at: int, state: _Known, effect: Effect) -> _Known:
        match effect:
            case Spawn(target, template):
                n = self._creations[id(effect)][0]
                if n in state.alive:
                    self._many.add(n)
                nested = state.nested | self._nested[template]
                ids = frozenset(pair for pair in state.ids if pair[1] != n)
                state = _Known(state.alive | {n}, nested, ids)
                return self._set(at, state, _register(target), n)
            case Join(target, thread):
                joined = self._value(state, thread)
                if joined is not None and joined not in self._many and at not in self._loose:
                    state = _Known(state.alive - {joined}, state.nested, state.ids)
                return self._set(at, state, _register(target), None)
            case Assign(target, value) | Load(target, value):
                if isinstance(effect, Load):
                    cell = self._cell(value, target.type.size)
                    found = None if cell is None else _id(state, cell)
                else:
                    found = self._value(state, value)
                return self._set(at, state, _register(target), found)
            case Store(address, value):
                state = self._overwritten(state, address, value.type.size)
                cell = self._cell(address, value.type.size)
                if cell is None:
                    return state
                return self._set(at, state, cell, self._value(state, value))
            case Copy(address, _, _):
                return self._overwritten(state, address, None)
            case Enter(name) | Leave(name):
                return _without(state, {name})
            case _:
                made = getattr(effect, "target", None)
                return self._set(at, state, _register(made), None) if made is not None else state

    def _value(self, state: _Known, value: Expr) -> int | None:
        return _id(state, _register(value)) if isinstance(value, Reg) else None

    def _set(self, at: int, state: _Known, cell: _Cell, creation: int | None) -> _Known:
        """The cell has a new value: the id of a creation, or another one."""
        ids = {pair for pair in state.ids if pair[0] != cell}
        if creation is not None and at not in self._loose:
            ids.add((cell, creation))
        return _Known(state.alive, state.nested, frozenset(ids))

    def _cell(self, address: Expr, size: int) -> _Cell | None:
        """The cell at the address, if it is known which one, and main alone writes it."""
        base, offset = split(address)
        if not isinstance(base, Addr):
            return None
        owner = self._main if base.object in self._graph.locals else ""
        return None if (owner, base.object) in self._foreign else (base.object, offset, size)

    def _overwritten(self, state: _Known, address: Expr, size: int | None) -> _Known:
        """What is known after a write of so many bytes; None: of all that may be there."""
        base, offset = split(address)
        if isinstance(base, Addr) and size is not None:
            ids = frozenset(
                (cell, n)
                for cell, n in state.ids
                if cell[0] != base.object
                or cell[1] < 0
                or offset + size <= cell[1]
                or cell[1] + cell[2] <= offset
            )
            return _Known(state.alive, state.nested, ids)
        objects = {name for _, name in self._pointing.objects(self._main, address)}
        return _without(state, objects or None)


def _without(state: _Known, objects: Set[str] | None) -> _Known:
    """What is known without the contents of objects (None: of all)."""
    ids = frozenset(
        (cell, n)
        for cell, n in state.ids
        if cell[1] < 0 or (objects is not None and cell[0] not in objects)
    )
    return _Known(state.alive, state.nested, ids)


def _register(register: Reg) -> _Cell:
    return register.name, -1, 0


def _id(state: _Known, cell: _Cell) -> int | None:
    return next((n for other, n in state.ids if other == cell), None)


def _started(graph: GraphBuilder) -> Iterator[str]:
    for effect in graph.effects():
        if isinstance(effect, Spawn):
            yield effect.template


def _closure(started: Mapping[str, frozenset[str]], first: frozenset[str]) -> frozenset[str]:
    """What is started directly or through one another."""
    found, todo = set(first), list(first)
    while todo:
        more = started[todo.pop()] - found
        found |= more
        todo += more
    return frozenset(found)
