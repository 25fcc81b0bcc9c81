"""What is known where a condition holds, and where a variable has got a value: of differences,
rests, pointers and flags."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from abpress.ir.bounds import scalar_bounds
from abpress.ir.expr import NEGATED, Binary, Compare, Const, Expr, Reg
from abpress.ir.intervals import Interval
from abpress.ir.types import PtrType
from abpress.modular.bounds.places import NULL, Pointees, carried, index_of, is_null, minus
from abpress.modular.bounds.pointing import Pointing
from abpress.modular.bounds.state import State
from abpress.modular.bounds.values import Sum, Values, is_divided, is_small, number, rest
from abpress.modular.bounds.zone import ZERO


@dataclass(frozen=True, slots=True)
class Supposing:
    """Notes conditions in a state. `flags` are the registers that tell states apart."""

    state: State
    values: Values
    pointing: Pointing
    flags: frozenset[str]

    def assume(self, e: Expr) -> bool:
        """Notes that an expression is not 0; returns whether that is possible."""
        match e:
            case Const(n, _):
                return n != 0
            case Compare("==", Compare(op, a, b), Const(0, _)):
                return self.assume(Compare(NEGATED[op], a, b))
            case Compare("!=", Compare() as inner, Const(0, _)):
                return self.assume(inner)
            case Compare(op, a, b) if isinstance(a.type, PtrType):
                return self._assume_pointers(op, a, b)
            case Compare(op, a, b):
                if not self.values.assume(op, a, b):
                    return False
                self.values.unwrap()
                self._note_rest(op, a, b)
                if not all(self.state.tighten(name) for name in self._compared(a, b)):
                    return False
                if op == "==":
                    for x, y in ((a, b), (b, a)):
                        if isinstance(x, Reg) and isinstance(y, Const):
                            self._note_flag(x.name, y.value)
                return True
            case Binary("&", Compare() as left, Compare() as right):
                return self.assume(left) and self.assume(right)
            case _:
                interval = self.values.interval(e)
                return interval != (0, 0)

    def _compared(self, *operands: Expr) -> Iterator[str]:
        """The variables of sums."""
        for e in operands:
            s = self.values.sum(e)
            for name, _ in () if s is None else s.terms:
                yield name

    def _note_rest(self, op: str, a: Expr, b: Expr) -> None:
        """A test of what is left by a division."""
        match op, a, b:
            case ("==", Binary("%", x, Const(m, _)), Const(r, _)) if m > 1:
                match self.values.sum(x):
                    case Sum(((name, 1),), c, d) if c == d and is_small(self.values.types[name]):
                        self.state.rests[name] = rest(m, r - c)
                    case _:
                        pass
            case _:
                pass

    def _note_flag(self, name: str, value: int) -> None:
        if name in self.flags:
            self.state.flags[name] = value

    def _assume_pointers(self, op: str, a: Expr, b: Expr) -> bool:
        """Comparisons with the null pointer tell whether a pointer is null, others which of two is
        the first in their object."""
        left, right = self.pointing.in_one(a), self.pointing.in_one(b)
        if left is not None and right is not None and left[0] == right[0]:
            return self.values.compare(op, left[1], right[1])
        for x, y in ((a, b), (b, a)):
            if not is_null(y) or op not in ("==", "!="):
                continue
            places, moved = self.pointing.address(x)
            if not places or moved is None or moved != number(0):
                continue
            null = frozenset(p for p in places if p[0] == NULL)
            kept = null if op == "==" else places - null
            if not kept:
                return False
            if isinstance(x, Reg):
                self.state.pointers[x.name] = kept
                same = self.state.same.get(x.name)
                if same is not None:
                    self.state.pointers[same] = kept
        return True


@dataclass(frozen=True, slots=True)
class ValueSetting:
    """Changes the state of a thread of a template. Differences are known of what is `tracked`."""

    template: str
    state: State
    values: Values
    pointing: Pointing
    tracked: AbstractSet[str]

    def set_number(self, name: str, value: Expr) -> None:
        """What a register or a cell holds that gets the value of an expression."""
        if name not in self.tracked:
            self.state.forget({name})
            return
        parts = list(self.values.enclosing(value)) if is_divided(value) else []
        wrapped = self.values.wraps_to(name, value)
        self._set_sum(name, self.values.sum(value), self.values.interval(value))
        if wrapped is not None:
            self.state.wrapped[name] = wrapped
        for its in parts:
            match its:
                case Sum(((x, 1),), low, high) if x != name and x in self.tracked:
                    self.state.zone.add(name, x, high)
                    self.state.zone.add(x, name, -low)
                case _:
                    pass

    def carry(
        self, name: str, number_: Expr | None, places: Pointees | None, moved: Sum | None
    ) -> None:
        """Notes where a register points, and the number that it is, if it is one."""
        s = None if number_ is None else self.values.sum(number_)
        interval = None if number_ is None else self.values.interval(number_)
        self.point(name, places, moved)
        if carried(name) in self.tracked:
            self._set_sum(carried(name), s, interval)

    def _set_sum(self, name: str, s: Sum | None, interval: Interval | None) -> None:
        """The same of a sum, of which an interval may be known."""
        zone = self.state.zone
        its = self.values.rest(s, self.values.types[name])
        match s:
            case Sum(((x, 1),), c, d) if x == name and c == d:
                self.state.flags.pop(name, None)
                self.state.rests.pop(name, None)
                zone.shift(name, c)
                zone.shift(minus(name), -c)
            case Sum(((x, 1),), c, d) if x in self.tracked and c == d:
                low, high = self.values.bounds(s)
                self.state.forget({name})
                zone.equate(name, x, c)
                if {minus(name), minus(x)} <= self.tracked:
                    zone.equate(minus(name), minus(x), -c)
                self.within(name, low, high)
            case _:
                self.state.forget({name})
        if its[0] > 1:
            self.state.rests[name] = its
        if interval is not None:
            self.within(name, *interval)
        if minus(name) in self.tracked:
            low, high = self.values.range(name)
            zone.add(ZERO, minus(name), high)
            zone.add(minus(name), ZERO, -low)

    def within(self, name: str, low: int, high: int) -> None:
        """Notes an interval, where it is more than the type says."""
        least, most = scalar_bounds(self.values.types[name])
        if low > least:
            self.state.zone.add(ZERO, name, -low)
        if high < most:
            self.state.zone.add(name, ZERO, high)

    def point(self, name: str, places: Pointees | None, moved: Sum | None) -> None:
        """Notes where a register points."""
        found = self.pointing.moved(places, moved)
        if self._index(name, places, moved):
            self.state.pointers.pop(name, None)  # so that the new index is not forgotten
        self.state.forget({name})
        if found is not None:
            self.state.pointers[name] = found

    def _index(self, name: str, places: Pointees | None, moved: Sum | None) -> bool:
        """Notes by how many steps a pointer is behind the begin; returns whether that is known."""
        size = self.pointing.memory.indexed[self.template].get(name)
        offset = None if size is None else self.pointing.offset(places, moved)
        index = None if size is None or offset is None else offset.over(size)
        if index is None:
            return False
        self._set_sum(index_of(name), index, self.values.bounds(index))
        return True

    def settle(self, name: str) -> None:
        """The same of a pointer that has come from memory."""
        self._index(name, self.state.pointers.get(name), number(0))
