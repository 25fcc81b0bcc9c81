"""Pointers that are not null where a thread has seen that another cell is not 0.

A cell is *settable* if it holds a pointer, null at first, and nobody ever writes null to it: once
it is not null, it never is again. Another cell *announces* it if it is 0 at first, and whoever
writes anything else there has set the pointer before, or sets it before the atomic block ends. So a
thread that reads something else than 0 there, but in the middle of such a block of its own, knows
that the pointer is set, from then on. NOTE(announced)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from heapq import heappop, heappush

from abpress.ir.expr import MIRRORED, NEGATED, Addr, Binary, Compare, Const, Convert, Expr, Reg
from abpress.ir.passes.rewrite import forwards
from abpress.ir.program import (
    Alloc,
    Assign,
    Edge,
    Effect,
    Finish,
    Load,
    Program,
    Store,
    Template,
    effect_target,
    goes_on,
)
from abpress.ir.types import IntType, PtrType, Scalar

MOST_FACTS = 2_000_000
"""Of settable pointers at locations; larger programs are not looked at."""

Reached = Callable[[str, Expr, int], tuple[tuple[str, ...], bool]]
"""The cells that an access may go to, and whether it goes to that one and nowhere else."""

Fact = tuple[str, str, str]
"""That a pointer is set: (SET, cell, ""); that a register is not 0: (FULL, register, ""); that a
cell was seen to be not 0 if a register is not 0: (SEEN, register, cell)."""

Known = frozenset[Fact]

SET, FULL, SEEN = "set", "full", "seen"


class Announcements:
    """Which pointers are known to be set where, by the text of a program alone.

    `cells` are those that are 0 or null at first, `live` the registers that matter at locations.
    """

    def __init__(
        self,
        program: Program,
        cells: Mapping[str, Scalar],
        reached: Reached,
        live: Mapping[str, tuple[frozenset[str], ...]],
    ) -> None:
        self._program, self._reached, self._live = program, reached, live
        self._settable: frozenset[str] = frozenset()
        self._announced: dict[str, frozenset[str]] = {}
        self._pending: dict[str, dict[int, set[str]]] = {name: {} for name in program.templates}
        self._known: dict[str, dict[int, Known]] = {}
        pointers = {cell for cell, type in cells.items() if isinstance(type, PtrType)}
        locations = sum(len(template.locations) for template in program.templates.values())
        if not pointers or len(pointers) * locations > MOST_FACTS:
            return
        self._flow()
        self._settable = frozenset(pointers - set(self._given_null()))
        self._announced = {cell: frozenset({cell}) for cell in self._settable}
        announcing = {cell for cell, type in cells.items() if isinstance(type, IntType)}
        self._stores = list(self._stores_to(announcing))
        while self._settable:
            self._flow()
            before, self._announced = self._announced, self._announced | self._found(announcing)
            if before == self._announced:
                break

    def is_set(self, template: str, location: int, index: int, cell: str) -> bool:
        """Whether a pointer is not null where a thread takes an edge, once its guard holds."""
        known = self._known.get(template, {}).get(location)
        if known is None or cell not in self._settable:
            return False
        edge = self._program.templates[template].locations[location].edges[index]
        return (SET, cell, "") in self._supposed(known, edge.guard)

    # -- what is written ------------------------------------------------------------------------

    def _given_null(self) -> Iterator[str]:
        """The cells to which something is written that may be null."""
        for name, known in self._known.items():
            for i, its in known.items():
                for edge in self._program.templates[name].locations[i].edges:
                    for effect, now, _ in self._effects(name, i, edge, its):
                        if isinstance(effect, Store) and not _is_full(effect.value, now):
                            address, size = effect.address, effect.value.type.size
                            yield from self._reached(name, address, size)[0]

    def _stores_to(self, cells: set[str]) -> Iterator[tuple[str, int, int, frozenset[str]]]:
        """The edges that may write something else than 0 to some cells. Notes where such a block
        goes on."""
        for name, template in self._program.templates.items():
            for i, location in enumerate(template.locations):
                for k, edge in enumerate(location.edges):
                    written = self._written(name, edge) & cells
                    if written:
                        yield name, i, k, frozenset(written)
                        for at in _block(template, edge):
                            self._pending[name].setdefault(at, set()).update(written)

    def _written(self, name: str, edge: Edge) -> set[str]:
        """The cells to which an edge may write something else than 0."""
        found: set[str] = set()
        for effect in edge.effects:
            if isinstance(effect, Store) and not _is_zero(effect.value):
                found.update(self._reached(name, effect.address, effect.value.type.size)[0])
        return found

    def _found(self, announcing: set[str]) -> dict[str, frozenset[str]]:
        """What each cell announces, that something else than 0 is written to."""
        found: dict[str, frozenset[str]] = {}
        for name, i, k, cells in self._stores:
            known = self._known[name].get(i)
            if known is None:
                continue  # no path leads there
            its = self._set_at_end(name, i, k, known)
            for cell in cells & announcing:
                found[cell] = found.get(cell, self._settable) & its
        return found

    def _set_at_end(self, name: str, i: int, k: int, known: Known) -> frozenset[str]:
        """The pointers that are set wherever the block ends in which an edge is, or behind it."""
        template = self._program.templates[name]
        edge = template.locations[i].edges[k]
        behind = [self._behind(name, i, edge, known)]
        if goes_on(edge) and template.locations[edge.target].atomic:
            behind = []
            for at in _block(template, edge):
                for after in template.locations[at].edges:
                    leaves = goes_on(after) and not template.locations[after.target].atomic
                    ends = bool(after.effects) and isinstance(after.effects[-1], Finish)
                    if (leaves or ends) and at in self._known[name]:
                        behind.append(self._behind(name, at, after, self._known[name][at]))
        found = self._settable
        for its in behind:
            found &= {cell for kind, cell, _ in its if kind == SET}
        return found

    # -- what threads know ----------------------------------------------------------------------

    def _flow(self) -> None:
        """What holds at each location on all paths, as far as it is known what is announced."""
        self._known = {name: self._flow_of(t) for name, t in self._program.templates.items()}

    def _flow_of(self, template: Template) -> dict[int, Known]:
        name, live = template.name, self._live[template.name]
        rank = {location: k for k, location in enumerate(forwards(template))}
        found: dict[int, Known] = {template.entry: frozenset()}
        todo, waiting = [(0, template.entry)], {template.entry}
        while todo:
            _, i = heappop(todo)
            waiting.discard(i)
            for edge in template.locations[i].edges:
                if not goes_on(edge):
                    continue
                target = edge.target
                after = self._behind(name, i, edge, found[i])
                new = frozenset(f for f in after if f[0] == SET or f[1] in live[target])
                old = found.get(target)
                if old is not None:
                    new &= old
                if new != old:
                    found[target] = new
                    if target not in waiting:
                        waiting.add(target)
                        heappush(todo, (rank[target], target))
        return found

    def _supposed(self, known: Known, guard: Expr) -> Known:
        """What is known once a guard holds."""
        names = set(_nonzero(guard))
        if not names:
            return known
        more = {(FULL, name, "") for name in names}
        for kind, name, cell in known:
            if kind == SEEN and name in names:
                more.update((SET, its, "") for its in self._announced.get(cell, ()))
        return known | more

    def _behind(self, name: str, i: int, edge: Edge, known: Known) -> Known:
        behind = self._supposed(known, edge.guard)
        for _, _, after in self._effects(name, i, edge, known):
            behind = after
        return behind

    def _effects(
        self, name: str, i: int, edge: Edge, known: Known
    ) -> Iterator[tuple[Effect, Known, Known]]:
        """The effects of an edge, with what is known before and behind each."""
        now = self._supposed(known, edge.guard)
        pending = set(self._pending[name].get(i, ()))
        for effect in edge.effects:
            more: set[Fact] = set()
            match effect:
                case Assign(target, value):
                    if _is_full(value, now):
                        more.add((FULL, target.name, ""))
                    names = set(_nonzero(value))
                    seen = (f for f in now if f[0] == SEEN and f[1] in names)
                    more.update((SEEN, target.name, cell) for _, _, cell in seen)
                case Alloc(target):
                    more.add((FULL, target.name, ""))
                case Load(target, address):
                    cells, exact = self._reached(name, address, target.type.size)
                    if exact and cells[0] not in pending:
                        more.add((SEEN, target.name, cells[0]))
                case Store(address, value):
                    cells, exact = self._reached(name, address, value.type.size)
                    if not _is_zero(value):
                        pending.update(cells)
                    if exact and cells[0] in self._settable:
                        more.add((SET, cells[0], ""))
                case _:
                    pass
            written = effect_target(effect)
            after = now
            if written is not None:
                after = frozenset(f for f in now if f[0] == SET or f[1] != written.name)
            yield effect, now, after | more
            now = after | more


def _block(template: Template, edge: Edge) -> list[int]:
    """The locations of the atomic block that an edge leads to, or goes on with, from there on."""
    if not goes_on(edge) or not template.locations[edge.target].atomic:
        return []
    found = {edge.target: None}
    todo = [edge.target]
    while todo:
        for after in template.locations[todo.pop()].edges:
            target = after.target
            if goes_on(after) and template.locations[target].atomic and target not in found:
                found[target] = None
                todo.append(target)
    return list(found)


def _is_zero(e: Expr) -> bool:
    return isinstance(e, Const) and e.value == 0


def _is_full(e: Expr, known: Known) -> bool:
    """Whether a value is certainly not 0, or a pointer that is not null."""
    return isinstance(e, Addr) or (isinstance(e, Reg) and (FULL, e.name, "") in known)


def _nonzero(e: Expr) -> Iterator[str]:
    """Registers that are not 0 where an expression is not 0."""
    match e:
        case Reg(name, _):
            yield name
        case Convert(arg, IntType()) if isinstance(arg.type, IntType):
            yield from _nonzero(arg)
        case Binary("&", left, right):
            yield from _nonzero(left)
            yield from _nonzero(right)
        case Compare(op, Const() as left, right) if not isinstance(right, Const):
            yield from _nonzero(Compare(MIRRORED[op], right, left))
        case Compare("==", Compare(op, a, b), Const(0, _)):
            yield from _nonzero(Compare(NEGATED[op], a, b))
        case Compare("==", Convert(Compare() as inner, _), Const(0, _)):
            yield from _nonzero(Compare("==", inner, Const(0, inner.type)))
        case Compare(op, a, Const(n, _)):
            excluded = {"!=": n == 0, "==": n != 0, ">": n >= 0, ">=": n > 0, "<": n <= 0}
            if excluded.get(op, n < 0):
                yield from _nonzero(a)
        case _:
            pass
