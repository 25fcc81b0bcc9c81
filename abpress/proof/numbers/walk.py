"""A path of one thread, executed with variables for what is not known where it begins.

NOTE(elements-read-twice): what is read twice is the same where nobody can have written it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from abpress.ir.expr import Compare, Const, Convert, Expr, Reg, rewrite, walk
from abpress.ir.intervals import hull
from abpress.ir.passes.rewrite import node_count
from abpress.ir.program import (
    Assign,
    Edge,
    Effect,
    Enter,
    Havoc,
    Load,
    Overflow,
    Store,
    effect_operands,
    effect_target,
)
from abpress.ir.types import INT, IntType, PtrType, Scalar
from abpress.logic.formula import TRUE, Formula, disj, holds, neg, no_overflow
from abpress.modular.numbers.cells import Cells
from abpress.modular.numbers.holding import NumericHolding
from abpress.modular.numbers.memory import NumericAccess
from abpress.proof.numbers.certificate import Span, Stand
from abpress.proof.numbers.pointers import apart, compared

MOST_NODES = 400
"""Operators of a value; larger ones are not followed."""

Goal = tuple[frozenset[Formula], Formula]
"""What is known, and what has to hold then."""


@dataclass
class Walk:
    """A path, or several that end at one location, executed with variables (mutable). `elements`
    and `pointers` are what was read where the address does not name one cell: reading there again
    gives the same, while nobody else moves and nothing is written that may be there."""

    holding: NumericHolding
    shared: Mapping[str, Span]
    template: str
    types: Mapping[str, Scalar]
    stand: Stand
    known: set[Formula] = field(default_factory=set)
    registers: dict[str, Expr] = field(default_factory=dict)
    cells: dict[str, Expr] = field(default_factory=dict)
    elements: dict[tuple[Expr, Scalar], tuple[frozenset[str], Expr]] = field(default_factory=dict)
    pointers: dict[tuple[Expr, Scalar], Expr] = field(default_factory=dict)
    passed: set[int] = field(default_factory=set)
    fresh: int = 0

    def __post_init__(self) -> None:
        self._memory = self.holding.memory

    def copy(self) -> Walk:
        """Another one that has come the same way."""
        return replace(
            self,
            known=set(self.known),
            registers=dict(self.registers),
            cells=dict(self.cells),
            elements=dict(self.elements),
            pointers=dict(self.pointers),
            passed=set(self.passed),
        )

    def merged(self, other: Walk) -> Walk:
        """One that has come the way of either: a new variable says which. What both walks call by
        one name need not be the same: it is that of the walk that was taken.
        NOTE(paths-together)"""
        one, two = self.copy(), other.copy()
        registers = [Reg(r, self.types[r]) for r in sorted(one.registers.keys() | two.registers)]
        values = [(r.name, one._leaf(r), two._leaf(r)) for r in registers]
        cells = sorted(one.cells.keys() | two.cells)
        contents = [(cell, one._held(cell), two._held(cell)) for cell in cells]
        found = replace(
            one,
            stand=_in_both(one.stand, two.stand),
            passed=one.passed | two.passed,
            fresh=max(one.fresh, two.fresh),
        )
        which = found._variable(INT, None)
        cases = [holds(Compare(op, which, Const(0, INT))) for op in ("!=", "==")]
        common = one.known & two.known
        found.known = common | {
            disj((neg(case), f))
            for case, walk_ in zip(cases, (one, two), strict=True)
            for f in walk_.known - common
        }
        found.registers = {name: found._either(cases, a, b) for name, a, b in values}
        found.cells = {cell: found._either(cases, a, b) for cell, a, b in contents}
        found.elements = {
            at: (
                known[0] | two.elements[at][0],
                found._either(cases, known[1], two.elements[at][1]),
            )
            for at, known in one.elements.items()
            if at in two.elements
        }
        found.pointers = {at: p for at, p in one.pointers.items() if two.pointers.get(at) == p}
        return found

    def _either(self, cases: Sequence[Formula], one: Expr, other: Expr) -> Expr:
        """The value that is the first one or the other one, as the case may be."""
        if one == other:
            return one
        found = self._variable(one.type, None)
        for case, value in zip(cases, (one, other), strict=True):
            if isinstance(one.type, IntType):
                self.known.add(disj((neg(case), holds(Compare("==", found, value)))))
        return found

    def along(self, edge: Edge) -> Iterator[Goal]:
        """Executes an edge; yields its checks, each with what is known when it is made."""
        yield from self._checked(edge.guard)
        guard = self.value(edge.guard)
        if not any(isinstance(part.type, PtrType) for part in walk(guard)):
            self.known.add(holds(guard))
        for effect in edge.effects:
            for e in effect_operands(effect):
                yield from self._checked(e)
            self._effect(effect)

    def _checked(self, e: Expr) -> Iterator[Goal]:
        goal = no_overflow(self.value(e), Overflow.ERROR)
        if goal is not TRUE:
            yield frozenset(self.known), goal
            self.known.add(goal)

    def publish(self, location: int) -> None:
        """Others may move while the thread is there: what cells hold that it does not keep is not
        known any more."""
        self.passed.add(location)
        self.cells = {cell: value for cell, value in self.cells.items() if self._kept(cell)}
        self.elements = {
            at: (cells, value)
            for at, (cells, value) in self.elements.items()
            if all(self.holding.unwritten(self.template, location, cell) for cell in cells)
        }
        self.pointers.clear()

    def _forget_elements(self) -> None:
        self.elements.clear()
        self.pointers.clear()

    def _kept(self, cell: str) -> bool:
        """Whether no other thread may have written a cell on the path."""
        return all(self.holding.keeps(self.template, i, cell) for i in self.passed)

    def value(self, e: Expr) -> Expr:
        """An expression over the variables of the path."""
        return compared(rewrite(e, self._leaf))

    def _leaf(self, e: Expr) -> Expr:
        if not isinstance(e, Reg):
            return e
        if e.name not in self.registers:
            self.registers[e.name] = e
            if e.name in self.stand.regs:
                self._bound(e, self.stand.regs[e.name])
        return self.registers[e.name]

    def _variable(self, type: IntType | PtrType, bounds: Span | None) -> Reg:
        self.fresh += 1
        variable = Reg(f"?{self.fresh} {type}", type)
        if bounds is not None:
            self._bound(variable, bounds)
        return variable

    def _bound(self, e: Reg, bounds: Span) -> None:
        if isinstance(e.type, IntType):
            low, high = max(bounds[0], e.type.minimum), min(bounds[1], e.type.maximum)
            self.known.add(holds(Compare(">=", e, Const(low, e.type))))
            self.known.add(holds(Compare("<=", e, Const(high, e.type))))

    def _effect(self, effect: Effect) -> None:
        match effect:
            case Assign(r, value):
                result = self.value(value)
                if node_count(result) > MOST_NODES:
                    result = self._variable(r.type, None)
                self.registers[r.name] = result
            case Load(r, address):
                self.registers[r.name] = self._loaded(r, address)
            case Store(address, value):
                self._store(address, value)
            case Havoc(r, _, low, high) if isinstance(r.type, IntType):
                least = r.type.minimum if low is None else low
                most = r.type.maximum if high is None else high
                self.registers[r.name] = self._variable(r.type, (least, most))
            case _:
                self._forget_elements()
                target = effect_target(effect)
                if target is not None:
                    self.registers[target.name] = self._variable(target.type, None)
                if isinstance(effect, Enter):
                    for cell, begun in self._memory.begun(self.template, effect.object).items():
                        self.cells[cell] = self._variable(self._memory.types[cell], begun)

    def _loaded(self, r: Reg, address: Expr) -> Expr:
        if not isinstance(r.type, IntType):
            key = self.value(address), r.type
            return self.pointers.setdefault(key, self._variable(r.type, None))
        access = self._memory.access(self.template, address, r.type.size)
        if not access.exact:
            return self._element(r, address, access)
        value = self._held(access.cells[0])
        return value if value.type == r.type else Convert(value, r.type)

    def _held(self, cell: str) -> Expr:
        """What a cell holds now."""
        if cell not in self.cells:
            self.cells[cell] = self._content(cell)
        return self.cells[cell]

    def _element(self, r: Reg, address: Expr, access: NumericAccess) -> Expr:
        """What an access yields that may go to one of several scalars: the same as before, if its
        address is the same, and nobody may have written there since."""
        key = self.value(address), r.type
        if not access.complete or key not in self.elements:
            value = self._any_element(r, access)
            self.elements[key] = frozenset(access.cells), value
        return self.elements[key][1]

    def _any_element(self, r: Reg, access: NumericAccess) -> Expr:
        """A number that one of several scalars may hold."""
        assert isinstance(r.type, IntType)
        spans = [self.shared.get(cell) for cell in access.cells]
        bounds = [s for s in spans if s is not None]
        own = self._memory.own[self.template]
        plain = all(cell not in own and self._memory.types[cell] == r.type for cell in access.cells)
        if not access.complete or len(bounds) < len(spans) or not bounds or not plain:
            return self._variable(r.type, None)
        held = [self.stand.cells[c] for c in access.cells if c in self.stand.cells]
        if self.cells.keys() & set(access.cells):
            return self._variable(r.type, None)
        around = [*bounds, *held]
        return self._variable(r.type, (min(s[0] for s in around), max(s[1] for s in around)))

    def _content(self, cell: str) -> Expr:
        """What a cell holds that was not written on the path since others could move."""
        own = cell in self._memory.own[self.template]
        type = self._memory.types[cell]
        if self._kept(cell) and cell in self.stand.cells:
            register = self.stand.same.get(cell)
            if register is not None and self._at_begin(register):
                copy = self._leaf(Reg(register, self.types[register]))
                if copy.type == type:
                    return copy
            return self._variable(type, self.stand.cells[cell])
        return self._variable(type, None if own else self.shared.get(cell))

    def _at_begin(self, register: str) -> bool:
        """Whether a register holds what it held where the path begins."""
        value = self.registers.get(register)
        return value is None or (isinstance(value, Reg) and value.name == register)

    def _store(self, address: Expr, value: Expr) -> None:
        access = self._memory.access(self.template, address, value.type.size)
        if isinstance(value.type, PtrType):
            at = self.value(address), value.type
            self.pointers = {other: p for other, p in self.pointers.items() if apart(other, at)}
            self.pointers[at] = self.value(value)
        elif not access.complete:
            self.pointers.clear()
        written = frozenset(access.cells)
        self.elements = {
            at: known for at, known in self.elements.items() if known[0].isdisjoint(written)
        }
        if access.exact and isinstance(value.type, IntType):
            type = self._memory.types[access.cells[0]]
            stored = self.value(value)
            self.cells[access.cells[0]] = stored if stored.type == type else Convert(stored, type)
            return
        for cell in access.cells:
            self.cells[cell] = self._variable(self._memory.types[cell], None)
        if access.complete and isinstance(value.type, IntType):
            self.elements[self.value(address), value.type] = written, self.value(value)


def _in_both(a: Stand, b: Stand) -> Stand:
    """What two threads know of where they began, in either case."""
    if a == b:
        return a
    regs, cells = (
        {name: hull((span, its[name])) or span for name, span in mine.items() if name in its}
        for mine, its in ((a.regs, b.regs), (a.cells, b.cells))
    )
    return Stand(regs, Cells(cells), {c: r for c, r in a.same.items() if b.same.get(c) == r}, {})
