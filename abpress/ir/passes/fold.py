"""Constant folding, bit-precise; what overflows (signed) or faults stays for the semantics.

Precondition: the program is well-formed. Preserves every execution with its faults: an operand
that may fault is never dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from abpress.ir.arrays import selected, updated
from abpress.ir.expr import (
    FALSE,
    MIRRORED,
    TRUE,
    Addr,
    Array,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Float,
    FuncAddr,
    PtrAdd,
    PtrDiff,
    SameArray,
    Select,
    Unary,
    Update,
    is_condition,
    negate,
)
from abpress.ir.floats import operation
from abpress.ir.literals import may_be_one_byte
from abpress.ir.passes.rewrite import map_operands, may_fault
from abpress.ir.program import Edge, GuardKind, Location, MemoryObject, Overflow, Program, Template
from abpress.ir.types import OFFSET_BITS, IntType, PtrType, Scalar


def fold(program: Program) -> Program:
    """The program with folded expressions and without the edges that can never be taken."""
    return replace(
        program,
        templates={name: fold_template(program, t) for name, t in program.templates.items()},
    )


def fold_template(program: Program, template: Template) -> Template:
    """As `fold`, for one template of the program."""
    objects = {**program.objects, **template.locals}
    folder = Folder(program.signed_overflow, objects, keeps_ends=True)
    return replace(
        template,
        locations=tuple(_fold_location(location, folder) for location in template.locations),
    )


def _fold_location(location: Location, folder: Folder) -> Location:
    edges = tuple(_fold_edge(edge, folder) for edge in location.edges)
    possible = tuple(edge for edge in edges if edge.guard != FALSE)
    return Location(possible or edges[:1], location.atomic)


def _fold_edge(edge: Edge, folder: Folder) -> Edge:
    guard = folder.fold(edge.guard)
    if isinstance(guard, Const):
        guard = TRUE if guard.value else FALSE
    kind = GuardKind.BRANCH if guard == TRUE else edge.kind
    effects = tuple(map_operands(effect, folder.fold) for effect in edge.effects)
    if (guard, kind, effects) == (edge.guard, edge.kind, edge.effects):
        return edge
    return replace(edge, guard=guard, kind=kind, effects=effects)


class Folder:
    """Folds expressions under one overflow rule; `objects` are those that addresses name.

    With `keeps_ends` a comparison stays of which one side may be the end of an object, and the
    other one the start of another, NOTE(past-ends), or whose sides may be in string literals that
    share memory, NOTE(shared-literals).
    """

    def __init__(
        self, overflow: Overflow, objects: dict[str, MemoryObject], keeps_ends: bool = False
    ) -> None:
        self._overflow = overflow
        self._objects = objects
        self._keeps_ends = keeps_ends

    def fold(self, e: Expr) -> Expr:
        """An expression with the value and the faults of `e`."""
        return self._folded(e, self.fold)

    def fold_top(self, e: Expr) -> Expr:
        """As `fold`, where the operands of `e` are folded already."""
        return self._folded(e, lambda operand: operand)

    def _folded(self, e: Expr, operand: Callable[[Expr], Expr]) -> Expr:
        match e:
            case Unary(op, a):
                return _unary(op, operand(a), self._overflow)
            case Binary(op, a, b):
                return self._binary(op, operand(a), operand(b))
            case Compare(op, a, b):
                return self._compare(op, operand(a), operand(b))
            case Convert(a, t):
                return _convert(operand(a), t)
            case PtrAdd(a, b):
                return self._pointer_add(operand(a), operand(b))
            case PtrDiff(a, b, t):
                return _pointer_difference(operand(a), operand(b), t)
            case Float(op, args, t):
                return _float(op, tuple(map(operand, args)), t)
            case Select(array, index):
                return selected(self._array(array, operand), operand(index))
            case SameArray(left, right):
                return SameArray(self._array(left, operand), self._array(right, operand))
            case _:
                return e

    def fold_array(self, array: Array) -> Array:
        """As `fold`, for an array. What is written over is dropped, whether it faults or not."""
        return self._array(array, self.fold)

    def _array(self, array: Array, operand: Callable[[Expr], Expr]) -> Array:
        if isinstance(array, Update):
            of = self._array(array.array, operand)
            return updated(of, operand(array.index), operand(array.value))
        return array

    def _binary(self, op: str, a: Expr, b: Expr) -> Expr:
        t = a.type
        assert isinstance(t, IntType)
        if isinstance(a, Const) and isinstance(b, Const):
            value = _arithmetic(op, a.value, b.value, t, self._overflow)
            if value is not None:
                return Const(value, t)
        if isinstance(b, Const):
            if b.value == 0 and op in ("+", "-", "|", "^", "<<", ">>"):
                return a
            if b.value == 1 and op in ("*", "/"):
                return a
            if b.value == t.wrap(-1) and op == "&":
                return a
            if b.value == 0 and op in ("*", "&") and not may_fault(a, self._overflow):
                return b
        if isinstance(a, Const):
            if a.value == 0 and op in ("+", "|", "^"):
                return b
            if a.value == 1 and op == "*":
                return b
            if a.value == t.wrap(-1) and op == "&":
                return b
            if a.value == 0 and op in ("*", "&") and not may_fault(b, self._overflow):
                return a
        return Binary(op, a, b)

    def _compare(self, op: str, a: Expr, b: Expr) -> Expr:
        if isinstance(a, Const) and isinstance(b, Const) and isinstance(a.type, IntType):
            return TRUE if holds(op, a.value, b.value) else FALSE
        if isinstance(a.type, PtrType):
            equal = _same_address(a, b)
            if equal is None or op not in ("==", "!=") or (self._keeps_ends and self._meet(a, b)):
                return Compare(op, a, b)
            return TRUE if equal == (op == "==") else FALSE
        if isinstance(a, Const) and not isinstance(b, Const):
            a, b, op = b, a, MIRRORED[op]
        return self._compare_constant(op, a, b) if isinstance(b, Const) else Compare(op, a, b)

    def _meet(self, a: Expr, b: Expr) -> bool:
        """Whether two addresses in different objects may be equal in reality."""
        if not (isinstance(a, Addr) and isinstance(b, Addr)) or a.object == b.object:
            return False
        one, other = self._objects.get(a.object), self._objects.get(b.object)
        if one is None or other is None or not (_is_inside(a, one) and _is_inside(b, other)):
            return True
        return may_be_one_byte(one, a.offset, other, b.offset)

    def _compare_constant(self, op: str, a: Expr, b: Const) -> Expr:
        """A comparison with a number, through conversions that keep the value."""
        if isinstance(a, Convert) and _keeps_value(a.arg, a.type):
            inner = a.arg.type
            assert isinstance(inner, IntType)
            if inner.contains(b.value):
                return self._compare_constant(op, a.arg, Const(b.value, inner))
            if not may_fault(a.arg, self._overflow):
                return TRUE if holds(op, inner.minimum, b.value) else FALSE
        if is_condition(a) and not isinstance(a, Const):
            zero, one = holds(op, 0, b.value), holds(op, 1, b.value)
            if zero != one:
                return a if one else negate(a)
        return Compare(op, a, b)

    def _pointer_add(self, a: Expr, b: Expr) -> Expr:
        if not isinstance(b, Const):
            return PtrAdd(a, b)
        if b.value == 0:
            return a
        if isinstance(a, Addr) and a.object in self._objects:
            offset = a.offset + b.value
            if 0 <= offset <= self._objects[a.object].layout.size:
                return Addr(a.object, offset, a.type)
        if isinstance(a, PtrAdd) and isinstance(a.bytes, Const) and a.bytes.type == b.type:
            assert isinstance(b.type, IntType)
            if b.type.contains(a.bytes.value + b.value):
                moved = Const(a.bytes.value + b.value, b.type)
                return self._pointer_add(a.pointer, moved)
        return PtrAdd(a, b)


def holds(op: str, a: int, b: int) -> bool:
    """Whether `a op b`, for a comparison."""
    match op:
        case "==":
            return a == b
        case "!=":
            return a != b
        case "<":
            return a < b
        case "<=":
            return a <= b
        case ">":
            return a > b
        case _:
            return a >= b


def _arithmetic(op: str, a: int, b: int, t: IntType, overflow: Overflow) -> int | None:
    """The value of `a op b` in `t`, or None where it overflows or faults."""
    match op:
        case "&":
            return a & b
        case "|":
            return a | b
        case "^":
            return a ^ b
        case "<<" | ">>":
            if not 0 <= b < t.bits:
                return None
            if op == ">>":
                return a >> b
            lossy = t.signed and a >= 0 and not t.contains(a << b)
            return None if lossy and overflow is Overflow.ERROR else t.wrap(a << b)
        case "/" | "%":
            if b == 0 or not t.contains(_quotient(a, b)):
                return None
            return _quotient(a, b) if op == "/" else a - b * _quotient(a, b)
        case _:
            value = a + b if op == "+" else a - b if op == "-" else a * b
            if t.signed and not t.contains(value) and overflow is not Overflow.WRAP:
                return None
            return t.wrap(value)


def _quotient(a: int, b: int) -> int:
    """`a / b` truncated toward zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _unary(op: str, a: Expr, overflow: Overflow) -> Expr:
    if isinstance(a, Const) and isinstance(a.type, IntType):
        value = ~a.value if op == "~" else -a.value
        if a.type.contains(value) or not a.type.signed or overflow is Overflow.WRAP:
            return Const(a.type.wrap(value), a.type)
    return Unary(op, a)


def _float(op: str, args: tuple[Expr, ...], t: IntType) -> Expr:
    """The operator on floating-point numbers, computed where it can be."""
    numbers = [a.value for a in args if isinstance(a, Const)]
    of = args[0].type
    if len(numbers) == len(args) and isinstance(of, IntType):
        value = operation(op, of, t)(*numbers)
        if value is not None:
            return Const(value, t)
    return Float(op, args, t)


def _keeps_value(e: Expr, target: Scalar) -> bool:
    """Whether the integer `e` converted to the integer type `target` has the same value."""
    source = e.type
    return (
        isinstance(source, IntType)
        and isinstance(target, IntType)
        and (
            is_condition(e) or (target.contains(source.minimum) and target.contains(source.maximum))
        )
    )


def _convert(a: Expr, t: Scalar) -> Expr:
    if a.type == t:
        return a
    if isinstance(a, Const):
        value = _converted(a, t)
        if value is not None:
            return Const(value, t)
    if isinstance(a, Convert) and isinstance(t, IntType) and isinstance(a.type, IntType):
        narrower = a.type.bits >= t.bits and isinstance(a.arg.type, IntType)
        if narrower or _keeps_value(a.arg, a.type):
            return _convert(a.arg, t)
    return Convert(a, t)


def _converted(a: Const, t: Scalar) -> int | None:
    """The converted number; None for plain pointers that look like addresses of objects."""
    if isinstance(t, IntType):
        plain = isinstance(a.type, IntType) or 0 <= a.value < 1 << OFFSET_BITS
        return t.wrap(a.value) if plain else None
    value = a.value % (1 << 8 * t.size)
    return value if value < 1 << OFFSET_BITS else None


def _is_inside(a: Addr, o: MemoryObject) -> bool:
    return 0 <= a.offset < o.layout.size


def _same_address(a: Expr, b: Expr) -> bool | None:
    """Whether two pointers are equal, if that is known here."""
    known = (Addr, FuncAddr)
    if isinstance(a, known) and isinstance(b, known):
        return a == b
    if isinstance(a, Const) and isinstance(b, Const):
        return a.value == b.value
    for x, y in ((a, b), (b, a)):
        if isinstance(x, known) and isinstance(y, Const) and y.value == 0:
            return False
    return None


def _pointer_difference(a: Expr, b: Expr, t: IntType) -> Expr:
    match a, b:
        case (Addr(p, x), Addr(q, y)) if p == q and t.contains(x - y):
            return Const(x - y, t)
        case (Const(x), Const(y)) if t.contains(x - y):
            return Const(x - y, t)
    return PtrDiff(a, b, t)
