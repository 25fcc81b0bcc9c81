"""Checks proved locally: along all paths that lead to an edge, from where enough is known.

A path is executed with variables for what is not known where it begins: registers and cells within
their bounds there, values of cells that others may have written within theirs. If the solver finds
no such values with which the check fails, no execution that comes along the path fails it; else all
paths that lead to its begin are tried, as long as they come by no location twice.
NOTE(elements-read-twice): what is read twice is the same where nobody can have written it.
NOTE(first-overflow): on the path before the check nothing overflows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from abpress.config import Place
from abpress.ir.expr import Compare, Const, Convert, Expr, Reg, rewrite, walk
from abpress.ir.passes.rewrite import node_count
from abpress.ir.program import (
    NO_OVERFLOW,
    Assign,
    Edge,
    Effect,
    Enter,
    Fail,
    Havoc,
    Load,
    Overflow,
    Program,
    Store,
    effect_operands,
    effect_target,
    goes_on,
)
from abpress.ir.types import IntType, PtrType, Scalar
from abpress.logic.formula import FALSE, TRUE, Formula, holds, neg, no_overflow
from abpress.modular.numbers.holding import NumericHolding
from abpress.modular.numbers.memory import NumericAccess
from abpress.proof.certificate import Rejected, Unchecked
from abpress.proof.judge import Judge
from abpress.proof.numbers.certificate import Span, Stand
from abpress.proof.numbers.pointers import apart, compared
from abpress.smt.answer import Answer

MOST_EDGES = 60
"""Edges of a path."""

MOST_PATHS = 250
"""Paths that are tried for one check."""

MOST_NODES = 400
"""Operators of a value; larger ones are not followed."""

Goal = tuple[frozenset[Formula], Formula]
"""What is known, and what has to hold then."""


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

    def _holds(self, template: str, path: Sequence[tuple[int, int]], stand: Stand) -> Answer:
        types = self._program.templates[template].registers
        # While the first thread is alone, cells that are counted later may hold anything.
        alone = self._holding.threads.is_alone(template, path[0][0])
        shared = self._uncounted if alone else self._shared
        walk_ = _BackwardWalk(self._holding, shared, template, types, stand)
        for i, k in path[:-1]:
            edge = self._edge(template, (i, k))
            for _ in walk_.along(edge):
                pass
            if not self._holding.undisturbed(template, edge.target):
                walk_.publish(edge.target)
        for known, goal in self._goals(walk_, self._edge(template, path[-1])):
            answer = self._judges[template].impossible(known, frozenset({neg(goal)}))
            if answer is not Answer.YES:
                return answer
        return Answer.YES

    def _goals(self, walk_: _BackwardWalk, last: Edge) -> Iterator[Goal]:
        """What has to hold so that the edge does not violate the property."""
        for goal in walk_.along(last):
            if self._property == NO_OVERFLOW:
                yield goal
        if any(isinstance(e, Fail) and e.property == self._property for e in last.effects):
            yield frozenset(walk_.known), FALSE


def violated_at(program: Program, property: str, place: Place) -> str:
    """The words for an edge that may violate a property."""
    template, location, k = place
    where = program.templates[template].locations[location].edges[k].position
    what = "an operation" if property == NO_OVERFLOW else "an error"
    may = "overflow" if property == NO_OVERFLOW else "be reached"
    return f"{what} at {where} may {may}"


@dataclass
class _BackwardWalk:
    """One path, executed with variables (mutable). `elements` and `pointers` are what was read
    where the address does not name one cell: reading there again gives the same, while nobody else
    moves and nothing is written that may be there."""

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
        cell = access.cells[0]
        if cell not in self.cells:
            self.cells[cell] = self._content(cell)
        value = self.cells[cell]
        return value if value.type == r.type else Convert(value, r.type)

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
