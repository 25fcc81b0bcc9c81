"""Expressions as Python source, bit-precise with as little wrapping as the operands allow.

Checks become statements before the use; the rest is one Python expression. Bounds of every value
are tracked so that what cannot leave its type is not checked.
"""

from __future__ import annotations

from dataclasses import dataclass

from abpress.ir.bounds import ADDRESSES, bounds, scalar_bounds
from abpress.ir.expr import (
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
    Unary,
)
from abpress.ir.floats import UNHELD, operation
from abpress.ir.program import NO_OVERFLOW, Overflow
from abpress.ir.types import OFFSET_BITS, IntType, PtrType
from abpress.semantics.codegen.emitter import Emitter
from abpress.semantics.naming import HALF, NEGATIVE_PLAIN, PLAIN_LIMIT

MAX_DEPTH = 30
"""Nesting of Python expressions; deeper ones are cut by a temporary."""


@dataclass(frozen=True, slots=True)
class Value:
    """Python source of a value, and bounds of it."""

    source: str
    low: int
    high: int
    depth: int = 0
    drift: tuple[int, int] = (0, 0)  # of an address: how far it was moved without a check

    @property
    def simple(self) -> bool:
        """Whether the source may be repeated: a name or a number."""
        return self.depth == 0


def number(value: int) -> Value:
    """A number as a value of which all is known."""
    return Value(str(value) if value >= 0 else f"({value})", value, value)


def wrapped(source: str, type: IntType) -> str:
    """Source of any integer, reduced to the type."""
    mask = (1 << type.bits) - 1
    if not type.signed:
        return f"({source} & {mask})"
    half = 1 << (type.bits - 1)
    return f"(({source} + {half} & {mask}) - {half})"


def fixed_address(e: Expr) -> tuple[str, int] | None:
    """Object and offset of an address that is known now."""
    match e:
        case Addr(name, offset, _):
            return name, offset
        case PtrAdd(pointer, Const(distance, _)):
            inner = fixed_address(pointer)
            return inner and (inner[0], inner[1] + distance)
        case Convert(arg, PtrType()) if isinstance(arg.type, PtrType):
            return fixed_address(arg)
        case _:
            return None


class Expressions:
    """Compiles expressions into an emitter."""

    def __init__(self, out: Emitter) -> None:
        self.out = out

    def value(self, e: Expr, address: bool = False) -> Value:
        """The value of `e`; with `address`, for immediate use as an address (bounds follow)."""
        match e:
            case Const(n, type):
                return number(self.out.context.kinds.of(type).wrap(n))
            case Reg(_, type):
                low, high = scalar_bounds(type)
                return Value(self.out.register(e), low, high)
            case Addr(name, offset, _):
                return self._address(name, offset)
            case FuncAddr(name, _):
                return number(self.out.context.function(name))
            case Unary(op, arg):
                result = self._unary(op, e.type, self.value(arg))
            case Binary(op, left, right):
                a, b = self.value(left), self.value(right)
                result = self._binary(op, e.type, a, b, right.type)
            case Compare():
                result = Value(f"(1 if {self.condition(e)} else 0)", 0, 1, 1)
            case Convert(arg, type):
                result = self._convert(self.value(arg), arg.type, type)
            case PtrAdd(pointer, distance):
                result = self._move(self.value(pointer, address), self.value(distance), address)
            case PtrDiff(left, right, type):
                a, b = self.value(left), self.value(right)
                call = f"difference({a.source}, {b.source}, {self.out.place})"
                bytes = self.atom(Value(call, *ADDRESSES, 1)).source
                result = Value(wrapped(bytes, type), type.minimum, type.maximum, 3)
            case Float():
                result = self._float(e)
        return self.atom(result) if result.depth > MAX_DEPTH else result

    def condition(self, e: Expr) -> str:
        """Source that is true in Python exactly where `e` is non-zero."""
        if not isinstance(e, Compare):
            return self.value(e).source
        if e.op == "==" and e.right == Const(0, e.right.type) and isinstance(e.left, Compare):
            return f"not {self.condition(e.left)}"
        a, b = self.value(e.left), self.value(e.right)
        if isinstance(e.left.type, PtrType) and e.op not in ("==", "!="):
            a, b = self.atom(a), self.atom(b)
            with self.out.block(f"if ({a.source} ^ {b.source}) >> {OFFSET_BITS}:"):
                self.out.line(f"order({a.source}, {b.source}, {self.out.place})")
        elif isinstance(e.left.type, PtrType) and self._has_lifetime(a) and self._has_lifetime(b):
            a, b = self.atom(a), self.atom(b)
            self._observe_lifetimes(a.source, b.source)
        return f"({a.source} {e.op} {b.source})"

    def _has_lifetime(self, v: Value) -> bool:
        """Whether it may be the address of an object whose lifetime ends."""
        if v.low < v.high:
            return v.high >= PLAIN_LIMIT
        info = self.out.context.objects.find(v.low)
        return info is not None and info.mortal

    def _observe_lifetimes(self, a: str, b: str) -> None:
        """Emits the observation that two addresses are told apart, NOTE(reuse)."""
        out = self.out
        with out.block(f"if {a} != {b} and {a} >= {PLAIN_LIMIT} <= {b}:"):
            told_apart = f"told_apart({out.memory}, {a}, {b}, {out.place})"
            if out.recording:
                info = out.temporary()
                with out.block(f"for {info} in {told_apart}:"):
                    out.line(f"record.observed({info})")
            else:
                out.line(told_apart)

    def atom(self, v: Value) -> Value:
        """The value in a form that may be repeated."""
        if v.simple:
            return v
        name = self.out.temporary()
        self.out.line(f"{name} = {v.source}")
        return Value(name, v.low, v.high, drift=v.drift)

    def simple(self, e: Expr) -> str:
        """The value of an expression as a name or a number."""
        return self.atom(self.value(e)).source

    # -- integers -------------------------------------------------------------------------------

    def _fit(self, v: Value, type: IntType) -> Value:
        """An exact result brought into its type: by wrapping, or as signed overflow."""
        if type.minimum <= v.low and v.high <= type.maximum:
            return v
        if not type.signed or self._overflow is Overflow.WRAP:
            return Value(wrapped(v.source, type), type.minimum, type.maximum, v.depth + 3)
        v = self.atom(Value(v.source, v.low, v.high, 1))
        if type.minimum <= v.low:
            check = f"if {v.source} > {type.maximum}:"
        elif v.high <= type.maximum:
            check = f"if {v.source} < {type.minimum}:"
        else:
            check = f"if not {type.minimum} <= {v.source} <= {type.maximum}:"
        self._overflow_if(check)
        return Value(v.source, max(v.low, type.minimum), min(v.high, type.maximum))

    @property
    def _overflow(self) -> Overflow:
        return self.out.context.program.signed_overflow

    def _overflow_if(self, check: str) -> None:
        with self.out.block(check):
            if self._overflow is Overflow.ERROR:
                fault = f"'signed overflow', {self.out.place}, {NO_OVERFLOW!r}"
                self.out.line(f"raise undefined({fault})")
            else:
                self.out.line(f"raise overflow({self.out.place})")

    def _unary(self, op: str, type: object, a: Value) -> Value:
        assert isinstance(type, IntType)
        if op == "-":
            return self._fit(Value(f"(-{a.source})", -a.high, -a.low, a.depth + 1), type)
        if type.signed:
            return Value(f"(~{a.source})", ~a.high, ~a.low, a.depth + 1)
        top = type.maximum
        return Value(f"({top} ^ {a.source})", top - a.high, top - a.low, a.depth + 1)

    def _binary(self, op: str, type: object, a: Value, b: Value, right: object) -> Value:
        assert isinstance(type, IntType)
        depth = max(a.depth, b.depth) + 1
        plain = f"({a.source} {op} {b.source})"
        match op:
            case "+":
                return self._fit(Value(plain, a.low + b.low, a.high + b.high, depth), type)
            case "-":
                return self._fit(Value(plain, a.low - b.high, a.high - b.low, depth), type)
            case "*":
                corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
                return self._fit(Value(plain, min(corners), max(corners), depth), type)
            case "/" | "%":
                return self._divide(op, type, a, b)
            case "<<" | ">>":
                return self._shift(op, type, a, b)
        low, high = type.minimum, type.maximum
        if op == "&" and (a.low >= 0 or b.low >= 0):
            high = min(v.high for v in (a, b) if v.low >= 0)
            low = 0
        elif a.low >= 0 and b.low >= 0:
            low, high = 0, (1 << max(a.high.bit_length(), b.high.bit_length())) - 1
        return Value(plain, low, high, depth)

    def _divide(self, op: str, type: IntType, a: Value, b: Value) -> Value:
        a, b = self.atom(a), self.atom(b)
        if b.low <= 0 <= b.high:
            self._fault_if(f"{b.source} == 0", "division by zero")
        x, y = a.source, b.source
        if a.low >= 0 and b.low >= 0:
            return Value(f"({x} {'//' if op == '/' else '%'} {y})", 0, a.high, 1)
        if op == "%":
            lowest = a.low <= type.minimum and b.low <= -1 <= b.high
            if lowest and self._overflow is not Overflow.WRAP:
                self._overflow_if(f"if {x} == {type.minimum} and {y} == -1:")
            rest = f"({x} % abs({y}) if {x} >= 0 else -(-{x} % abs({y})))"
            bound = max(abs(b.low), abs(b.high), 1) - 1
            return Value(rest, max(min(a.low, 0), -bound), min(max(a.high, 0), bound), 2)
        bound = max(abs(a.low), abs(a.high))
        quotient = f"({x} // {y} if ({x} >= 0) == ({y} > 0) else -(-{x} // {y}))"
        return self._fit(Value(quotient, -bound, bound, 2), type)

    def _shift(self, op: str, type: IntType, a: Value, b: Value) -> Value:
        if b.low < 0 or b.high >= type.bits:
            b = self.atom(b)
            self._fault_if(f"not 0 <= {b.source} < {type.bits}", "bad shift")
        depth = max(a.depth, b.depth) + 1
        most = max(0, min(b.high, type.bits - 1))
        if op == ">>":
            shifted = f"({a.source} >> {b.source})"
            return Value(shifted, min(a.low, 0), max(a.high, 0), depth)
        if type.signed and self._overflow is Overflow.ERROR and a.high << most > type.maximum:
            a, b = self.atom(a), self.atom(b)
            self._overflow_if(f"if {a.source} << {b.source} > {type.maximum}:")
        shifted = f"({a.source} << {b.source})"
        if type.minimum <= a.low << most and a.high << most <= type.maximum:
            return Value(shifted, min(a.low << most, 0), max(a.high << most, 0), depth)
        return Value(wrapped(shifted, type), type.minimum, type.maximum, depth + 3)

    def _fault_if(self, condition: str, kind: str) -> None:
        with self.out.block(f"if {condition}:"):
            self.out.line(f"raise undefined({kind!r}, {self.out.place})")

    def _float(self, e: Float) -> Value:
        values = [self.value(a) for a in e.args]
        of = e.args[0].type
        assert isinstance(of, IntType)
        function = self.out.bind("F", operation(e.op, of, e.type))
        call = f"{function}({', '.join(v.source for v in values)})"
        result = Value(call, *bounds(e), max(v.depth for v in values) + 1)
        if e.op == "to":
            result = self.atom(result)
            self._fault_if(f"{result.source} is None", UNHELD)
        return result

    # -- pointers and conversions ---------------------------------------------------------------

    def _address(self, name: str, offset: int) -> Value:
        info = self.out.context.static(self.out.code, name)
        if info is not None:
            return number(info.base + offset)
        base = self.out.context.local_bases(self.out.code.template.name, name)
        source = f"{self.out.bind('L', base)}[t]"
        return Value(f"({source} + {offset})" if offset else source, *ADDRESSES, 1)

    def _convert(self, v: Value, of: object, to: object) -> Value:
        where = self.out.place
        if isinstance(to, PtrType):
            limit = min(PLAIN_LIMIT, 1 << 8 * to.size)
            if isinstance(of, PtrType) or (v.low >= 0 and v.high < limit):
                return v
            assert isinstance(of, IntType)
            if of.bits >= 64:
                return Value(f"to_pointer({v.source}, {where})", *ADDRESSES, v.depth + 1)
            mask = (1 << 8 * to.size) - 1
            return Value(f"({v.source} & {mask})", 0, mask, v.depth + 1)
        assert isinstance(to, IntType)
        if isinstance(of, PtrType) and v.high >= PLAIN_LIMIT:
            v = self.atom(v)
            kind = self.out.bind("K", self.out.context.kinds.of(to))
            with self.out.block(f"if {v.source} >= {PLAIN_LIMIT}:"):
                self.out.line(f"inspect({v.source}, {kind}, {where})")
        if to.minimum <= v.low and v.high <= to.maximum:
            return v
        return Value(wrapped(v.source, to), to.minimum, to.maximum, v.depth + 3)

    def _move(self, p: Value, d: Value, address: bool) -> Value:
        if p.low == p.high and d.low == d.high and PLAIN_LIMIT <= p.low < NEGATIVE_PLAIN:
            moved = p.low + d.low
            if (moved + HALF) >> OFFSET_BITS == (p.low + HALF) >> OFFSET_BITS:
                return number(moved)
        drift = (p.drift[0] + d.low, p.drift[1] + d.high)
        if address and drift[0] >= -HALF and drift[1] < HALF:
            depth = max(p.depth, d.depth) + 1
            return Value(f"({p.source} + {d.source})", *ADDRESSES, depth, drift)
        p, d = self.atom(p), self.atom(d)
        x = self.out.temporary()
        self.out.line(f"{x} = {p.source} + {d.source}")
        unusual = f"{p.source} < {PLAIN_LIMIT} or ({x} + {HALF} ^ {p.source} + {HALF}) >> 32"
        if self.out.context.program.pointer_size > 4:
            unusual += f" or {p.source} >= {NEGATIVE_PLAIN}"
        with self.out.block(f"if {unusual}:"):
            self.out.line(f"{x} = move({p.source}, {d.source}, {self.out.place})")
        return Value(x, *ADDRESSES)
