"""Numbers in pointers, as programs hand them to threads: what is known of one says that the pointer
is no address, and which number it is, as one with a sign. NOTE(handed-numbers)"""

from __future__ import annotations

from collections.abc import Callable, Container

from abpress.ir.expr import Binary, Const, Convert, Expr, PtrAdd, Reg
from abpress.ir.paths import closure
from abpress.ir.program import Assign, Program, Spawn, edges
from abpress.ir.types import IntType, PtrType, Scalar

ARGUMENT = "$arg"
"""The register of what a thread is given."""


def number_type(pointer: Scalar) -> IntType:
    """The type of the number in a pointer."""
    return IntType(8 * pointer.size, True)


def number_in(e: Expr, held: Callable[[Reg], Expr | None]) -> Expr | None:
    """The number in a pointer, where `held` gives those in registers; None if there may be an
    address."""
    match e:
        case Reg():
            return held(e)
        case Const(n, PtrType() as type):
            return Const(number_type(type).wrap(n), number_type(type))
        case Convert(arg, PtrType() as type) if isinstance(arg.type, IntType):
            return Convert(arg, number_type(type))
        case Convert(arg, PtrType() as type) if arg.type == type:
            return number_in(arg, held)
        case PtrAdd(pointer, distance):
            number = number_in(pointer, held)
            return None if number is None else _moved(number, distance)
        case _:
            return None


def number_among(e: Expr, registers: Container[str]) -> Expr | None:
    """The number in a pointer, where numbers are in these registers, and have their names."""
    return number_in(e, lambda r: Reg(r.name, number_type(r.type)) if r.name in registers else None)


def _moved(number: Expr, distance: Expr) -> Expr:
    """The number of a pointer that is moved: it wraps around."""
    signed = number.type
    assert isinstance(signed, IntType)
    type = IntType(signed.bits, False)
    match distance:
        case Const(n, _) if signed.wrap(n) < 0:
            moved = Binary("-", Convert(number, type), Const(type.wrap(-n), type))
        case Const(n, _):
            moved = Binary("+", Convert(number, type), Const(type.wrap(n), type))
        case _:
            moved = Binary("+", Convert(number, type), Convert(distance, type))
    return Convert(moved, signed)


def read_as(number: Expr, pointer: Scalar, type: IntType) -> Expr:
    """The integer that a pointer with the number is as one of a type: it has no sign in there."""
    bits = 8 * pointer.size
    if type.bits > bits:
        number = Convert(number, IntType(bits, False))
    return number if number.type == type else Convert(number, type)


def carriers(program: Program) -> dict[str, frozenset[str]]:
    """Per template, the registers with pointers that get numbers, or what others of them hold."""
    copies: dict[tuple[str, str], set[tuple[str, str]]] = {}
    found: set[tuple[str, str]] = set()
    for name, template in program.templates.items():
        for _, edge in edges(template):
            for effect in edge.effects:
                match effect:
                    case Assign(target, value) if isinstance(target.type, PtrType):
                        to = name, target.name
                    case Spawn(_, child, value):
                        to = child, ARGUMENT
                    case _:
                        continue
                if to[1] not in program.templates[to[0]].registers:
                    continue
                while isinstance(value, PtrAdd):
                    value = value.pointer
                if isinstance(value, Reg):
                    copies.setdefault((name, value.name), set()).add(to)
                elif number_in(value, lambda _: None) is not None:
                    found.add(to)
    its = closure(found, lambda place: copies.get(place, ()))
    return {
        name: frozenset(register for template, register in its if template == name)
        for name in program.templates
    }
