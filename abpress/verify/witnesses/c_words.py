"""What holds, as expressions of C over the variables of the user."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from abpress.errors import InputError, UnsupportedError
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg, Unary
from abpress.ir.types import INT, IntType, PtrType, Scalar
from abpress.logic.formula import Formula, Kind, parse_formula
from abpress.modular.values import Atom, Number
from abpress.verify.page.names import ModelNames
from abpress.verify.page.words import Words

_MOST_VALUES = 4
"""Of a variable that has one of more values their bounds are told."""

_LVALUE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*")
_CELL = re.compile(r"(.*)[@+](\d+)")
_TYPES = {8: "char", 16: "short", 32: "int", 64: "long long"}


class CWords(Words):
    """Says it in C, and nothing of what has no name there.

    `locks` are those that something says to be held, each with the ghost variable that tells it.
    Mutable.
    """

    def __init__(self, names: ModelNames) -> None:
        super().__init__(names)
        self.locks: dict[str, str] = {}

    def values(self, name: str, atoms: Iterable[Atom], threads: Sequence[str]) -> str:
        its = set(atoms)
        numbers = sorted(atom.value for atom in its if isinstance(atom, Number))
        if not numbers or len(numbers) < len(its) or not _LVALUE.fullmatch(name):
            return ""
        if len(numbers) <= _MOST_VALUES:
            return " || ".join(f"{name} == {_number(value)}" for value in numbers)
        return self.interval(name, numbers[0], numbers[-1])

    def status(self, thread: str, states: Sequence[int]) -> str:
        return ""

    def holds(self, lock: str) -> str:
        if not _LVALUE.fullmatch(lock):
            return ""
        return f"{self.locks.setdefault(lock, ghost_name(lock))} == 1"

    def interval(self, name: str, low: int | None, high: int | None) -> str:
        if not _LVALUE.fullmatch(name):
            return ""
        if low is not None and low == high:
            return f"{name} == {_number(low)}"
        bounds = [] if low is None else [f"{_number(low)} <= {name}"]
        return " && ".join(bounds if high is None else [*bounds, f"{name} <= {_number(high)}"])

    def difference(self, first: str, second: str, most: int) -> str:
        if not second or not first:
            return self.interval(first or second, *((None, most) if first else (-most, None)))
        if most not in (-1, 0) or not (_LVALUE.fullmatch(first) and _LVALUE.fullmatch(second)):
            return ""
        return f"{first} {'<=' if most == 0 else '<'} {second}"

    def formula(self, text: str) -> str:
        try:
            return self._formula(parse_formula(text, self.names.program.pointer_size)) or ""
        except (InputError, UnsupportedError):
            return ""

    def one_of(self, ways: Iterable[Sequence[str]]) -> str:
        return " || ".join(sorted(" && ".join(f"({text})" for text in way) for way in ways))

    def more(self, number: int) -> str:
        return ""

    def _formula(self, f: Formula) -> str | None:
        if f.kind is Kind.HOLDS and f.expr is not None:
            return self._expr(f.expr)
        if f.kind not in (Kind.ALL, Kind.ANY):
            return None
        parts = [self._formula(part) for part in f.parts]
        joined = (" && " if f.kind is Kind.ALL else " || ").join(f"({part})" for part in parts)
        return None if None in parts else joined

    def _expr(self, e: Expr) -> str | None:
        """An expression, or None if it cannot be said."""
        match e:
            case Const(value, t) if isinstance(t, IntType):
                return _number(value, t)
            case Reg(name, t):
                return self._variable(name, t)
            case Compare(op, a, b):
                return self._joined(op, a, b)
            case Binary(op, a, b) if _is_wide(e.type):
                return self._joined(op, a, b)
            case Unary(op, a) if _is_wide(e.type):
                inner = self._expr(a)
                return None if inner is None else f"{op}({inner})"
            case Convert(a, IntType(bits, signed)) if bits in _TYPES:
                inner = self._expr(a)
                sign = "signed" if signed else "unsigned"
                return None if inner is None else f"({sign} {_TYPES[bits]})({inner})"
        return None

    def _joined(self, op: str, left: Expr, right: Expr) -> str | None:
        one, other = self._operand(left), self._operand(right)
        return None if one is None or other is None else f"{one} {op} {other}"

    def _operand(self, e: Expr) -> str | None:
        text = self._expr(e)
        return f"({text})" if text is not None and isinstance(e, Binary | Compare) else text

    def _variable(self, name: str, t: Scalar) -> str | None:
        cell = _CELL.fullmatch(name)
        if isinstance(t, PtrType) or "%" in name:
            return None
        if cell is None:
            found = self.names.register(name.rpartition(":")[2])
        elif self.names.kept(cell[1], int(cell[2])):
            return None
        else:
            found = self.names.cell(cell[1], int(cell[2]))
        return found if _LVALUE.fullmatch(found) else None


def ghost_name(lock: str) -> str:
    """The name of the ghost variable that tells whether a lock is held."""
    return "_".join([*re.findall(r"\w+", lock), "locked"])


def _is_wide(t: Scalar) -> bool:
    """Whether C computes in this type, and not in a larger one."""
    return isinstance(t, IntType) and t.bits >= INT.bits


def _number(value: int, t: Scalar = INT) -> str:
    """A number as C writes it: of the type, or of one that holds it."""
    assert isinstance(t, IntType)
    wide = t.bits > INT.bits or not INT.minimum <= value <= (1 << INT.bits) - 1
    unsigned = not t.signed or value > (1 << 63) - 1
    suffix = ("u" if unsigned and t.bits >= INT.bits else "") + ("ll" if wide else "")
    if value < 0 and value == IntType(64 if wide else INT.bits, True).minimum:
        return f"(-{-value - 1}{suffix} - 1)"
    return f"{value}{suffix}"
