"""The words of what holds: for people here; others say the same in their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from abpress.logic.formula import Formula, Kind, format_formula, parse_formula
from abpress.modular.values import AddressOf, Atom, Multiple, Number, Routine, Self, Thread
from abpress.verify.page.names import ModelNames

_STATUS = {0: "not begun", 1: "runs", 2: "has ended"}


class Words:
    """Says what holds of a program, in the words of `names`. What cannot be said is empty."""

    def __init__(self, names: ModelNames) -> None:
        self.names = names

    def values(self, name: str, atoms: Iterable[Atom], threads: Sequence[str]) -> str:
        """That a variable has one of these values."""
        said = sorted({_atom(atom, threads) for atom in atoms})
        return f"{name} = {said[0]}" if len(said) == 1 else f"{name} is one of {', '.join(said)}"

    def status(self, thread: str, states: Sequence[int]) -> str:
        """What has become of a thread."""
        return f"{thread} {' or '.join(_STATUS.get(state, '') for state in states)}"

    def holds(self, lock: str) -> str:
        """That the thread holds a lock."""
        return f"holds {lock}"

    def interval(self, name: str, low: int | None, high: int | None) -> str:
        """That a variable is between two numbers, or has only one of these bounds, or none."""
        if low is not None and low == high:
            return f"{name} = {low}"
        if low is None and high is None:
            return ""
        below = "" if low is None else f"{low} ≤ "
        return f"{below}{name}{'' if high is None else f' ≤ {high}'}"

    def difference(self, first: str, second: str, most: int) -> str:
        """That the first is at most so much more than the second; what is empty is 0."""
        if not second:
            return f"{first} ≤ {most}"
        if not first:
            return f"{second} ≥ {-most}"
        more = f" {'+' if most > 0 else '-'} {abs(most)}" if most else ""
        return f"{first} ≤ {second}{more}"

    def formula(self, text: str) -> str:
        """A formula."""
        if _CONNECTED.match(text):
            size = self.names.program.pointer_size
            text = _told(parse_formula(text, size), size)
        return self.names.formula(text)

    def one_of(self, ways: Iterable[Sequence[str]]) -> str:
        """That all of what one of the ways says holds."""
        said = (" and ".join(way) for way in ways)
        return " or ".join(f"({way})" if " and " in way else way for way in sorted(said))

    def more(self, number: int) -> str:
        """That so much more could be said."""
        return f"and {number} more"


_CONNECTED = re.compile(r"(?:all|any|not|fits)\(")


def _told(f: Formula, pointer_size: int) -> str:
    """A formula, with words for what connects its parts."""

    def told(part: Formula) -> str:
        return _told(part, pointer_size)

    inner = f.parts[0] if f.kind is Kind.NOT else f
    if inner.kind is Kind.FITS:
        what = format_formula(inner, pointer_size).removeprefix("fits(").removesuffix(")")
        return f"{what} {'overflows' if f.kind is Kind.NOT else 'does not overflow'}"
    if f.kind is Kind.NOT:
        return f"not ({told(inner)})"
    if f.kind not in (Kind.ALL, Kind.ANY):
        return format_formula(f, pointer_size)
    parts = (f"({told(p)})" if p.kind in (Kind.ALL, Kind.ANY) else told(p) for p in f.parts)
    return (" and " if f.kind is Kind.ALL else " or ").join(parts)


def _atom(atom: Atom, threads: Sequence[str]) -> str:
    match atom:
        case Number(value):
            return str(value)
        case Multiple(stride, rest):
            return f"{stride}·n + {rest}" if rest else f"{stride}·n"
        case Self():
            return "its own id"
        case Thread(cls, other):
            return f"the id of {'another ' if other else ''}{threads[cls]}"
        case AddressOf(origin, offset, stride, _, _):
            more = f" + {stride}·n" if stride else ""
            return f"&{origin.name or origin.kind}{f' + {offset}' if offset else ''}{more}"
        case Routine(name):
            return name
    return "a set of threads"
