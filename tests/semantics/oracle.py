"""A second, independent reading of the program model: slow, small and obvious.

Values are Python integers, addresses pairs (object, offset) of a name and a number. Here are
expressions; `tests.semantics.oracle_programs` runs programs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from abpress.ir.expr import (
    Addr,
    Array,
    ArrayReg,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Filled,
    FuncAddr,
    PtrAdd,
    PtrDiff,
    Reg,
    SameArray,
    Select,
    Unary,
    Update,
)
from abpress.ir.program import (
    Overflow,
)
from abpress.ir.types import IntType, PtrType, Scalar

Value = int | tuple[str, int]


class UndefinedBehaviour(Exception):
    """A fault."""


class SignedOverflow(Exception):
    """Only where signed overflow does not wrap."""


class Unspecified(Exception):
    """The model does not say what happens; tests skip the example."""


def address_distance(pointer_bits: int, value: int) -> int:
    """A distance in bytes as a number of the pointer's size."""
    return IntType(pointer_bits, True).wrap(value)


@dataclass(frozen=True)
class Evaluator:
    """Evaluates expressions under values of registers."""

    registers: Mapping[str, Value]
    overflow: Overflow = Overflow.END
    pointer_size: int = 4
    arrays: Mapping[str, Filled] = field(default_factory=dict)

    def __call__(self, e: Expr) -> Value:
        match e:
            case Const(n, type):
                return self._plain(n) if isinstance(type, PtrType) else n
            case Reg(name, _):
                return self.registers[name]
            case Addr(name, offset, _):
                return (name, offset)
            case FuncAddr(name, _):
                return (f"{name}()", 0)
            case Unary(op, arg):
                a = self._integer(arg)
                return self._fit(-a if op == "-" else ~a, e.type, checked=op == "-")
            case Binary(op, left, right):
                return self._binary(op, e.type, self._integer(left), self._integer(right))
            case Compare(op, left, right):
                return int(self._compare(op, self(left), self(right)))
            case Convert(arg, type):
                return self._convert(self(arg), arg.type, type)
            case PtrAdd(pointer, distance):
                return self._move(self(pointer), self._integer(distance))
            case PtrDiff(left, right, type):
                return type.wrap(self._difference(self(left), self(right)))
            case Select(array, index):
                default, others = self.content(array)
                return others.get(self._integer(index), default)
            case SameArray(left, right):
                return int(self.content(left) == self.content(right))

    def content(self, array: Array) -> tuple[int, dict[int, int]]:
        """A number, and the others by index."""
        match array:
            case ArrayReg(name, _):
                return self.content(self.arrays[name])
            case Filled(default, others, _):
                return default, dict(others)
            case Update(of, index, value):
                default, numbers = self.content(of)
                changed = {**numbers, self._integer(index): self._integer(value)}
                return default, {k: n for k, n in changed.items() if n != default}

    def _integer(self, e: Expr) -> int:
        value = self(e)
        assert isinstance(value, int)
        return value

    def _plain(self, n: int) -> int:
        return n % (1 << 8 * self.pointer_size)

    def _fit(self, n: int, type: Scalar, checked: bool) -> int:
        assert isinstance(type, IntType)
        overflows = checked and type.signed and not type.contains(n)
        if overflows and self.overflow is not Overflow.WRAP:
            raise SignedOverflow
        return type.wrap(n)

    def _binary(self, op: str, type: Scalar, a: int, b: int) -> int:
        assert isinstance(type, IntType)
        if op in "/%":
            if b == 0:
                raise UndefinedBehaviour("division by zero")
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            wrapped = self._fit(quotient, type, checked=True)
            return wrapped if op == "/" else a - b * quotient
        if op in ("<<", ">>"):
            if b < 0 or b >= type.bits:
                raise UndefinedBehaviour("bad shift")
            return type.wrap(a * 2**b) if op == "<<" else a // 2**b
        if op in "&|^":
            bits = 0
            for k in range(type.bits):
                x, y = a >> k & 1, b >> k & 1
                bits |= {"&": x and y, "|": x or y, "^": x != y}[op] << k
            return type.wrap(bits)
        return self._fit({"+": a + b, "-": a - b, "*": a * b}[op], type, checked=True)

    def _compare(self, op: str, a: Value, b: Value) -> bool:
        if op in ("==", "!="):
            return (a == b) == (op == "==")
        if isinstance(a, tuple) and isinstance(b, tuple) and a[0] == b[0]:
            a, b = a[1], b[1]
        if isinstance(a, tuple) or isinstance(b, tuple):
            raise Unspecified
        return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]

    def _convert(self, a: Value, of: Scalar, to: Scalar) -> Value:
        if isinstance(to, PtrType):
            if isinstance(of, PtrType) or isinstance(a, tuple):
                return a
            if of.bits >= 64 and 1 << 32 <= a < 1 << 63:
                raise Unspecified  # could be meant as an address
            return self._plain(a)
        if isinstance(a, tuple):
            if to.bits < 64:
                raise UndefinedBehaviour("address-inspected")
            raise Unspecified
        return to.wrap(a)

    def _move(self, p: Value, distance: int) -> Value:
        if isinstance(p, int):
            moved = self._plain(p + distance)
            if 1 << 32 <= moved < 1 << 63:
                raise Unspecified  # could be meant as an address
            return moved
        signed = address_distance(8 * self.pointer_size, distance)
        for d in (distance, signed):
            if -(1 << 31) <= p[1] + d < 1 << 31:
                return (p[0], p[1] + d)
        raise UndefinedBehaviour("pointer arithmetic")

    def _difference(self, a: Value, b: Value) -> int:
        if isinstance(a, int) and isinstance(b, int):
            return a - b
        if isinstance(a, tuple) and isinstance(b, tuple) and a[0] == b[0]:
            return a[1] - b[1]
        raise UndefinedBehaviour("difference of unrelated pointers")


def value_text(value: Any) -> Any:
    """A value as `Interpreter.describe` gives it: addresses as text, integers as they are."""
    if not isinstance(value, tuple):
        return value
    name, offset = value
    shown = name.removesuffix("()") if name.endswith("()") else f"&{name}"
    return shown + (f"{offset:+}" if offset else "")
