"""One edge, executed with variables: what has to be proved for it. NOTE(valid-accesses)

Formulas are about what registers and cells hold before the edge, and numbers of which nothing is
known. Pointers are places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from abpress.ir.expr import (
    Addr,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    FuncAddr,
    PtrAdd,
    PtrDiff,
    Reg,
    Unary,
    rewrite,
    walk,
)
from abpress.ir.passes.rewrite import node_count
from abpress.ir.types import INDEX, IntType, PtrType, Scalar
from abpress.logic.formula import FALSE, TRUE, Formula, conj, disj, holds, neg, no_overflow
from abpress.modular.bounds.members import register_of, site_of
from abpress.modular.bounds.memory import AccessMemory
from abpress.modular.bounds.number_members import Written
from abpress.modular.bounds.places import (
    COUNT,
    INDEX_OF,
    NOWHERE,
    NULL,
    carried,
    count_of,
    index_of,
    indexed_by,
    is_null,
    number_carried,
    plain,
)
from abpress.modular.handed import read_as
from abpress.proof.bounds.certificate import BoundsStand, Difference, Places, Rest, Span, Wrapped
from abpress.proof.bounds.terms import (
    NOT_MOVED,
    Pointed,
    among,
    between,
    converted,
    divided,
    is_offset,
    leads_nowhere,
    multiple,
    offset_in,
    sum_of,
    wide_type,
)

MOST_NODES = 200
"""Operators of a value; larger ones are not followed."""


@dataclass
class EdgeWalk:
    """An edge (mutable): from a stand of a template at a location."""

    memory: AccessMemory
    template: str
    location: int
    types: Mapping[str, Scalar]
    always: Mapping[str, Span | Places]
    rests: Sequence[Rest]
    wraps: bool
    known: set[Formula] = field(default_factory=set)
    values: dict[str, Expr] = field(default_factory=dict)
    pointers: dict[str, Pointed] = field(default_factory=dict)
    unshared: set[str] = field(default_factory=set)
    same: dict[str, str] = field(default_factory=dict)
    written: Written = frozenset()
    impossible: bool = False
    fresh: int = 0

    def begin(self, stand: BoundsStand) -> None:
        """Takes what is known where the edge begins."""
        for name, value in stand.flags.items():
            type = self.types[name]
            assert isinstance(type, IntType)
            self.values[name] = Const(type.wrap(value), type)
        self.pointers |= {name: (places, NOT_MOVED) for name, places in stand.pointers.items()}
        for register in filter(None, map(indexed_by, sorted(stand.numbers()))):
            self._begin_index(register)
        self.unshared, self.same = set(stand.fresh), dict(stand.same)
        self.known.update(self.difference(d) for d in stand.differences)
        self.known.update(self.rest(its) for its in stand.rests)
        self.known.update(map(self.wrapped, stand.wrapped))
        if not self.memory.is_alone(self.template, self.location):
            for cell, content in self.always.items():
                is_value = cell in self.memory.cells and not cell.endswith("@count")
                if isinstance(content, tuple) and is_value:
                    self.known.update(between(Reg(cell, self.types[cell]), content))
            self.known.update(
                multiple(Reg(cell, self.types[cell]), m, r) for cell, m, r in self.rests
            )

    def _begin_index(self, register: str) -> None:
        """A pointer is so many steps behind the begin of its object. NOTE(indexed-pointers)"""
        places, _ = self.pointers[register]
        assert not leads_nowhere(places)
        if offset_in(places) is None:
            steps = converted(Reg(index_of(register), INDEX_OF), INDEX)
            at = Binary("*", steps, Const(self._size(register), INDEX))
            span = min(low for _, low, _ in places), max(high for *_, high in places)
            self.known.update(between(at, span))
            self.pointers[register] = frozenset((o, 0, 0) for o, *_ in places), at

    # -- values ---------------------------------------------------------------------------------

    def variable(self, type: Scalar) -> Reg:
        """A number of which nothing is known."""
        self.fresh += 1
        return Reg(f"?{self.fresh} {type}", type)

    def value(self, e: Expr) -> Expr:
        """The value of an integer expression now."""
        e = self._with_distances(e)
        if not all(map(_is_followed, walk(e))):
            return self.variable(e.type)
        found = rewrite(e, lambda x: self.values.get(x.name, x) if isinstance(x, Reg) else x)
        return self.variable(e.type) if node_count(found) > MOST_NODES else found

    def number_in(self, e: Expr) -> Expr | None:
        """The number that a pointer is, if it is known not to be an address."""
        return number_carried(e, self.types)

    def _with_distances(self, e: Expr) -> Expr:
        """The expression with distances of pointers, and pointers that are numbers, as numbers."""
        match e:
            case PtrDiff():
                return self._distance_of(e)
            case Convert(arg, IntType() as type) if isinstance(arg.type, PtrType):
                its = self.number_in(arg)
                return e if its is None else self._with_distances(read_as(its, arg.type, type))
            case Unary(op, a):
                return Unary(op, self._with_distances(a))
            case Convert(a, type):
                return Convert(self._with_distances(a), type)
            case Binary(op, a, b):
                return Binary(op, self._with_distances(a), self._with_distances(b))
            case Compare(op, a, b):
                return Compare(op, self._with_distances(a), self._with_distances(b))
            case _:
                return e

    def _distance_of(self, e: PtrDiff) -> Expr:
        """The distance of two pointers, which are to one object; else behaviour is undefined."""
        found = self.variable(e.type)
        left, right = self.offset(self.address(e.left)), self.offset(self.address(e.right))
        if left is not None and right is not None:
            by = converted(Binary("-", left, right), e.type)
            exact = conj((is_offset(left), is_offset(right)))
            self.known.add(disj((neg(exact), holds(Compare("==", found, by)))))
        return found

    def evaluate(self, e: Expr) -> Expr:
        """The value of an integer expression; if signed arithmetic overflows, the thread ends."""
        found = self.value(e)
        if not self.wraps:
            self.known.add(no_overflow(found))
        return found

    def difference(self, d: Difference) -> Formula:
        """What a difference says now."""
        x, y, c = d
        if not all(self._is_there(name) for name in (x, y)):
            return FALSE
        type = wide_type(*(self.types[plain(name)] for name in (x, y) if name))
        if not x:
            return holds(Compare(">=", self._in(type, y), Const(-c, type)))
        left = self._in(type, x)
        if not y:
            return holds(Compare("<=", left, Const(c, type)))
        return holds(Compare("<=", left, Binary("+", self._in(type, y), Const(c, type))))

    def rest(self, of: Rest) -> Formula:
        """What a rest says now."""
        name, modulus, its = of
        type = self.types[name]
        if not self._is_there(name) or not isinstance(type, IntType):
            return FALSE
        return multiple(self._in(INDEX if indexed_by(name) else type, name), modulus, its)

    def wrapped(self, of: Wrapped) -> Formula:
        """What is said now of a sum that may have wrapped around."""
        (x, y, c), type = of, self.types[of[0]]
        assert isinstance(type, IntType) and not type.signed
        one, other = (self.values.get(name, Reg(name, type)) for name in (x, y))
        return holds(Compare("==", one, Binary("+", other, Const(type.wrap(c), type))))

    def flag(self, name: str, value: int) -> Formula:
        """That a register holds a number now."""
        type = self.types[name]
        assert isinstance(type, IntType)
        e = self.values.get(name, Reg(name, type))
        return holds(Compare("==", e, Const(type.wrap(value), type)))

    def _in(self, type: IntType, name: str) -> Expr:
        register = indexed_by(name)
        if name != plain(name):
            return Unary("-", self._in(type, plain(name)))
        if register is None:
            return converted(self.values.get(name, Reg(name, self.types[name])), type)
        at = self.offset(self.pointers.get(register))
        assert at is not None
        return converted(divided(at, self._size(register)), type)

    # -- steps of pointers ----------------------------------------------------------------------

    def _size(self, register: str) -> int:
        return self.memory.indexed[self.template][register]

    def _is_there(self, name: str) -> bool:
        register = indexed_by(name)
        return register is None or self.offset(self.pointers.get(register)) is not None

    def offset(self, pointed: Pointed | None) -> Expr | None:
        """The offset of a pointer in its object, where that is the same in whichever it is."""
        at = None if pointed is None else offset_in(pointed[0])
        return None if at is None or pointed is None else sum_of(pointed[1], Const(at, INDEX))

    def index(self, register: str) -> Formula:
        """That a pointer is behind the begin of an object by some number of steps."""
        at = self.offset(self.pointers.get(register))
        if at is None:
            return FALSE
        return conj((is_offset(at), multiple(at, self._size(register), 0)))

    # -- conditions -----------------------------------------------------------------------------

    def suppose(self, guard: Expr) -> None:
        """The guard holds."""
        guard = self._with_distances(guard)
        if all(map(_is_followed, walk(guard))):
            self.known.add(holds(self.evaluate(guard)))
            return
        if isinstance(guard, Compare) and isinstance(guard.left.type, PtrType):
            a, b = guard.left, guard.right
            self._suppose_order(guard.op, self.address(a), self.address(b))
            for x, y in ((a, b), (b, a)):
                if is_null(y) and guard.op in ("==", "!="):
                    self._suppose_null(x, guard.op == "==")

    def _suppose_order(self, op: str, a: Pointed | None, b: Pointed | None) -> None:
        """Two pointers to one object compare as their offsets do."""
        left, right = self.offset(a), self.offset(b)
        if a is None or b is None or left is None or right is None:
            return
        objects = {object for places, _ in (a, b) for object, *_ in places}
        if len(objects) == 1 and self.memory.is_one_object(*objects):
            exact = conj((is_offset(left), is_offset(right)))
            self.known.add(disj((neg(exact), holds(Compare(op, left, right)))))

    def _suppose_null(self, e: Expr, null: bool) -> None:
        pointed = self.address(e)
        if pointed is None or pointed[1] != NOT_MOVED:
            return
        kept = frozenset(p for p in pointed[0] if (p[0] == NULL) is null)
        if not kept:
            self.impossible = True
        elif isinstance(e, Reg):
            self.pointers[e.name] = kept, NOT_MOVED
            if e.name in self.same:
                self.pointers[self.same[e.name]] = kept, NOT_MOVED

    # -- pointers -------------------------------------------------------------------------------

    def forget_behind(self, name: str) -> None:
        """Forgets what is behind where a register points."""
        self.pointers.pop(name, None)
        self.same = {r: n for r, n in self.same.items() if n != name}

    def overwritten(self, name: str) -> None:
        """A register gets another value."""
        self.same.pop(name, None)
        if carried(name) in self.types:
            self.values[carried(name)] = self.variable(self.types[carried(name)])
        for behind in [n for n in (*self.pointers, *self.same.values()) if register_of(n) == name]:
            self.forget_behind(behind)

    def address(self, e: Expr) -> Pointed | None:
        """Where an address points; None if that is not known."""
        match e:
            case Reg(name, _):
                return self.pointers.get(name)
            case Addr() | FuncAddr():
                place = self.memory.objects.address(self.template, self.location, e)
                return None if place is None else (frozenset({place}), NOT_MOVED)
            case PtrAdd(p, distance):
                pointed = self.address(p)
                if pointed is None or any(o == NULL for o, *_ in pointed[0]):
                    return None
                return pointed[0], sum_of(pointed[1], self._distance(distance, e.type))
            case _ if is_null(e):
                return frozenset({NOWHERE}), NOT_MOVED
            case _:
                return None

    def _distance(self, e: Expr, pointer: Scalar) -> Expr:
        """By how much a pointer is moved: a large unsigned distance counts as a negative one."""
        by = self.evaluate(e)
        if isinstance(by.type, IntType) and not by.type.signed:
            by = Convert(by, IntType(8 * pointer.size, True))
        if isinstance(by, Convert) and isinstance(by.arg, Const) and isinstance(by.type, IntType):
            by = Const(by.type.wrap(by.arg.value), by.type)
        return Const(by.value, INDEX) if isinstance(by, Const) else converted(by, INDEX)

    def among(self, name: str, places: Places) -> Formula:
        """The formula that a register or cell points to one of these places."""
        if (site := site_of(name)) is not None and site not in self.unshared:
            return TRUE
        pointed = self.pointers.get(name)
        return FALSE if pointed is None else among(pointed, places)

    # -- accesses -------------------------------------------------------------------------------

    def access(self, address: Expr, size: int, writes: bool) -> Formula:
        """The formula that an access is valid."""
        pointed = self.address(address)
        if not pointed:
            return FALSE
        places, moved = pointed
        return conj(self._within(place, moved, size, writes) for place in sorted(places))

    def _within(self, place: tuple[str, int, int], moved: Expr, size: int, writes: bool) -> Formula:
        object, low, high = place
        layout = self.memory.objects.layout(object)
        if layout is None or not self.memory.objects.lives(self.template, self.location, object):
            return FALSE
        if writes and self.memory.objects.is_readonly(object):
            return FALSE
        begin = sum_of(moved, Const(low, INDEX))
        end = sum_of(moved, Const(high + size, INDEX))
        whole: Expr = Const(layout.size, INDEX)
        if self.memory.objects.on_heap(object):
            whole = Binary("*", whole, converted(self._count(object), INDEX))
        return conj(
            (
                no_overflow(begin),
                no_overflow(end),
                no_overflow(whole),
                holds(Compare(">=", begin, Const(0, INDEX))),
                holds(Compare("<=", end, whole)),
            )
        )

    def _count(self, object: str) -> Expr:
        """The number of elements of an object, or one that is not greater."""
        count = count_of(object)
        held = self.memory.holds(self.template, self.location, count)
        found = self.values.get(count, Reg(count, COUNT)) if held else self.variable(COUNT)
        least = self.always.get(count)
        if isinstance(least, tuple):
            self.known.add(holds(Compare(">=", converted(found, INDEX), Const(least[0], INDEX))))
        return found


def _is_followed(e: Expr) -> bool:
    """Whether it is a number that solvers are asked about: no pointer, and no set of threads."""
    return isinstance(e.type, IntType) and e.type.bits <= INDEX.bits
