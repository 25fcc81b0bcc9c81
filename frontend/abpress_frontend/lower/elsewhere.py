"""Objects that a program declares and does not define: what a verdict assumes of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from abpress.errors import UnsupportedError
from abpress.ir.expr import Expr, named_objects
from abpress.ir.program import Edge, Program, edges, effect_operands
from abpress_frontend.lower.ctypes import CArray, CFunction, CPtr, CRecord, CType

STREAMS = frozenset({"stdin", "stdout", "stderr"})
"""What the library has: pointers to something of its own."""


def defined_elsewhere(program: Program, undefined: Mapping[str, CType]) -> Iterator[str]:
    """An assumption for each object without definition that the program mentions.

    Such an object has arbitrary values at first, and nobody but the program writes it.

    Raises UnsupportedError for an array of unknown length, and for a pointer to a function.
    """
    mentioned = set(_mentioned(program)) if undefined else set()
    for name, type in undefined.items():
        if name not in mentioned or name in STREAMS:
            continue
        at = program.objects[name].position
        if isinstance(type, CArray) and not type.count:
            raise UnsupportedError(f"extern array {name} of unknown length, defined nowhere", at)
        if isinstance(type, CPtr) and isinstance(type.target, CFunction):
            raise UnsupportedError(f"extern pointer to functions {name}, defined nowhere", at)
        calls = ", and no function that it points to is called" if _has_functions(type) else ""
        yield f"{name} is defined elsewhere, has any value, and nobody else writes it{calls} ({at})"


def _has_functions(type: CType) -> bool:
    """Whether a value of the type has pointers to functions in it."""
    match type:
        case CPtr(target=target):
            return isinstance(target, CFunction)
        case CArray(element):
            return _has_functions(element)
        case CRecord(definition=definition):
            return any(_has_functions(field.type) for field in definition.fields or ())
        case _:
            return False


def _mentioned(program: Program) -> Iterator[str]:
    """The objects whose addresses are in the code, or in objects."""
    for template in program.templates.values():
        for _, edge in edges(template):
            for e in _expressions(edge):
                yield from named_objects(e)
    for object in program.objects.values():
        for value in object.initial:
            if value is not None:
                yield from named_objects(value)


def _expressions(edge: Edge) -> Iterator[Expr]:
    yield edge.guard
    for effect in edge.effects:
        yield from effect_operands(effect)
