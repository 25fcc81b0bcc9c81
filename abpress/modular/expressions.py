"""The values of expressions, and what a guard that holds tells about its registers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from operator import and_, eq, ge, gt, le, lt, mul, ne, or_, sub, xor

from abpress.ir.expr import (
    MIRRORED,
    NEGATED,
    Addr,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    FuncAddr,
    PtrAdd,
    Reg,
    Unary,
)
from abpress.ir.types import SET_BITS, IntType, PtrType, Scalar
from abpress.modular.spots import Spots
from abpress.modular.state import Copied, Known
from abpress.modular.valuation import Variable
from abpress.modular.values import (
    SELF,
    AddressOf,
    Atom,
    Holds,
    Multiple,
    Number,
    OwnBit,
    Routine,
    Self,
    Thread,
    Value,
    limited,
    may_equal,
    meet,
)

_RELATIONS: Mapping[str, Callable[[int, int], bool]] = {
    "==": eq,
    "!=": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}
_ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "+": int.__add__,
    "-": sub,
    "*": mul,
    "&": and_,
    "|": or_,
    "^": xor,
}
_LEAST_ID_BITS = 32
"""Ids keep their value in integers of so many bits at least."""

_WIDE = 64
"""Bits of an integer in which the product of two of half the size does not wrap around."""

_SELF: Value = frozenset({SELF})
OWN_BIT: Value = frozenset({OwnBit(False)})
OTHER_BITS: Value = frozenset({OwnBit(True)})
_BOTH: Value = frozenset({Number(0), Number(1)})


class AtomEvaluator:
    """Evaluates expressions of a class of threads."""

    def __init__(self, spots: Spots, cls: int) -> None:
        self._spots = spots
        self._cls = cls

    def value(self, e: Expr, known: Known) -> Value:
        """What the value of `e` may be."""
        match e:
            case Const(n, _):
                return frozenset({Number(n)})
            case Reg("$tid", _):
                return frozenset({SELF})
            case Reg(name, _):
                return known.get(name)
            case Addr(name, offset, _):
                return frozenset({self._spots.address(self._spots.named(name, self._cls), offset)})
            case FuncAddr(name, _):
                return frozenset({Routine(name)})
            case Convert(arg, to):
                return _converted(self.value(arg, known), arg.type, to)
            case PtrAdd(pointer, distance):
                return _moved(self.value(pointer, known), self.value(distance, known))
            case Unary("~", Binary("<<", Const(1, _), shift)) if self._is_self(shift, known):
                return frozenset({OwnBit(True)})
            case Unary(op, arg):
                return _negated(op, self.value(arg, known), e.type)
            case Binary("<<", Const(1, _), shift) if self._is_self(shift, known):
                return frozenset({OwnBit(False)})
            case Binary("*", Convert(factor, _), Const(n, _)) if n and factor.type.bits <= 32:
                if self.value(factor, known) is None and e.type.bits >= _WIDE:
                    return frozenset({Multiple(abs(n), 0)})
                return self._arithmetic(e, known)
            case Binary():
                return self._arithmetic(e, known)
            case Compare(op, left, right):
                a, b = self.value(left, known), self.value(right, known)
                found = limited(
                    Number(int(truth))
                    for truth in (False, True)
                    if _may_hold(op if truth else NEGATED[op], a, b)
                )
                return _BOTH if found is None else found
            case _:
                return None

    def _is_self(self, shift: Expr, known: Known) -> bool:
        """Whether it says which bit of a set is the thread's own one. NOTE(bits-in-common)"""
        match shift:
            case Binary("&", id, Const(n, _)) if n == SET_BITS - 1:
                return self.value(id, known) == _SELF
            case _:
                return self.value(shift, known) == _SELF

    def _arithmetic(self, e: Binary, known: Known) -> Value:
        return _combined(e.op, self.value(e.left, known), self.value(e.right, known), e.type)

    def assumed(self, guard: Expr, known: Known) -> Known | None:
        """What is known where the guard holds; None if it cannot."""
        match guard:
            case Const(n, _):
                return known if n else None
            case Compare("!=" | "==" as op, Compare() as inner, Const(0, _)):
                if op == "!=":
                    return self.assumed(inner, known)
                return self.assumed(Compare(NEGATED[inner.op], inner.left, inner.right), known)
            case Compare(op, left, right):
                return self._related(op, left, right, known)
            case _:
                return self._related("!=", guard, Const(0, guard.type), known)

    def _related(self, op: str, left: Expr, right: Expr, known: Known) -> Known | None:
        a, b = self.value(left, known), self.value(right, known)
        if not _may_hold(op, a, b):
            return None
        changes = [
            *self._narrowed(left, op, a, b, known),
            *self._narrowed(right, MIRRORED[op], b, a, known),
        ]
        if any(value is not None and not value for _, value in changes):
            return None
        return known.refined(changes) if changes else known

    def _narrowed(
        self, side: Expr, op: str, its: Value, other: Value, known: Known
    ) -> list[tuple[Variable, Value]]:
        """What the comparison `side op other` tells about the register of a side."""
        inner = side
        while isinstance(inner, Convert) and _keeps(inner.arg.type, inner.type):
            inner = inner.arg
        if not isinstance(inner, Reg) or inner.name == "$tid":
            return []
        if its is None:
            if op != "==" or other is None:
                return []
            value: Value = other if inner is side else _unconverted(other, inner.type)
            if value is None:
                return []
        else:
            value = frozenset(a for a in its if _may_hold(op, frozenset({a}), other))
            if op == "==" and inner is side:
                value = meet(value, other)
            if inner is not side:
                value = _unconverted(value, inner.type)
        found: list[tuple[Variable, Value]] = [(inner.name, value)]
        spot = known.copies.get(inner.name)
        if spot is not None:
            found.append((spot, value))
            found += [(r, value) for r, s in known.copies.items() if s == spot]
        return found


def _unconverted(value: Value, type: Scalar) -> Value:
    """Numbers that a value-preserving conversion has left as they are."""
    if value is None or isinstance(type, PtrType):
        return value
    return frozenset(a for a in value if not isinstance(a, Number) or type.contains(a.value))


def _keeps(of: Scalar, to: Scalar) -> bool:
    """Whether the conversion changes no value."""
    if isinstance(of, IntType) and isinstance(to, IntType):
        return to.minimum <= of.minimum and of.maximum <= to.maximum
    return of == to


def _converted(value: Value, of: Scalar, to: Scalar) -> Value:
    if value is None or of == to:
        return value
    found: list[Atom] = []
    for atom in value:
        match atom:
            case Number(n):
                found.append(Number(to.wrap(n) if isinstance(to, IntType) else n))
            case Self() | Thread() if isinstance(to, IntType) and to.bits >= _LEAST_ID_BITS:
                found.append(atom)
            case Self() | Thread() if isinstance(to, PtrType):
                found.append(atom)
            case AddressOf() | Routine() if to.bits >= of.bits:
                found.append(atom)
            case Multiple() if _keeps(of, to):
                found.append(atom)
            case OwnBit() | Holds() if of.bits == to.bits:
                found.append(atom)
            case _:
                return None
    return limited(found)


def _moved(pointer: Value, distance: Value) -> Value:
    if pointer is None:
        return None
    found: list[Atom] = []
    for p, d in product(pointer, distance or (Multiple(1, 0),)):
        match p, d:
            case AddressOf(o, offset, stride, own, fresh), Number(n):
                found.append(AddressOf(o, _rest(offset + n, stride), stride, own, fresh))
            case AddressOf(o, offset, stride, own, fresh), Multiple(s, r):
                step = _common(s, stride)
                found.append(AddressOf(o, _rest(offset + r, step), step, own, fresh))
            case Number(p0), Number(n):
                found.append(Number(p0 + n))
            case AddressOf(o, _, _, own, fresh), _:
                found.append(AddressOf(o, 0, 1, own, fresh))
            case _:
                return None
    return limited(found)


def _rest(offset: int, stride: int) -> int:
    return offset % stride if stride else offset


def _common(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return abs(a)


def _negated(op: str, value: Value, type: Scalar) -> Value:
    if value is None or not isinstance(type, IntType):
        return None
    found: list[Atom] = []
    for atom in value:
        match atom:
            case Number(n):
                found.append(Number(type.wrap(-n if op == "-" else ~n)))
            case OwnBit(complement) if op == "~":
                found.append(OwnBit(not complement))
            case _:
                return None
    return limited(found)


def _combined(op: str, a: Value, b: Value, type: Scalar) -> Value:
    if not isinstance(type, IntType):
        return None
    if a is None or b is None:
        return _scaled(op, a, b, type)
    found: list[Atom] = []
    for x, y in product(a, b):
        match x, y:
            case Number(m), Number(n):
                result = _computed(op, m, n, type)
                if result is None:
                    return None
                found.append(Number(result))
            case (OwnBit(False), Number(0)) | (Number(0), OwnBit(False)) if op == "&":
                found.append(Number(0))
            case (OwnBit(False), Holds(True)) | (Holds(True), OwnBit(False)) if op == "&":
                found.append(OwnBit(False))
            case (OwnBit(False), Holds(False)) | (Holds(False), OwnBit(False)) if op == "&":
                found.append(Number(0))
            case (OwnBit(False), old) | (old, OwnBit(False)) if op == "|":
                found.append(Holds(True, _has_begun(old)))
            case (OwnBit(True), old) | (old, OwnBit(True)) if op == "&":
                found.append(Holds(False, _has_begun(old)))
            case _:
                return _scaled(op, a, b, type)
    return limited(found)


def _has_begun(bits: Atom) -> bool:
    """Whether only bits of threads that have begun are set, NOTE(bits-of-threads)."""
    match bits:
        case Number(0) | OwnBit(False) | Holds(_, True):
            return True
        case _:
            return False


def _scaled(op: str, a: Value, b: Value, type: IntType) -> Value:
    """What is known of a result though one operand is arbitrary.

    What wraps around is no multiple of the factor any more, unless that is a power of 2.
    """
    match op, a, b:
        case ("|", None, _) if b == OWN_BIT:
            return frozenset({Holds(True)})
        case ("|", _, None) if a == OWN_BIT:
            return frozenset({Holds(True)})
        case ("&", None, _) if b == OTHER_BITS:
            return frozenset({Holds(False)})
        case _:
            pass
    if op == "*":
        for factor in (a, b):
            if factor is not None and len(factor) == 1:
                (atom,) = factor
                if isinstance(atom, Number) and atom.value > 0 and not atom.value & atom.value - 1:
                    return frozenset({Multiple(atom.value, 0)})
    return None


def _computed(op: str, m: int, n: int, type: IntType) -> int | None:
    if op in _ARITHMETIC:
        return type.wrap(_ARITHMETIC[op](m, n))
    if op in "/%" and n != 0:
        quotient = abs(m) // abs(n) * (1 if (m < 0) == (n < 0) else -1)
        return type.wrap(quotient if op == "/" else m - n * quotient)
    if op == "<<" and 0 <= n < type.bits:
        return type.wrap(m << n)
    if op == ">>" and 0 <= n < type.bits:
        return type.wrap(m >> n)
    return None


def _may_hold(op: str, a: Value, b: Value) -> bool:
    if a is None or b is None:
        # Everything is possible but for one thing: nothing is in an empty set.
        return (a is None or bool(a)) and (b is None or bool(b))
    if op == "==":
        return any(may_equal(x, y) for x, y in product(a, b))
    if op == "!=":
        return any(_may_differ(x, y) for x, y in product(a, b))
    for x, y in product(a, b):
        if not (isinstance(x, Number) and isinstance(y, Number)):
            return True
        if _RELATIONS[op](x.value, y.value):
            return True
    return False


def _may_differ(x: Atom, y: Atom) -> bool:
    match x, y:
        case (Number(), Number()) | (Self(), Self()) | (Routine(), Routine()):
            return x != y
        case AddressOf(o, m, 0, True), AddressOf(p, n, 0, True):
            return o != p or m != n or o.kind == "heap"
        case _:
            return True


def copied(e: Expr, known: Known) -> Copied | None:
    """The cell whose content `e` is, if it is known."""
    while isinstance(e, Convert) and e.arg.type == e.type:
        e = e.arg
    return known.copies.get(e.name) if isinstance(e, Reg) else None
