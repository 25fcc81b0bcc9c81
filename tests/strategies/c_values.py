"""C's integer types and arithmetic, independent of the frontend.

An `Expr` is C text together with a Python function that computes its value in an environment.
Expressions are defined by construction: operands of signed arithmetic are clipped, divisors are
positive, shifts are small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Env = dict[str, Any]
"""Variables by name: integers, lists (arrays), dictionaries (structs), references (pointers)."""

Reference = tuple[Any, Any]
"""A place: a container (an environment, list or dictionary) and a key."""

EVERYTHING = "*"
"""In the sets of what an expression reads and writes: any object."""


@dataclass(frozen=True)
class IntType:
    name: str
    bits: int
    signed: bool
    rank: int

    def convert(self, n: int) -> int:
        if self.rank == 0:
            return int(n != 0)
        n &= (1 << self.bits) - 1
        return n - (1 << self.bits) if self.signed and n >> (self.bits - 1) else n


def types(data_model: str) -> dict[str, IntType]:
    """The integer types of a data model by name."""
    long = 64 if data_model == "LP64" else 32
    rows = [
        ("int", 32, True, 3), ("unsigned", 32, False, 3), ("signed char", 8, True, 1),
        ("unsigned char", 8, False, 1), ("short", 16, True, 2), ("unsigned short", 16, False, 2),
        ("long", long, True, 4), ("unsigned long", long, False, 4), ("long long", 64, True, 5),
        ("unsigned long long", 64, False, 5), ("_Bool", 8, False, 0),
    ]  # fmt: skip
    return {row[0]: IntType(*row) for row in rows}


@dataclass(frozen=True)
class Expr:
    text: str
    type: IntType
    value: Callable[[Env], int]
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Place:
    """An lvalue; `width` of a bit-field. `reads` is what finding it reads, `root` what it is in."""

    text: str
    type: IntType
    find: Callable[[Env], Reference]
    root: str
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    width: int | None = None

    def stored(self, n: int) -> int:
        """What is there after n was written."""
        if self.width is None:
            return self.type.convert(n)
        return IntType("", self.width, self.type.signed, self.type.rank).convert(n)


def clash(a: Expr | Place, b: Expr | Place) -> bool:
    """Whether the two must not be unsequenced."""
    return _touches(a.writes, b.reads | b.writes) or _touches(b.writes, a.reads | a.writes)


def _touches(a: frozenset[str], b: frozenset[str]) -> bool:
    return bool(a & b) or bool(a and b and EVERYTHING in a | b)


class Arithmetic:
    """Builds expressions under a data model."""

    def __init__(self, data_model: str) -> None:
        self.types = types(data_model)
        self.int = self.types["int"]
        self.size_t = self.types["unsigned long" if data_model == "LP64" else "unsigned"]

    def promoted(self, t: IntType) -> IntType:
        return self.int if t.rank < 3 else t

    def usual(self, a: IntType, b: IntType) -> IntType:
        """C11 6.3.1.8."""
        a, b = self.promoted(a), self.promoted(b)
        if a.signed == b.signed:
            return max(a, b, key=lambda t: t.rank)
        unsigned, signed = (b, a) if a.signed else (a, b)
        if unsigned.rank >= signed.rank:
            return unsigned
        if signed.bits > unsigned.bits:
            return signed
        return self.types["unsigned " + signed.name]

    def constant(self, n: int, suffix: str = "") -> Expr:
        """A constant of type int, or of the type of its suffix, in whose range it is."""
        named = {"": "int", "u": "unsigned", "ll": "long long", "ull": "unsigned long long"}
        type = self.types[named[suffix]]
        n = type.convert(n)
        if type.signed and n == type.convert(1 << type.bits - 1):
            n += 1
        return Expr(f"({n}{suffix})" if n < 0 else f"{n}{suffix}", type, lambda _: n)

    def cast(self, type: IntType, e: Expr) -> Expr:
        value = e.value
        return Expr(
            f"({type.name})({e.text})",
            type,
            lambda env: type.convert(value(env)),
            e.reads,
            e.writes,
        )

    def clipped(self, e: Expr, common: IntType) -> Expr:
        """e, or a part of it, so small that signed arithmetic cannot overflow in `common`."""
        if not common.signed or self._bound(e.type) * 2 <= common.bits:
            return e
        if common.bits == 32:
            return self.cast(self.types["short"], e)
        return self.cast(common, self.cast(self.int, e))

    def _bound(self, t: IntType) -> int:
        return t.bits + (not t.signed) if t.rank else 2

    def fits(self, t: IntType, other: IntType) -> bool:
        """Whether a value of type t, which cannot be clipped, can be added to one of `other`."""
        common = self.usual(t, other)
        return not common.signed or self._bound(t) * 2 <= common.bits

    def unary(self, op: str, e: Expr) -> Expr:
        value = e.value
        if op == "!":
            return Expr(
                f"!({e.text})", self.int, lambda env: int(not value(env)), e.reads, e.writes
            )
        t = self.promoted(e.type)
        if op == "-":
            e = self.clipped(e, t)
            value, t = e.value, self.promoted(e.type)
            return Expr(f"-({e.text})", t, lambda env: t.convert(-value(env)), e.reads, e.writes)
        return Expr(f"~({e.text})", t, lambda env: t.convert(~value(env)), e.reads, e.writes)

    def binary(self, op: str, a: Expr, b: Expr) -> Expr:
        """An operator that evaluates both operands, of which the caller knows that they may be
        unsequenced; divisors and shift counts are made valid here."""
        if op in ("<<", ">>"):
            b = self.masked(b, 7)
            t = self.promoted(a.type)
            if op == "<<" and t.signed:
                a = self.masked(a, 255)
            t = self.promoted(a.type)
        else:
            t = self.usual(a.type, b.type)
            if op in "+-*":
                a, b = self.clipped(a, t), self.clipped(b, t)
            elif op in "/%":
                b = self.added(self.masked(b, 7), 1)
            t = self.usual(a.type, b.type)
        compute = self.operator(op, t)
        result = self.int if op in COMPARISONS else t
        x, y = a.value, b.value
        return Expr(
            f"({a.text}) {op} ({b.text})",
            result,
            lambda env: compute(x(env), y(env)),
            a.reads | b.reads,
            a.writes | b.writes,
        )

    def operator(self, op: str, t: IntType) -> Callable[[int, int], int]:
        """The operator on values that are converted to t (but for shift counts)."""
        compute, convert = OPERATORS[op], t.convert
        if op in ("<<", ">>"):
            return lambda x, y: convert(compute(convert(x), y))
        if op in COMPARISONS:
            return lambda x, y: int(compute(convert(x), convert(y)))
        return lambda x, y: convert(compute(convert(x), convert(y)))

    def masked(self, e: Expr, mask: int) -> Expr:
        t = self.promoted(e.type)
        value = e.value
        return Expr(
            f"({e.text}) & {mask}", t, lambda env: t.convert(value(env)) & mask, e.reads, e.writes
        )

    def added(self, e: Expr, n: int) -> Expr:
        """e, which is small, plus a small constant."""
        value = e.value
        return Expr(
            f"({e.text}) + {n}",
            self.promoted(e.type),
            lambda env: value(env) + n,
            e.reads,
            e.writes,
        )

    def index(self, e: Expr, length: int) -> Expr:
        """e as an index: length is a power of two."""
        return self.masked(e, length - 1)


def _quotient(a: int, b: int) -> int:
    return a // b if a >= 0 else -(-a // b)


OPERATORS: dict[str, Callable[[int, int], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _quotient,
    "%": lambda a, b: a - b * _quotient(a, b),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}

COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
