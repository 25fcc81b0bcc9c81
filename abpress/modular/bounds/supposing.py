"""Conditions: what is known where one holds, of differences, pointers and flags."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from abpress.ir.expr import NEGATED, Binary, Compare, Const, Expr, Reg
from abpress.ir.types import PtrType
from abpress.modular.bounds.places import NULL, is_null
from abpress.modular.bounds.pointing import Pointing
from abpress.modular.bounds.state import State
from abpress.modular.bounds.values import Sum, Values, is_small, number, rest


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
