"""Numbers of expressions: sums of variables between bounds ([Zones01]), and rests.

What is known of a number `x` by its rest is that `x - rest` is a multiple of a modulus
([Granger89]). The modulus 0 stands for the number itself, 1 for any number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import gcd
from typing import Protocol

from abpress.ir.bounds import scalar_bounds
from abpress.ir.expr import Binary, Const, Convert, Expr, PtrDiff, Reg, Unary, walk
from abpress.ir.intervals import Interval, within
from abpress.ir.types import INDEX, IntType, PtrType, Scalar
from abpress.modular.bounds.places import Pointees, carrier, minus, number_carried
from abpress.modular.bounds.zone import ZERO, Zone
from abpress.modular.handed import read_as
from abpress.modular.numbers.box import Box, value_of

Rest = tuple[int, int]
"""The modulus, and the rest: less than the modulus, if that is not 0."""

ANY: Rest = (1, 0)


def rest(modulus: int, of: int) -> Rest:
    """The rest of a number."""
    return (modulus, of % modulus) if modulus else (0, of)


def either(a: Rest, b: Rest) -> Rest:
    """What holds of numbers of which one or the other holds."""
    return rest(gcd(a[0], b[0], a[1] - b[1]), a[1])


def follows(a: Rest, b: Rest) -> bool:
    """Whether `b` holds of all numbers of which `a` does."""
    return either(a, b) == b


def total(parts: Iterable[tuple[int, Rest]], number: int) -> Rest:
    """The rest of a number and of so many times each of others."""
    modulus, its = 0, number
    for factor, (m, r) in parts:
        modulus = gcd(modulus, factor * m)
        its += factor * r
    return rest(modulus, its)


def least(low: int, of: Rest) -> int:
    """The least number that is not less than a bound."""
    modulus, its = of
    return low + (its - low) % modulus if modulus else low


def most(high: int, of: Rest) -> int:
    """The greatest number that is not greater than a bound."""
    modulus, its = of
    return high - (high - its) % modulus if modulus else high


def is_small(type: Scalar) -> bool:
    """Whether numbers of a type are what differences and rests are about: not sets of threads."""
    return isinstance(type, IntType) and type.bits <= INDEX.bits


Terms = tuple[tuple[str, int], ...]
"""Variables, and how many times each."""

_BITS = 64

MOST_TERMS = 4
"""Variables of sums that are bounded by differences of two of them."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of multiples of variables, and of a number between bounds."""

    terms: Terms
    low: int
    high: int

    def plus(self, other: Sum, factor: int = 1) -> Sum:
        """This one, and so many times another one."""
        factors = dict(self.terms)
        for name, k in other.terms:
            factors[name] = factors.get(name, 0) + k * factor
        terms = tuple(sorted((n, k) for n, k in factors.items() if k))
        low, high = sorted((factor * other.low, factor * other.high))
        return Sum(terms, self.low + low, self.high + high)

    def times(self, factor: int) -> Sum:
        """So many times this one."""
        return number(0).plus(self, factor)

    def over(self, divisor: int) -> Sum | None:
        """The part of it, if it is a whole number whatever the variables are."""
        if any(n % divisor for n in (self.low, self.high, *dict(self.terms).values())):
            return None
        terms = tuple((name, k // divisor) for name, k in self.terms)
        return Sum(terms, self.low // divisor, self.high // divisor)

    @property
    def is_exact(self) -> bool:
        """Whether the number is known."""
        return self.low == self.high


def number(low: int, high: int | None = None) -> Sum:
    """A number, or one between bounds."""
    return Sum((), low, low if high is None else high)


def is_divided(e: Expr) -> bool:
    """Whether a number is computed by a division, a shift, or by cutting bits."""
    return any(isinstance(sub, Binary) and sub.op in ("/", ">>", "%", "&") for sub in walk(e))


class NumbersKnown(Protocol):
    """What a thread knows of numbers, and of pointers (`State`)."""

    zone: Zone
    pointers: dict[str, Pointees]
    flags: dict[str, int]
    rests: dict[str, Rest]
    wrapped: dict[str, tuple[str, int]]

    def rest(self, name: str) -> Rest:
        """The rest of a number."""


def _unknown(e: Expr) -> Sum | None:
    return None


@dataclass(slots=True)
class Values:
    """Evaluates expressions in a state. `types` are those of the variables; some are between
    closer `limits`. `offset` says how far a pointer is behind the begin of its object."""

    state: NumbersKnown
    types: dict[str, Scalar]
    limits: Mapping[str, Interval]
    wraps: bool
    offset: Callable[[Expr], Sum | None] = _unknown

    def range(self, name: str) -> Interval:
        """The least and the greatest value of a variable."""
        low, high = self.limits.get(name) or scalar_bounds(self.types[name])
        its, above = self.state.zone.low(name), self.state.zone.high(name)
        if above is None and name in self.limits:
            above = self.state.zone.highest(name)
        modulo = self.state.rests.get(name, ANY)
        return (
            least(low if its is None else max(low, its), modulo),
            most(high if above is None else min(high, above), modulo),
        )

    def rest(self, s: Sum | None, type: Scalar) -> Rest:
        """The rest of a sum that is a number of a type; only small ones have any."""
        if s is None or not s.is_exact or not is_small(type):
            return ANY
        return total(((k, self.state.rest(name)) for name, k in s.terms), s.low)

    def bounds(self, s: Sum) -> Interval:
        """An interval with all values of a sum."""
        if not s.terms:
            return s.low, s.high
        ranges = {name: self.range(name) for name, _ in s.terms}
        least = -self._most(tuple((name, -k) for name, k in s.terms), ranges)
        return least + s.low, self._most(s.terms, ranges) + s.high

    def _most(self, terms: Terms, ranges: Mapping[str, Interval]) -> int:
        """What a sum is at most, by the ranges of variables and by differences of two of them."""
        if not terms:
            return 0
        (x, k), *others = terms
        most = max(k * n for n in ranges[x]) + self._most(tuple(others), ranges)
        for at, (y, factor) in enumerate(others if len(terms) <= MOST_TERMS else ()):
            other = y if factor == -k else minus(y)
            pair = (x, other) if k > 0 else (other, x)
            bound = self.state.zone.bound(*pair) if abs(factor) == abs(k) else None
            if bound is not None:
                rest = self._most((*others[:at], *others[at + 1 :]), ranges)
                most = min(most, abs(k) * bound + rest)
        return most

    def sum(self, e: Expr) -> Sum | None:
        """A sum with the value of an integer expression; where there is none of variables, one
        between bounds."""
        found = self._sum(e)
        if found is not None or not isinstance(e.type, IntType):
            return found
        interval = self._box_interval(e)
        return None if interval is None else number(*interval)

    def _sum(self, e: Expr) -> Sum | None:
        type = e.type
        if not isinstance(type, IntType):
            return None
        match e:
            case Const(n, _):
                return number(n)
            case Reg(name, _):
                if name in self.state.flags:
                    return number(self.state.flags[name])
                return Sum(((name, 1),), 0, 0)
            case Convert(arg, _) if isinstance(arg.type, PtrType):
                number_ = self.number_in(arg)
                return None if number_ is None else self._sum(read_as(number_, arg.type, type))
            case Convert(arg, _):
                return self._fitting(self.sum(arg), type, True)
            case PtrDiff(a, b):
                left, right = self.offset(a), self.offset(b)
                if left is None or right is None:
                    return None
                return self._fitting(left.plus(right, -1), type, True)
            case Unary("-", arg):
                inner = self.sum(arg)
                return None if inner is None else self._fitting(inner.times(-1), type, self.wraps)
            case Binary("+" | "-" as op, a, b):
                left, right = self.sum(a), self.sum(b)
                if left is None or right is None:
                    return None
                return self._fitting(left.plus(right, 1 if op == "+" else -1), type, self.wraps)
            case Binary("*", a, b):
                left, right = self.sum(a), self.sum(b)
                for x, y in ((left, right), (right, left)):
                    if x is not None and y is not None and not y.terms and y.is_exact:
                        return self._fitting(x.times(y.low), type, self.wraps)
                return None
            case Binary("/", a, Const(k, _)) if k > 0:
                left = self.sum(a)
                return None if left is None else left.over(k)
            case _:
                return None

    def number_in(self, e: Expr) -> Expr | None:
        """The number that a pointer is, if it is known not to be an address."""
        return number_carried(e, self.types)

    def enclosing(self, e: Expr) -> Iterator[Sum]:
        """Sums of which each has all values of an integer expression, for what is lost if it is
        divided, or cut."""
        match e:
            case Convert(arg, type) if isinstance(type, IntType):
                for its in self.enclosing(arg):
                    if within(self.bounds(its), scalar_bounds(type)):
                        yield its
            case Binary("+" | "-" as op, a, b):
                for left in self.enclosing(a):
                    for right in self.enclosing(b):
                        both = left.plus(right, 1 if op == "+" else -1)
                        if within(self.bounds(both), scalar_bounds(e.type)):
                            yield both
            case Binary("/" | ">>" | "%" | "&", a, b):
                of, by = self.sum(a), self.sum(b)
                if of is not None and by is not None:
                    yield from self._parts(e.op, of, by)
            case _:
                found = self.sum(e)
                if found is not None:
                    yield found

    def _parts(self, op: str, of: Sum, by: Sum) -> Iterator[Sum]:
        """The same of an operation whose result is a part of what is not negative."""
        (low, high), (least, most) = self.bounds(of), self.bounds(by)
        if low < 0 or least < (op in "/%"):
            return
        match op:
            case "/" | ">>" if least == most:
                k = least if op == "/" else 1 << min(least, _BITS)
                for part in (number(0), of, *(Sum(((name, 1),), 0, 0) for name, _ in of.terms)):
                    a, b = self.bounds(of.plus(part, -k))
                    yield part.plus(number(a // k, b // k))
            case "/":
                yield number(low // most, high // least)
                yield of.plus(number(-high, 0))
            case "%":
                yield of.plus(number(-high, 0))
                yield by.plus(number(-most, -1))
            case "&":
                yield of.plus(number(-high, 0))
                yield by.plus(number(-most, 0))
            case _:
                pass

    def wraps_to(self, name: str, e: Expr) -> tuple[str, int] | None:
        """The register whose difference, modulo its type, a number without a sign gets."""
        type = self.types[name]
        if "@" in name or not isinstance(type, IntType) or type.signed:
            return None
        match e:
            case Binary("-", Reg(x, its), Const(c, _)) if its == type:
                for y in (x,) if x != name else self.state.zone.equals(name):
                    if "@" not in y and self.types.get(y) == type:
                        return y, -c
            case _:
                pass
        return None

    def unwrap(self) -> None:
        """Notes what registers hold whose sums are known not to have wrapped around."""
        for name, (other, c) in list(self.state.wrapped.items()):
            low, high = self.range(other)
            if within((low + c, high + c), scalar_bounds(self.types[name])):
                del self.state.wrapped[name]
                zone = self.state.zone
                zone.add(name, other, c)
                zone.add(other, name, -c)
                if {minus(name), minus(other)} <= self.limits.keys():
                    zone.add(minus(name), minus(other), -c)
                    zone.add(minus(other), minus(name), c)

    def _fitting(self, s: Sum | None, type: IntType, strict: bool) -> Sum | None:
        """The sum, if it is a value of the type; else the operation wraps, or ends."""
        if s is None or within(self.bounds(s), scalar_bounds(type)):
            return s
        return None if strict or not type.signed else s

    def interval(self, e: Expr) -> Interval | None:
        """An interval with all values of an integer expression."""
        s = self.sum(e)
        if s is None:
            return None
        low, high = self.bounds(s)
        lowest, highest = scalar_bounds(e.type)
        if low > highest or lowest > high:
            return None
        return max(low, lowest), min(high, highest)

    def _box_interval(self, e: Expr) -> Interval | None:
        box = Box()
        for name in self.state.zone.names() | self.state.flags.keys():
            flag = self.state.flags.get(name)
            its = self.range(name) if flag is None else (flag, flag)
            box.regs[carrier(name) or name] = its
        found = value_of(e, box)
        return scalar_bounds(e.type) if found is None or self.wraps else found

    def assume(self, op: str, a: Expr, b: Expr) -> bool:
        """Notes a comparison in the zone; returns whether it is possible."""
        left, right = self.sum(a), self.sum(b)
        if left is not None and right is not None and not self.compare(op, left, right):
            return False
        if not (is_divided(a) or is_divided(b)):
            return True
        return all(
            self.compare(op, one, other)
            for one in list(self.enclosing(a))
            for other in list(self.enclosing(b))
        )

    def compare(self, op: str, left: Sum, right: Sum) -> bool:
        """Notes a comparison of two numbers in sums; returns whether it is possible."""
        s = left.plus(right, -1)
        low, high = self.bounds(s)
        match op:
            case "<":
                return low <= -1 and self.at_most(s, -1)
            case "<=":
                return low <= 0 and self.at_most(s, 0)
            case ">" | ">=":
                return self.compare("<" if op == ">" else "<=", right, left)
            case "==":
                if low > 0 or high < 0:
                    return False
                return self.at_most(s, 0) and self.at_most(s.times(-1), 0)
            case _:
                if low == high == 0:
                    return False
                if high == 0 and not self.at_most(s, -1):
                    return False
                return low != 0 or self.at_most(s.times(-1), -1)

    def _differ(self, x: str, y: str, c: int) -> bool:
        """Notes that one variable is at most another one and a number, and what follows of each
        from the type of the other."""
        zone = self.state.zone
        if not zone.add(x, y, c):
            return False
        least_y, most_x = self.range(x)[0] - c, self.range(y)[1] + c
        low, high = self.range(y)[0], self.range(x)[1]
        return (most_x >= high or zone.add(x, ZERO, most_x)) and (
            least_y <= low or zone.add(ZERO, y, -least_y)
        )

    def at_most(self, s: Sum, c: int) -> bool:
        """Notes that a sum is at most a number; returns whether that is possible."""
        bound = c - s.low
        match s.terms:
            case ():
                return bound >= 0
            case ((x, k),):
                if k > 0:
                    return self._up_to(x, bound // k)
                return self._from(x, -(bound // -k))
            case ((x, a), (y, b)) if a == -b:
                if a < 0:
                    x, y, a = y, x, b
                return self._differ(x, y, bound // a)
            case terms if len(terms) <= MOST_TERMS:
                return all(self._bounded(name, k, s, c) for name, k in terms)
            case _:
                return True

    def _bounded(self, name: str, k: int, s: Sum, c: int) -> bool:
        """Notes a bound of one variable of a sum that is at most a number."""
        rest = Sum(tuple(term for term in s.terms if term[0] != name), s.low, s.high)
        bound = c - self.bounds(rest)[0]
        low, high = self.range(name)
        if k > 0:
            return bound // k >= high or self._up_to(name, bound // k)
        return bound // -k >= -low or self._from(name, -(bound // -k))

    def _up_to(self, name: str, most: int) -> bool:
        zone, other = self.state.zone, minus(name)
        return zone.add(name, ZERO, most) and (
            other not in self.limits or zone.add(ZERO, other, most)
        )

    def _from(self, name: str, least: int) -> bool:
        zone, other = self.state.zone, minus(name)
        return zone.add(ZERO, name, -least) and (
            other not in self.limits or zone.add(other, ZERO, -least)
        )
