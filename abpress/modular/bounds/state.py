"""What a thread knows where it stands: differences of numbers, pointers, and flags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from abpress.ir.bounds import scalar_bounds
from abpress.ir.expr import Binary, Const, Convert, Expr, Reg, Unary
from abpress.ir.intervals import Interval, within
from abpress.ir.types import INDEX, IntType, Scalar
from abpress.modular.bounds.indexed import ANYWHERE, index_of, indexed_by
from abpress.modular.bounds.members import register_of, site_of
from abpress.modular.bounds.places import Pointees, all_places
from abpress.modular.bounds.rests import ANY, Rest, either, follows, least, most, total
from abpress.modular.bounds.zone import ZERO, Zone
from abpress.modular.numbers.box import Box, value_of

MOST_POINTEES = 16
"""Places that a pointer may point to."""

Flags = tuple[tuple[str, int], ...]


@dataclass(slots=True)
class State:
    """Mutable. `pointers` says where registers and cells point, `flags` what registers hold that
    only ever hold numbers of the text, `rests` what is known of numbers but for differences. Of the
    places in `fresh` the thread may have an object that only it knows; of what is in that of
    another place, anything is true. Registers hold the `same` as what is behind where others point.
    NOTE(members)"""

    zone: Zone = field(default_factory=Zone)
    pointers: dict[str, Pointees] = field(default_factory=dict)
    flags: dict[str, int] = field(default_factory=dict)
    rests: dict[str, Rest] = field(default_factory=dict)
    fresh: set[str] = field(default_factory=set)
    same: dict[str, str] = field(default_factory=dict)

    def copy(self) -> State:
        """Another one that says the same."""
        return State(
            self.zone.copy(),
            dict(self.pointers),
            dict(self.flags),
            dict(self.rests),
            set(self.fresh),
            dict(self.same),
        )

    def names(self) -> set[str]:
        """The registers and cells of which something is known."""
        return self.zone.names() | self.pointers.keys() | self.flags.keys() | self.rests.keys()

    def rest(self, name: str) -> Rest:
        """The rest of a number."""
        low, high = self.zone.low(name), self.zone.high(name)
        return (0, low) if low is not None and low == high else self.rests.get(name, ANY)

    def tighten(self, name: str) -> bool:
        """Notes the bounds of a number that follow from its rest; returns whether there are
        numbers between them."""
        its = self.rests.get(name, ANY)
        low, high = self.zone.low(name), self.zone.high(name)
        return (high is None or self.zone.add(name, ZERO, most(high, its))) and (
            low is None or self.zone.add(ZERO, name, -least(low, its))
        )

    def key(self) -> Flags:
        """What tells states of one location apart."""
        return tuple(sorted(self.flags.items()))

    def forget(self, names: set[str]) -> None:
        """Forgets what these registers and cells hold."""
        steps = {index_of(name) for name in names & self.pointers.keys()}
        self.zone.forget(names | steps)
        for name in steps:
            self.rests.pop(name, None)
        for name in names:
            self.pointers.pop(name, None)
            self.flags.pop(name, None)
            self.rests.pop(name, None)
            self.same.pop(name, None)
        self.forget_behind({n for n in self.pointers if n in names or register_of(n) in names})

    def forget_behind(self, names: set[str]) -> None:
        """Forgets what is behind where registers point."""
        for name in names:
            self.pointers.pop(name, None)
        for register in [r for r, name in self.same.items() if name in names]:
            del self.same[register]

    def joined(self, other: State) -> State:
        """What holds in either."""
        return self._either(other, self.zone.joined(other.zone), None)

    def widened(
        self,
        other: State,
        greatest: Iterable[int] = (),
        kept: frozenset[str] = frozenset(),
    ) -> State:
        """What holds in either, where what grows is widened, to the `greatest` numbers first, but
        for what is known of `kept` registers."""
        its = {name for name in self.zone.names() if (indexed_by(name) or name) in kept}
        return self._either(other, self.zone.widened(other.zone, greatest, its), kept)

    def _either(self, other: State, zone: Zone, kept: frozenset[str] | None) -> State:
        """What holds in either, but for differences; `kept` registers are not widened."""
        pointers = {}
        for name, places in self.pointers.items():
            its = other.pointers.get(name, frozenset())
            both = places if places == its else all_places(places | its)
            if name not in other.pointers or len(both) > MOST_POINTEES:
                continue
            if kept is None or name in kept or _is_part(both, places):
                pointers[name] = both
            elif zone.low(index_of(name)) is not None or zone.high(index_of(name)) is not None:
                pointers[name] = frozenset((o, *ANYWHERE) for o, *_ in both)
        lost = {index_of(name) for name in self.pointers.keys() - pointers.keys()}
        zone.forget(lost)
        for one, another in ((self, other), (other, self)):
            pointers |= {
                name: places
                for name, places in one.pointers.items()
                if (site := site_of(name)) is not None and site not in another.fresh
            }
        flags = {n: v for n, v in self.flags.items() if other.flags.get(n) == v}
        same = {r: n for r, n in self.same.items() if other.same.get(r) == n and n in pointers}
        rests = {n: its for n, its in self._rests_of_either(other).items() if n not in lost}
        return State(zone, pointers, flags, rests, self.fresh | other.fresh, same)

    def _rests_of_either(self, other: State) -> dict[str, Rest]:
        fixed = {x for x, y in self.zone.most if not y and self.rest(x)[0] == 0}
        found = {x: either(self.rest(x), other.rest(x)) for x in sorted(fixed | self.rests.keys())}
        return {x: its for x, its in found.items() if its[0] > 1}

    def and_also(self, other: State) -> bool:
        """Notes what another state says, which holds as well; returns whether that is possible."""
        for name, places in other.pointers.items():
            self.pointers.setdefault(name, places)
        return all(self.zone.add(x, y, c) for (x, y), c in sorted(other.zone))

    def implies(self, other: State) -> bool:
        """Whether all that another state says is said here."""
        return (
            all(self.flags.get(n) == v for n, v in other.flags.items())
            and all(
                n in self.pointers and _is_part(self.pointers[n], p)
                for n, p in other.pointers.items()
                if (site := site_of(n)) is None or site in self.fresh
            )
            and self.fresh <= other.fresh
            and all(self.same.get(r) == n for r, n in other.same.items())
            and all(follows(self.rest(n), its) for n, its in other.rests.items())
            and self.zone.implies(other.zone)
        )


def _is_part(inner: Pointees, outer: Pointees) -> bool:
    """Whether places are among others."""
    return all_places(inner | outer) == outer


def is_small(type: Scalar) -> bool:
    """Whether numbers of a type are what differences and rests are about: not sets of threads."""
    return isinstance(type, IntType) and type.bits <= INDEX.bits


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of multiples of variables, and of a number between bounds."""

    terms: tuple[tuple[str, int], ...]
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


@dataclass(slots=True)
class Values:
    """Evaluates expressions in a state. `types` are those of the variables; some are between
    closer `limits`."""

    state: State
    types: dict[str, Scalar]
    limits: Mapping[str, Interval]
    wraps: bool

    def range(self, name: str) -> Interval:
        """The least and the greatest value of a variable."""
        low, high = self.limits.get(name) or scalar_bounds(self.types[name])
        its, above = self.state.zone.low(name), self.state.zone.high(name)
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
        low, high = s.low, s.high
        for name, k in s.terms:
            a, b = self.range(name)
            low, high = low + min(k * a, k * b), high + max(k * a, k * b)
        match s.terms:
            case ((x, a), (y, b)) if a == -b:
                if a < 0:
                    x, y, a = y, x, b
                above = self.state.zone.bound(x, y)
                below = self.state.zone.bound(y, x)
                high = high if above is None else min(high, a * above + s.high)
                low = low if below is None else max(low, -a * below + s.low)
            case _:
                pass
        return low, high

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
            case Convert(arg, _):
                return self._fitting(self.sum(arg), type, True)
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
            box.regs[name] = self.range(name) if flag is None else (flag, flag)
        found = value_of(e, box)
        return scalar_bounds(e.type) if found is None or self.wraps else found

    def assume(self, op: str, a: Expr, b: Expr) -> bool:
        """Notes a comparison in the zone; returns whether it is possible."""
        left, right = self.sum(a), self.sum(b)
        return left is None or right is None or self.compare(op, left, right)

    def compare(self, op: str, left: Sum, right: Sum) -> bool:
        """Notes a comparison of two sums; returns whether it is possible."""
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
                    return self.state.zone.add(x, ZERO, bound // k)
                return self.state.zone.add(ZERO, x, bound // -k)
            case ((x, a), (y, b)) if a == -b:
                if a < 0:
                    x, y, a = y, x, b
                return self._differ(x, y, bound // a)
            case _:
                return True
