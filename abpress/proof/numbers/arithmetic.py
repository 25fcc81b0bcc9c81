"""The checker's own arithmetic of bounds: values of expressions, conditions, sums of cells."""

from __future__ import annotations

from dataclasses import dataclass, field

from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg, Unary, children
from abpress.ir.types import IntType
from abpress.modular.handed import number_among, read_as
from abpress.modular.numbers.cells import Cells
from abpress.proof.numbers.certificate import Span, Sum

_EXCHANGED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_DENIED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


class Impossible(Exception):
    """No state is like that."""


@dataclass(slots=True)
class KnownNumbers:
    """What is known while an edge is taken (mutable). `unsafe` are operations that may overflow."""

    regs: dict[str, Span]
    cells: Cells
    same: dict[str, str]
    sums: dict[str, Sum]
    unsafe: list[Expr] = field(default_factory=list)


def whole(type: IntType) -> Span:
    """All values of a type."""
    return type.minimum, type.maximum


def inside(a: Span, b: Span) -> bool:
    """Whether all of `a` is in `b`."""
    return b[0] <= a[0] and a[1] <= b[1]


def joined(a: Span, b: Span) -> Span:
    """All numbers between those of both."""
    return min(a[0], b[0]), max(a[1], b[1])


def met(a: Span, b: Span) -> Span:
    """The numbers in both. Raises Impossible if there are none."""
    low, high = max(a[0], b[0]), min(a[1], b[1])
    if low > high:
        raise Impossible
    return low, high


def span(e: Expr, known: KnownNumbers) -> Span | None:
    """The values of an integer expression; None for pointers."""
    type = e.type
    if not isinstance(type, IntType):
        for child in children(e):
            span(child, known)
        return None
    match e:
        case Const(n, _):
            return n, n
        case Reg(name, _):
            return known.regs.get(name, whole(type))
        case Compare():
            return _truth(e, known)
        case Convert(arg, _):
            a = span(arg, known)
            return _read(arg, type, known) if a is None else _wrapped(a, type)
        case Unary("-", arg):
            a = span(arg, known)
            return _result(e, type, None if a is None else (-a[1], -a[0]), known)
        case Unary("~", arg):
            a = span(arg, known)
            ends = (
                None
                if a is None
                else (type.minimum + type.maximum - a[1], type.minimum + type.maximum - a[0])
            )
            return whole(type) if ends is None else _wrapped(ends, type)
        case Binary(op, left, right):
            return _operation(e, op, type, span(left, known), span(right, known), known)
        case _:
            for child in children(e):
                span(child, known)
            return whole(type)


def handed(pointer: Expr, known: KnownNumbers) -> Span | None:
    """The numbers that a pointer may be; None if it may be an address. NOTE(handed-numbers)"""
    number = number_among(pointer, known.regs)
    return None if number is None else span(number, known)


def _read(pointer: Expr, type: IntType, known: KnownNumbers) -> Span | None:
    """The values of a pointer as an integer of a type."""
    number = number_among(pointer, known.regs)
    return whole(type) if number is None else span(read_as(number, pointer.type, type), known)


def _truth(e: Compare, known: KnownNumbers) -> Span:
    a, b = span(e.left, known), span(e.right, known)
    if a is None or b is None:
        return 0, 1
    match e.op:
        case "<":
            always, never = a[1] < b[0], a[0] >= b[1]
        case "<=":
            always, never = a[1] <= b[0], a[0] > b[1]
        case ">":
            always, never = a[0] > b[1], a[1] <= b[0]
        case ">=":
            always, never = a[0] >= b[1], a[1] < b[0]
        case "==":
            always, never = a[0] == a[1] == b[0] == b[1], a[1] < b[0] or b[1] < a[0]
        case _:
            never, always = a[0] == a[1] == b[0] == b[1], a[1] < b[0] or b[1] < a[0]
    return int(always), int(not never)


def _wrapped(a: Span, type: IntType) -> Span:
    """The values modulo the size of the type."""
    size = 1 << type.bits
    first, last = (a[0] - type.minimum) // size, (a[1] - type.minimum) // size
    if first != last:
        return whole(type)
    return a[0] - first * size, a[1] - first * size


def _result(e: Expr, type: IntType, exact: Span | None, known: KnownNumbers) -> Span:
    """The result of an operation that may overflow, where it does not."""
    if exact is None:
        if type.signed:
            known.unsafe.append(e)
        return whole(type)
    if inside(exact, whole(type)):
        return exact
    if not type.signed:
        return _wrapped(exact, type)
    known.unsafe.append(e)
    low, high = max(exact[0], type.minimum), min(exact[1], type.maximum)
    return (low, high) if low <= high else whole(type)


def _operation(
    e: Binary, op: str, type: IntType, a: Span | None, b: Span | None, known: KnownNumbers
) -> Span:
    if a is None or b is None:
        return _result(e, type, None, known)
    if op in ("+", "-", "*"):
        ends = [x + y if op == "+" else x - y if op == "-" else x * y for x in a for y in b]
        return _result(e, type, (min(ends), max(ends)), known)
    if op in ("/", "%"):
        return _division(e, op, type, a, b, known)
    if op in ("<<", ">>"):
        low, high = max(b[0], 0), min(b[1], type.bits - 1)
        if low > high:
            return whole(type)  # it is a fault
        if op == ">>":
            ends = [x // 2**n for x in a for n in (low, high)]
            return min(ends), max(ends)
        ends = [x * 2**n for x in a for n in (low, high)]
        if type.signed and max(ends) > type.maximum:
            known.unsafe.append(e)
        exact = min(ends), max(ends)
        return exact if inside(exact, whole(type)) else whole(type)
    positive = [v for v in (a, b) if v[0] >= 0]
    if op == "&" and positive:
        return 0, min(v[1] for v in positive)
    if op in ("|", "^") and len(positive) == 2:
        return 0, 2 ** max(a[1].bit_length(), b[1].bit_length()) - 1
    return whole(type)


def _division(e: Binary, op: str, type: IntType, a: Span, b: Span, known: KnownNumbers) -> Span:
    if type.signed and a[0] == type.minimum and b[0] <= -1 <= b[1]:
        known.unsafe.append(e)
    if op == "%":
        largest = max(abs(b[0]), abs(b[1]), 1) - 1
        return max(-largest, min(a[0], 0)), min(largest, max(a[1], 0))
    ends = []
    for y in {b[0], b[1], 1, -1}:
        if y != 0 and b[0] <= y <= b[1]:
            for x in a:
                quotient = abs(x) // abs(y)
                ends.append(quotient if (x < 0) == (y < 0) else -quotient)
    if a[0] <= 0 <= a[1] or not ends:
        ends.append(0)
    low, high = max(min(ends), type.minimum), min(max(ends), type.maximum)
    return low, high


# -- conditions -----------------------------------------------------------------------------------


def suppose(e: Expr, known: KnownNumbers) -> None:
    """Adds that the expression is not 0. Raises Impossible where that cannot be."""
    match e:
        case Const(n, _):
            if n == 0:
                raise Impossible
        case Compare("==", Compare(op, a, b), Const(0, _)):
            suppose(Compare(_DENIED[op], a, b), known)
        case Compare("!=", Compare() as inner, Const(0, _)):
            suppose(inner, known)
        case Compare(op, left, right):
            x, y = span(left, known), span(right, known)
            if x is not None and y is not None:
                restrict(left, _satisfying(op, x, y), known)
                restrict(right, _satisfying(_EXCHANGED[op], y, x), known)
        case Binary("&", Compare() as left, Compare() as right):
            suppose(left, known)
            suppose(right, known)
        case _:
            x = span(e, known)
            if x is not None:
                restrict(e, _satisfying("!=", x, (0, 0)), known)


def _satisfying(op: str, a: Span, b: Span) -> Span:
    low, high = a
    if op == "<":
        high = min(high, b[1] - 1)
    elif op == "<=":
        high = min(high, b[1])
    elif op == ">":
        low = max(low, b[0] + 1)
    elif op == ">=":
        low = max(low, b[0])
    elif op == "==":
        low, high = max(low, b[0]), min(high, b[1])
    elif b[0] == b[1]:
        if low == b[0]:
            low += 1
        if high == b[0]:
            high -= 1
    if low > high:
        raise Impossible
    return low, high


def restrict(e: Expr, to: Span, known: KnownNumbers) -> None:
    """Adds that the value of `e` is in a span. Raises Impossible where that cannot be."""
    match e:
        case Reg(name, IntType() as type):
            now = met(known.regs.get(name, whole(type)), to)
            known.regs[name] = now
            for cell, register in known.same.items():
                if register == name and cell in known.cells:
                    known.cells[cell] = now
        case Convert(arg, IntType() as type):
            a = span(arg, known)
            if a is not None and inside(a, whole(type)):
                restrict(arg, to, known)
        case Binary("+" | "-" as op, arg, Const(c, _)):
            a, by = span(arg, known), c if op == "+" else -c
            of = e.type
            if a is None or not isinstance(of, IntType):
                return
            if of.signed or inside((a[0] + by, a[1] + by), whole(of)):
                restrict(arg, (to[0] - by, to[1] - by), known)
        case _:
            pass


# -- sums of earlier values of cells --------------------------------------------------------------


def sum_of(e: Expr, known: KnownNumbers) -> Sum | None:
    """The expression as a sum; None where it is none, or may wrap around."""
    type = e.type
    value = span(e, known)
    if value is None or not isinstance(type, IntType):
        return None
    match e:
        case Reg(name, _) if name in known.sums:
            return known.sums[name]
        case Convert(arg, _):
            a = span(arg, known)
            return sum_of(arg, known) if a is not None and inside(a, whole(type)) else None
        case Unary("-", arg) if type.signed:
            return _multiplied(sum_of(arg, known), -1)
        case Binary("+" | "-" as op, left, right):
            a, b = span(left, known), span(right, known)
            if a is None or b is None:
                return None
            ends = (a[0] + b[0], a[1] + b[1]) if op == "+" else (a[0] - b[1], a[1] - b[0])
            if not type.signed and not inside(ends, whole(type)):
                return None
            x = sum_of(left, known) or ((), *a)
            y = _multiplied(sum_of(right, known) or ((), *b), 1 if op == "+" else -1)
            return None if y is None else _added(x, y)
        case Binary("*", left, right) if type.signed:
            for one, other in ((left, right), (right, left)):
                if isinstance(other, Const):
                    return _multiplied(sum_of(one, known), other.value)
            return None
        case _:
            return None


def _multiplied(a: Sum | None, by: int) -> Sum | None:
    if a is None:
        return None
    ends = sorted((a[1] * by, a[2] * by))
    return tuple((cell, factor * by) for cell, factor in a[0] if by), ends[0], ends[1]


def _added(a: Sum, b: Sum) -> Sum | None:
    factors = dict(a[0])
    for cell, factor in b[0]:
        if factors.get(cell, 0) * factor < 0:
            return None  # two earlier values of one cell need not be the same
        factors[cell] = factors.get(cell, 0) + factor
    return tuple(sorted(factors.items())), a[1] + b[1], a[2] + b[2]


# -- registers -------------------------------------------------------------------------------------


def assign(r: Reg, value: Expr, known: KnownNumbers) -> None:
    """A register gets the value of an expression."""
    if value == r:
        return
    is_number = isinstance(r.type, IntType)
    found = span(value, known) if is_number else handed(value, known)
    added = sum_of(value, known)
    copied = [c for c, s in known.same.items() if isinstance(value, Reg) and s == value.name]
    forget(r.name, known)
    if found is not None:
        known.regs[r.name] = found
    if added is not None and added[0]:
        known.sums[r.name] = added
    known.same.update((cell, r.name) for cell in copied)


def forget(register: str, known: KnownNumbers) -> None:
    """Nothing is known of a register any more."""
    known.regs.pop(register, None)
    known.sums.pop(register, None)
    for cell in [c for c, r in known.same.items() if r == register]:
        del known.same[cell]
