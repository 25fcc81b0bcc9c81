"""Pointers that loops move: of each a number says how many elements they stand behind the begin of
their object. NOTE(indexed-pointers)"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import gcd

from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, PtrAdd, PtrDiff, Reg, walk
from abpress.ir.paths import closure
from abpress.ir.program import Assign, Program, Template, edges, effect_operands
from abpress.ir.types import PtrType


def indexed(program: Program) -> Mapping[str, Mapping[str, int]]:
    """Per template, the registers with pointers that go round in a loop and are moved there, those
    that they are compared with, or get, and the size of their steps in bytes."""
    return {name: _of_template(template) for name, template in program.templates.items()}


def _of_template(template: Template) -> Mapping[str, int]:
    gets: dict[str, set[str]] = {}
    steps: dict[str, int] = {}
    linked: dict[str, set[str]] = {}
    for _, edge in edges(template):
        for effect in edge.effects:
            match effect:
                case Assign(target, value) if isinstance(target.type, PtrType):
                    base, step = _based(value)
                    if base is None:
                        continue
                    gets.setdefault(target.name, set()).add(base)
                    steps[target.name] = gcd(steps.get(target.name, 0), step)
                    _link(linked, target.name, base)
                case _:
                    pass
        for a, b in _together(edge.guard, *map(effect_operands, edge.effects)):
            (left, one), (right, other) = _based(a), _based(b)
            if left is not None and right is not None:
                steps[left] = gcd(steps.get(left, 0), one, other)
                _link(linked, left, right)
    found: dict[str, int] = {}
    for register in sorted(gets):
        if register not in found and _goes_round(gets, steps, register):
            its = _reached(linked, register) | {register}
            found |= dict.fromkeys(its, gcd(*(steps.get(r, 0) for r in its)))
    return {name: size for name, size in found.items() if size}


def _together(guard: Expr, *operands: Iterable[Expr]) -> Iterator[tuple[Expr, Expr]]:
    """Pointers that are compared, or subtracted from one another."""
    for e in (guard, *(e for its in operands for e in its)):
        for sub in walk(e):
            if isinstance(sub, Compare | PtrDiff) and isinstance(sub.left.type, PtrType):
                yield sub.left, sub.right


def _link(linked: dict[str, set[str]], a: str, b: str) -> None:
    linked.setdefault(a, set()).add(b)
    linked.setdefault(b, set()).add(a)


def _goes_round(gets: Mapping[str, set[str]], steps: Mapping[str, int], register: str) -> bool:
    """Whether a pointer comes back to its register moved."""
    its = _reached(gets, register)
    return register in its and any(steps.get(r, 0) for r in its if register in _reached(gets, r))


def _reached(gets: Mapping[str, set[str]], register: str) -> set[str]:
    return closure(gets.get(register, ()), lambda name: gets.get(name, ()))


def _based(e: Expr) -> tuple[str | None, int]:
    """The register from which a pointer is moved, and a divisor of all distances; 0 if it is not
    moved."""
    step = 0
    while isinstance(e, PtrAdd):
        step = gcd(step, factor(e.bytes))
        e = e.pointer
    return (e.name if isinstance(e, Reg) else None), step


def factor(e: Expr) -> int:
    """A divisor of a number, that is not wrapped."""
    match e:
        case Const(n, _):
            return abs(n)
        case Binary("*", a, b):
            return factor(a) * factor(b)
        case Binary("+" | "-", a, b):
            return gcd(factor(a), factor(b))
        case Convert(arg, _):
            return factor(arg)
        case _:
            return 1
