"""The meaning of expressions, as a definition: slow, small and obvious.

Values are Python's own: an integer for an integer, a pair (object, offset) of a name and a number
of bytes for an address, the name of a thread for its id. `abpress.semantics.reference` gives the
meaning of programs on top of this; generated code (`semantics.codegen`), symbolic evaluation
(`abpress.symbolic`) and formulas (`abpress.logic`) are tested against both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
    Float,
    FuncAddr,
    PtrAdd,
    PtrDiff,
    Reg,
    SameArray,
    Select,
    Unary,
    Update,
)
from abpress.ir.floats import UNHELD
from abpress.ir.program import Overflow
from abpress.ir.types import IntType, PtrType, Scalar
from abpress.semantics.reference_floats import apply

Value = int | tuple[str, int] | str
"""An integer (also one in a pointer; NULL is 0), an address, or the id of a thread by its name."""


class UndefinedBehaviour(Exception):
    """The execution ends here, and withholds the verdict "true"."""


class SignedOverflow(Exception):
    """A signed result does not fit its type where signed overflow does not wrap."""


class Unspecified(Exception):
    """The definition does not say what happens here, e.g. to an integer made from an address."""


@dataclass(frozen=True)
class ReferenceEvaluator:
    """Evaluates expressions of one thread.

    `registers` and `arrays` give the variables their values. `names` gives objects that are
    local to the thread's template the name that they have in the execution.
    """

    registers: Mapping[str, Value]
    overflow: Overflow = Overflow.END
    pointer_size: int = 4
    arrays: Mapping[str, Filled] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, e: Expr) -> Value:
        """Returns the value of `e`; raises what the exceptions of this module say."""
        match e:
            case Const(n, type):
                return self._plain(n) if isinstance(type, PtrType) else n
            case Reg(name, _):
                if name not in self.registers:
                    raise Unspecified("an arbitrary value is chosen where it is first used")
                return self.registers[name]
            case Addr(name, offset, _):
                return (self.names.get(name, name), offset)
            case FuncAddr(name, _):
                return (f"{name}()", 0)
            case Unary(op, arg):
                a = self.integer(arg)
                return self._fit(-a if op == "-" else ~a, e.type, checked=op == "-")
            case Binary(op, left, right):
                return self.binary(op, e.type, self.integer(left), self.integer(right))
            case Compare(op, left, right):
                return int(self._compare(op, self(left), self(right)))
            case Convert(arg, type):
                return self._convert(self(arg), arg.type, type)
            case PtrAdd(pointer, distance):
                return self._move(self(pointer), self.integer(distance))
            case PtrDiff(left, right, type):
                return type.wrap(self._difference(self(left), self(right)))
            case Float(op, args, type):
                of = args[0].type
                assert isinstance(of, IntType)
                found = apply(op, [self.integer(a) for a in args], of, type)
                if found is None:
                    raise UndefinedBehaviour(UNHELD)
                return found
            case Select(array, index):
                default, others = self.content(array)
                return others.get(self.integer(index), default)
            case SameArray(left, right):
                return int(self.content(left) == self.content(right))

    def integer(self, e: Expr) -> int:
        """Returns the value of an integer expression."""
        value = self(e)
        if not isinstance(value, int):
            raise Unspecified("an address or a thread where a number is needed")
        return value

    def content(self, array: Array) -> tuple[int, dict[int, int]]:
        """Returns the number that most elements have, and the others by their index."""
        match array:
            case ArrayReg(name, _):
                return self.content(self.arrays[name])
            case Filled(default, others, _):
                return default, dict(others)
            case Update(of, index, value):
                default, numbers = self.content(of)
                changed = {**numbers, self.integer(index): self.integer(value)}
                return default, {k: n for k, n in changed.items() if n != default}

    def binary(self, op: str, type: Scalar, a: int, b: int) -> int:
        """Returns the result of integer arithmetic in a type."""
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
            lossy = type.signed and a >= 0 and not type.contains(a * 2**b)
            if op == "<<" and lossy and self.overflow is Overflow.ERROR:
                raise SignedOverflow
            return type.wrap(a * 2**b) if op == "<<" else a // 2**b
        if op in "&|^":
            bits = 0
            for k in range(type.bits):
                x, y = a >> k & 1, b >> k & 1
                bits |= {"&": x and y, "|": x or y, "^": x != y}[op] << k
            return type.wrap(bits)
        return self._fit({"+": a + b, "-": a - b, "*": a * b}[op], type, checked=True)

    def _plain(self, n: int) -> int:
        """An integer in a pointer wraps to the pointer's size."""
        return n % (1 << 8 * self.pointer_size)

    def _fit(self, n: int, type: Scalar, checked: bool) -> int:
        """A result wraps to its type; a signed one that does not fit overflows if `checked`."""
        assert isinstance(type, IntType)
        overflows = checked and type.signed and not type.contains(n)
        if overflows and self.overflow is not Overflow.WRAP:
            raise SignedOverflow
        return type.wrap(n)

    def _compare(self, op: str, a: Value, b: Value) -> bool:
        """Addresses are equal if object and offset are; ordered only within one object."""
        if op in ("==", "!="):
            return (a == b) == (op == "==")
        if isinstance(a, tuple) and isinstance(b, tuple) and a[0] == b[0]:
            a, b = a[1], b[1]
        if not isinstance(a, int) or not isinstance(b, int):
            raise Unspecified("order of unrelated addresses")
        return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]

    def _convert(self, a: Value, of: Scalar, to: Scalar) -> Value:
        """Integers wrap to the type; an address stays one in pointers, and does not leave them."""
        if isinstance(a, str):
            if of != to:
                raise Unspecified("the id of a thread as another number")
            return a
        if isinstance(to, PtrType):
            if isinstance(of, PtrType) or isinstance(a, tuple):
                return a
            if of.bits >= 64 and 1 << 32 <= a < 1 << 63:
                raise Unspecified("the number could be meant as an address")
            return self._plain(a)
        if isinstance(a, tuple):
            if to.bits < 64:
                raise UndefinedBehaviour("address-inspected")
            raise Unspecified("an address as a number")
        return to.wrap(a)

    def _move(self, p: Value, distance: int) -> Value:
        """Pointer arithmetic: within 2 GiB of the object, by a distance of either signedness."""
        assert not isinstance(p, str)
        if isinstance(p, int):
            moved = self._plain(p + distance)
            if 1 << 32 <= moved < 1 << 63:
                raise Unspecified("the number could be meant as an address")
            return moved
        signed = IntType(8 * self.pointer_size, True).wrap(distance)
        for d in (distance, signed):
            if -(1 << 31) <= p[1] + d < 1 << 31:
                return (p[0], p[1] + d)
        raise UndefinedBehaviour("pointer arithmetic")

    def _difference(self, a: Value, b: Value) -> int:
        """The distance in bytes of two plain integers, or of two addresses in one object."""
        if isinstance(a, int) and isinstance(b, int):
            return a - b
        if isinstance(a, tuple) and isinstance(b, tuple) and a[0] == b[0]:
            return a[1] - b[1]
        raise UndefinedBehaviour("difference of unrelated pointers")
