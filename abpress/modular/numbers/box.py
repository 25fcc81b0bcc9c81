"""What is known where a thread stands, in numbers: a box, and how expressions are evaluated in it.

A box gives registers and cells intervals. A cell in `same` holds what a register holds. A register
with a *form* holds a sum of multiples of what cells held at some earlier times (each of them at a
time of its own), plus a number between bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from abpress.ir.bounds import scalar_bounds
from abpress.ir.expr import (
    MIRRORED,
    NEGATED,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Reg,
    Unary,
    children,
)
from abpress.ir.intervals import Interval, around, combined, negative, satisfying, within
from abpress.ir.types import IntType
from abpress.modular.handed import number_among, read_as
from abpress.modular.numbers.cells import Cells

MOST_TERMS = 4
"""Cells in a form."""


@dataclass(frozen=True, slots=True)
class Form:
    """The sum of `factor` times an earlier value of a cell, plus a number from `low` to `high`."""

    terms: tuple[tuple[str, int], ...]
    low: int
    high: int


@dataclass(slots=True)
class Box:
    """Mutable. A register that is left out has any value of its type. One with a pointer that is
    not left out holds no address, but a number. NOTE(handed-numbers)"""

    regs: dict[str, Interval] = field(default_factory=dict)
    cells: Cells = field(default_factory=Cells)
    same: dict[str, str] = field(default_factory=dict)
    forms: dict[str, Form] = field(default_factory=dict)

    def copy(self) -> Box:
        """Another one that says the same."""
        return Box(dict(self.regs), self.cells.copy(), dict(self.same), dict(self.forms))

    def assign(self, register: str, value: Interval | None, form: Form | None) -> None:
        """Gives a register a value."""
        self.forget(register)
        if value is not None:
            self.regs[register] = value
        if form is not None:
            self.forms[register] = form

    def forget(self, register: str) -> None:
        """Forgets what a register holds."""
        self.regs.pop(register, None)
        self.forms.pop(register, None)
        if register in self.same.values():
            self.same = {c: r for c, r in self.same.items() if r != register}

    def refine(self, register: str, value: Interval) -> None:
        """Notes that a register has one of these values, and so all that holds the same."""
        self.regs[register] = value
        for cell, other in self.same.items():
            if other == register and cell in self.cells:
                self.cells[cell] = value


Report = Callable[[Expr], None]
"""Told of signed operations that may overflow."""


def _quiet(_: Expr) -> None:
    pass


def value_of(e: Expr, box: Box, report: Report = _quiet) -> Interval | None:
    """The values of an expression, if it is an integer, where it does not overflow before.

    Signed operations that may overflow are reported; their values are those of the type.
    """
    type = e.type
    match e:
        case Const(n, _):
            return (n, n) if isinstance(type, IntType) else None
        case Reg(name, _):
            if not isinstance(type, IntType):
                return None
            return box.regs.get(name, (type.minimum, type.maximum))
        case Compare(op, left, right):
            return _compared(op, value_of(left, box, report), value_of(right, box, report))
        case Convert(arg, _):
            inner = value_of(arg, box, report)
            if not isinstance(type, IntType):
                return None
            if inner is None:
                return _read(arg, type, box)
            return converted(inner, type)
        case Unary(op, arg):
            a = value_of(arg, box, report)
            assert isinstance(type, IntType)
            if a is None:
                return type.minimum, type.maximum
            exact = negative(a) if op == "-" else exact_bounds_of_complement(a, type)
            return _fitted(e, exact, type, report, op == "-")
        case Binary(op, left, right):
            a, b = value_of(left, box, report), value_of(right, box, report)
            assert isinstance(type, IntType)
            if a is None or b is None:
                report(e)
                return type.minimum, type.maximum
            return _binary(e, op, a, b, type, report)
        case _:
            for child in children(e):
                value_of(child, box, report)
            return (type.minimum, type.maximum) if isinstance(type, IntType) else None


def number_of(pointer: Expr, box: Box) -> Interval | None:
    """The numbers that a pointer may be, if it is no address."""
    number = number_among(pointer, box.regs)
    return None if number is None else value_of(number, box)


def _read(pointer: Expr, type: IntType, box: Box) -> Interval | None:
    """The values of a pointer as an integer of a type."""
    number = number_among(pointer, box.regs)
    if number is None:
        return type.minimum, type.maximum
    return value_of(read_as(number, pointer.type, type), box)


def converted(a: Interval, type: IntType) -> Interval:
    """The values of a type that are equal to one of `a` modulo its size."""
    full = type.minimum, type.maximum
    if within(a, full):
        return a
    if a[1] - a[0] >= 1 << type.bits:
        return full
    low, high = type.wrap(a[0]), type.wrap(a[1])
    return (low, high) if low <= high else full


def exact_bounds_of_complement(a: Interval, type: IntType) -> Interval:
    """The values of `~x`."""
    return type.minimum + type.maximum - a[1], type.minimum + type.maximum - a[0]


def _compared(op: str, a: Interval | None, b: Interval | None) -> Interval:
    if a is None or b is None:
        return 0, 1
    if satisfying_exactly(op, a, b) is None:
        return 0, 0
    if satisfying_exactly(NEGATED[op], a, b) is None:
        return 1, 1
    return 0, 1


def satisfying_exactly(op: str, a: Interval, b: Interval) -> Interval | None:
    """As `satisfying`, and `!=` cuts off the ends of `a` that a single number is."""
    if op == "!=" and b[0] == b[1]:
        low, high = a
        low += low == b[0]
        high -= high == b[0]
        return (low, high) if low <= high else None
    return satisfying(op, a, b)


def _fitted(e: Expr, exact: Interval, type: IntType, report: Report, checked: bool) -> Interval:
    full = type.minimum, type.maximum
    if within(exact, full):
        return exact
    if not type.signed or not checked:
        return converted(exact, type)
    report(e)
    low, high = max(exact[0], full[0]), min(exact[1], full[1])
    return (low, high) if low <= high else full


def _binary(
    e: Binary, op: str, a: Interval, b: Interval, type: IntType, report: Report
) -> Interval:
    match op:
        case "+" | "-" | "*":
            return _fitted(e, combined(op, a, b), type, report, True)
        case "/":
            return _fitted(e, _quotient(a, b), type, report, True)
        case "%":
            if type.signed and a[0] == type.minimum and b[0] <= -1 <= b[1]:
                report(e)
            most = max(abs(b[0]), abs(b[1]), 1) - 1
            return max(min(a[0], 0), -most), min(max(a[1], 0), most)
        case "<<":
            amounts = max(b[0], 0), min(b[1], type.bits - 1)
            if amounts[0] > amounts[1]:
                return type.minimum, type.maximum
            exact = around(x << y for x in a for y in amounts)
            if type.signed and exact[1] > type.maximum:
                report(e)
            return exact if within(exact, (type.minimum, type.maximum)) else scalar_bounds(type)
        case ">>":
            amounts = max(b[0], 0), min(max(b[1], 0), type.bits - 1)
            if amounts[0] > amounts[1]:
                return min(a[0], 0), max(a[1], 0)
            return around(x >> y for x in a for y in amounts)
        case "&" if a[0] >= 0 or b[0] >= 0:
            return 0, min(v[1] for v in (a, b) if v[0] >= 0)
        case "|" | "^" if a[0] >= 0 and b[0] >= 0:
            return 0, (1 << max(a[1].bit_length(), b[1].bit_length())) - 1
        case _:
            return type.minimum, type.maximum


def _quotient(a: Interval, b: Interval) -> Interval:
    """The values of `x / y` for y that are not 0, truncated."""
    divisors = [d for d in (b[0], b[1], -1, 1) if d and b[0] <= d <= b[1]]
    if not divisors:
        return 0, 0
    found = around(_truncated(x, d) for x in a for d in divisors)
    return (min(found[0], 0), max(found[1], 0)) if a[0] <= 0 <= a[1] else found


def _truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


# -- forms ----------------------------------------------------------------------------------------


def form_of(e: Expr, box: Box) -> Form | None:
    """A form with cells that an expression has, where it does not overflow or wrap around."""
    match e:
        case Reg(name, _):
            return box.forms.get(name)
        case Convert(arg, IntType() as type):
            form, inner = form_of(arg, box), value_of(arg, box)
            fits = inner is not None and within(inner, (type.minimum, type.maximum))
            return form if fits else None
        case Binary("+" | "-" as op, left, right) if isinstance(e.type, IntType):
            if not e.type.signed and not _exact(e, box):
                return None
            a, b = _terms(left, box), _terms(right, box)
            if a is None or b is None or not (a.terms or b.terms):
                return None
            return _sum(a, b if op == "+" else _scaled(b, -1))
        case Binary("*", left, right) if isinstance(e.type, IntType):
            if not e.type.signed and not _exact(e, box):
                return None
            for x, y in ((left, right), (right, left)):
                form = form_of(x, box)
                if isinstance(y, Const) and form is not None:
                    return _scaled(form, y.value)
            return None
        case Unary("-", arg) if isinstance(e.type, IntType) and e.type.signed:
            form = form_of(arg, box)
            return None if form is None else _scaled(form, -1)
        case _:
            return None


def _exact(e: Binary, box: Box) -> bool:
    a, b = value_of(e.left, box), value_of(e.right, box)
    return a is not None and b is not None and within(combined(e.op, a, b), scalar_bounds(e.type))


def _terms(e: Expr, box: Box) -> Form | None:
    form = form_of(e, box)
    if form is not None:
        return form
    value = value_of(e, box)
    return None if value is None else Form((), *value)


def _sum(a: Form, b: Form) -> Form | None:
    factors = dict(a.terms)
    for cell, factor in b.terms:
        factors[cell] = factors.get(cell, 0) + factor
        # Two earlier values of one cell need not be the same one: nothing cancels out.
        if cell in dict(a.terms) and dict(a.terms)[cell] * factor < 0:
            return None
    if len(factors) > MOST_TERMS:
        return None
    return Form(tuple(sorted(factors.items())), a.low + b.low, a.high + b.high)


def _scaled(a: Form, by: int) -> Form:
    low, high = sorted((a.low * by, a.high * by))
    return Form(tuple((cell, factor * by) for cell, factor in a.terms if by), low, high)


# -- conditions -----------------------------------------------------------------------------------


def assume(e: Expr, box: Box) -> Box | None:
    """What is known where the expression is not 0 as well; None where it cannot be."""
    match e:
        case Const(n, _):
            return box if n else None
        case Compare("==", Compare(op, a, b), Const(0, _)):
            return assume(Compare(NEGATED[op], a, b), box)
        case Compare("!=", Compare() as inner, Const(0, _)):
            return assume(inner, box)
        case Compare(op, left, right):
            x, y = value_of(left, box), value_of(right, box)
            if x is None or y is None:
                return box
            narrowed = _narrow(op, left, x, y, box)
            if narrowed is None:
                return None
            return _narrow(MIRRORED[op], right, y, x, narrowed)
        case Binary("&", Compare() as left, Compare() as right):
            first = assume(left, box)
            return None if first is None else assume(right, first)
        case _:
            value = value_of(e, box)
            if value == (0, 0):
                return None
            return box if value is None else _narrow("!=", e, value, (0, 0), box)


def _narrow(op: str, e: Expr, a: Interval, b: Interval, box: Box) -> Box | None:
    """The box where `e op y` holds for a y of `b`; `a` are the values of `e`."""
    narrowed = satisfying_exactly(op, a, b)
    if narrowed is None:
        return None
    return box if narrowed == a else narrow_to(e, narrowed, box)


def narrow_to(e: Expr, wanted: Interval, box: Box) -> Box | None:
    """The box where the value of `e` is in the interval."""
    match e:
        case Reg(name, _):
            a = value_of(e, box)
            if a is None:
                return box
            low, high = max(a[0], wanted[0]), min(a[1], wanted[1])
            if low > high:
                return None
            if (low, high) == a:
                return box
            found = box.copy()
            found.refine(name, (low, high))
            return found
        case Convert(arg, type):
            inner = value_of(arg, box)
            if inner is None or not within(inner, scalar_bounds(type)):
                return box
            return narrow_to(arg, wanted, box)
        case Binary("+" | "-" as op, arg, Const(c, _)):
            inner, type = value_of(arg, box), e.type
            shift = c if op == "+" else -c
            if inner is None or not isinstance(type, IntType):
                return box
            moved = inner[0] + shift, inner[1] + shift
            if not type.signed and not within(moved, (type.minimum, type.maximum)):
                return box
            return narrow_to(arg, (wanted[0] - shift, wanted[1] - shift), box)
        case _:
            return box
