"""Expressions evaluated on a path: to integer expressions over variables, and to pointers.

The forms of pointers are those of `discrete.Value`; comparisons, conversions and differences of
pointers become integer expressions, so that formulas and updates are over integers only.
"""

from __future__ import annotations

from functools import lru_cache

from abpress.analysis.registers import TID
from abpress.ir.expr import (
    FALSE,
    TRUE,
    Addr,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Float,
    FuncAddr,
    PtrAdd,
    PtrDiff,
    Reg,
    SameArray,
    Select,
    Unary,
    children,
    rewrite,
)
from abpress.ir.floats import UNHELD
from abpress.ir.types import IntType, PtrType
from abpress.logic.formula import conj, holds, neg
from abpress.semantics.naming import HALF
from abpress.symbolic.discrete import ObjectRef, Value, variable_type
from abpress.symbolic.paths import MAX_SPLIT, Faulted, SymbolicPath


class Evaluator:
    """Evaluates the expressions of the running thread on one path."""

    def __init__(self, path: SymbolicPath) -> None:
        self.path = path
        self._fold = path.objects.folder.fold

    def checked(self, e: Expr) -> Expr:
        """The value of `e`, where evaluating it neither overflows nor faults."""
        value = self.value(e)
        if isinstance(value.type, IntType):
            self.path.check_overflow(value)
            return self.path.settled(value)
        return value

    def value(self, e: Expr) -> Expr:
        """The value of `e`; what it overflows is not checked yet, where it faults is."""
        if _plain(e):
            return self.path.settled(self._fold(rewrite(e, self._leaf)))
        return self.path.settled(self._compound(e))

    def register(self, reg: Reg) -> Expr:
        """The content of a register that is used: it gets a value if it has none."""
        path = self.path
        if reg.name == TID:
            return Const(path.thread, reg.type)
        value = path.register(reg.name)
        if value is None:
            value = self.choose(reg.type, f"uninitialised {reg.name.split('#')[0]}")
            path.registers[reg.name] = value
        return path.settled(value)

    def choose(
        self, type: IntType | PtrType, what: str, low: int | None = None, high: int | None = None
    ) -> Expr:
        """An arbitrary value of a type, between bounds."""
        path = self.path
        if isinstance(type, PtrType):
            raise Faulted(f"arbitrary pointer: {what} at {path.where}")
        low = type.minimum if low is None else max(low, type.minimum)
        high = type.maximum if high is None else min(high, type.maximum)
        value = path.input(type, what, low, high)
        path.assume(holds(Compare(">=", value, Const(low, type))))
        path.assume(holds(Compare("<=", value, Const(high, type))))
        return value

    def _leaf(self, e: Expr) -> Expr:
        return self.register(e) if isinstance(e, Reg) else e

    def _compound(self, e: Expr) -> Expr:
        match e:
            case Const(number, type):
                return Const(self.path.objects.context.kinds.of(type).wrap(number), type)
            case Reg():
                return self.register(e)
            case Addr(name, offset, type):
                owner = (self.path.thread, self.path.code.template.name)
                return Addr(self.path.objects.named(name, owner), offset, type)
            case FuncAddr():
                return e
            case Unary(op, arg):
                return self._fold(Unary(op, self.value(arg)))
            case Binary(op, left, right):
                return self._binary(op, self.value(left), self.value(right))
            case Compare(op, left, right):
                a, b = self.value(left), self.value(right)
                if isinstance(left.type, PtrType):
                    return self._compare(op, a, b)
                return self._fold(Compare(op, a, b))
            case Convert(arg, type):
                return self.convert(self.value(arg), type)
            case PtrAdd(pointer, distance):
                return self._moved(self.value(pointer), self.value(distance))
            case PtrDiff(left, right, type):
                return self._difference(self.value(left), self.value(right), type)
            case Float(op, args, type):
                return self._float(Float(op, tuple(map(self.value, args)), type))
            case Select() | SameArray():
                raise AssertionError("internal error: an array in a program")

    def _binary(self, op: str, a: Expr, b: Expr) -> Expr:
        e = self._fold(Binary(op, a, b))
        if op in ("/", "%", "<<", ">>") and isinstance(e, Binary):
            self.path.check_overflow(a)
            self.path.check_overflow(b)
            reason = "division by zero" if op in ("/", "%") else "bad shift"
            self.path.check_fault(e, reason)
        return e

    def _float(self, e: Float) -> Expr:
        computed = self._fold(e)
        if e.op == "to" and isinstance(computed, Float):
            self.path.check_overflow(e.args[0])
            self.path.check_fault(e, UNHELD)
        return computed

    # -- pointers -------------------------------------------------------------------------------

    def convert(self, a: Expr, type: IntType | PtrType) -> Expr:
        """A value as one of another type."""
        of = a.type
        if isinstance(of, IntType) and isinstance(type, IntType):
            return self._fold(Convert(a, type))
        if isinstance(of, PtrType) and isinstance(type, PtrType):
            return a
        if isinstance(type, PtrType):
            return self._plain(Convert(a, variable_type(type)), type)
        number = _number(a)
        if number is None:
            if type.size < 8:
                self.path.undefined("address-inspected")
            raise Faulted(f"address of an object inspected at {self.path.where}")
        return self._fold(Convert(number, type))

    def _plain(self, number: Expr, type: PtrType) -> Expr:
        """A plain integer of the pointer's unsigned type in a pointer."""
        number = self.path.settled(self._fold(number))
        return Const(number.value, type) if isinstance(number, Const) else Convert(number, type)

    def _moved(self, pointer: Expr, distance: Expr) -> Expr:
        type = pointer.type
        assert isinstance(type, PtrType)
        number = _number(pointer)
        if number is not None:
            moved = Binary("+", number, Convert(distance, variable_type(type)))
            return self._plain(moved, type)
        self.path.check_overflow(distance)
        far = isinstance(pointer, Addr | PtrAdd) and self.path.unbounded(_object(pointer) or "")
        wide = _WIDE if far else IntType(8 * type.size, True)
        distance = self._fold(Convert(distance, wide))
        match pointer, distance:
            case Addr(name, offset), Const(d, _) if -HALF <= offset + d < HALF:
                return Addr(name, offset + d, type)
            case (Addr(), Const()) | (FuncAddr(), _):
                self.path.undefined("pointer arithmetic out of bounds")
            case Addr(), _:
                return PtrAdd(pointer, distance)
            case PtrAdd(base, first), _:
                total = Binary("+", Convert(first, _WIDE), Convert(distance, _WIDE))
                return PtrAdd(base, self._fold(total))
            case _:
                pass
        raise Faulted(f"arithmetic on an unusual pointer at {self.path.where}")

    def _compare(self, op: str, a: Expr, b: Expr) -> Expr:
        x, y = _number(a), _number(b)
        if x is not None and y is not None:
            return self._fold(Compare(op, x, y))
        if _object(a) is not None and _object(a) == _object(b):
            if isinstance(a, Addr) and isinstance(b, Addr):
                left: Expr = Const(a.offset, _WIDE)
                return self._fold(Compare(op, left, Const(b.offset, _WIDE)))
            if isinstance(a, PtrAdd) and isinstance(b, Addr):
                offset = self._offset_is(a, b.offset, op)
                if offset is not None:
                    return offset
            return self._fold(Compare(op, _wide_offset(a), _wide_offset(b)))
        if op in ("==", "!="):
            self._told_apart([o for o in map(_object, (a, b)) if o is not None])
            same = isinstance(a, FuncAddr) and isinstance(b, FuncAddr) and a.function == b.function
            return TRUE if same == (op == "==") else FALSE
        raise Faulted(f"order of unrelated addresses observed at {self.path.where}")

    def _told_apart(self, names: list[str]) -> None:
        """Raises Faulted if one of two objects told apart has ended, NOTE(reuse)."""
        path = self.path
        mortal = [name for name in names if path.objects.mortal(name)]
        if len(mortal) == 2 and None in map(path.living, mortal):
            raise Faulted(f"address of an object that has ended compared at {path.where}")

    def _offset_is(self, a: PtrAdd, offset: int, op: str) -> Expr | None:
        """`a op (its object + offset)` as a comparison of the distance, where that fits."""
        assert isinstance(a.pointer, Addr) and isinstance(a.bytes.type, IntType)
        d = offset - a.pointer.offset
        type = a.bytes.type
        return self._fold(Compare(op, a.bytes, Const(d, type))) if type.contains(d) else None

    def _difference(self, a: Expr, b: Expr, type: IntType) -> Expr:
        x, y = _number(a), _number(b)
        if x is None or y is None:
            if _object(a) is None or _object(a) != _object(b):
                self.path.undefined("difference of pointers to different objects")
            x, y = _wide_offset(a), _wide_offset(b)
        wide = IntType(max(type.bits, 64), False)
        return self._fold(Convert(Binary("-", Convert(x, wide), Convert(y, wide)), type))

    def split(self, pointer: Expr, o: ObjectRef, offsets: list[int], otherwise: str) -> Addr:
        """The pointer at one of the offsets into its object `o`: a case for each.

        A case for all other distances ends with the fault `otherwise`.
        """
        assert isinstance(pointer, PtrAdd) and isinstance(pointer.pointer, Addr)
        distance, type = pointer.bytes, pointer.pointer.type
        assert isinstance(distance.type, IntType)
        if len(offsets) > MAX_SPLIT:
            raise Faulted(f"{o.name} has more than {MAX_SPLIT} cells, at {self.path.where}")
        first = pointer.pointer.offset
        known = self.path.settled(distance)
        if isinstance(known, Const):
            if first + known.value not in offsets:
                self.path.undefined(otherwise)
            return Addr(o.name, first + known.value, type)
        offsets = [k for k in offsets if distance.type.contains(k - first)]
        cases = [holds(Compare("==", distance, Const(k - first, distance.type))) for k in offsets]
        k = self.path.decide([*cases, conj(map(neg, cases))])
        if k == len(cases):
            self.path.undefined(otherwise)
        return Addr(o.name, offsets[k], type)


_WIDE = IntType(64, True)


def _number(pointer: Expr) -> Expr | None:
    """The plain integer in a pointer; None for addresses."""
    match pointer:
        case Const(value, PtrType() as type):
            return Const(value, variable_type(type))
        case Convert(number, PtrType()):
            return number
        case _:
            return None


def _object(pointer: Value) -> str | None:
    match pointer:
        case Addr(name) | PtrAdd(Addr(name), _):
            return name
        case _:
            return None


def _wide_offset(pointer: Expr) -> Expr:
    """The offset into its object of a pointer, as an integer of 64 bits."""
    match pointer:
        case Addr(_, offset):
            return Const(offset, _WIDE)
        case PtrAdd(Addr(_, offset), distance):
            return Binary("+", Convert(distance, _WIDE), Const(offset, _WIDE))
        case _:
            raise AssertionError("internal error: not the address of an object")


@lru_cache(maxsize=1 << 14)
def _plain(e: Expr) -> bool:
    """Whether `e` is about integers only, and its operators do not fault."""
    if isinstance(e.type, PtrType) or not all(map(_plain, children(e))):
        return False
    match e:
        case Binary("/" | "%", _, Const(value)):
            return value != 0
        case Binary("<<" | ">>", left, Const(value)):
            return 0 <= value < left.type.bits
        case Binary("/" | "%" | "<<" | ">>"):
            return False
        case Float("to"):
            return False
        case _:
            return True
