"""Sorting and searching: their models work on elements of the type that a call shows."""

from __future__ import annotations

from dataclasses import replace

from abpress.errors import UnsupportedError
from abpress.ir.expr import Const, Expr
from abpress_frontend.lower.builtins.allocation import sized_type
from abpress_frontend.lower.builtins.memory import pointee
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import CFunction, CRecord, CType, CVoid, sizeof
from abpress_frontend.lower.entries import Entry, Lowered
from abpress_frontend.lower.function import Function
from abpress_frontend.lower.scope import Scope, TypedefSymbol
from abpress_frontend.lower.types import unatomic
from abpress_frontend.lower.values import Value

ORDER = "the comparisons of qsort and bsearch agree with each other, and have no other effects"

_FILE = "sort.c"
_ELEMENT = "__abp_element"
_PLACE = {"qsort": 0, "bsearch": 1}
"""Function -> the argument that points to the elements; the next are their number and size."""


def _sorted(call: Call) -> Value:
    place = _PLACE[call.name]
    sized = sized_type(call.body, call.argument(place + 2))
    shown = [unatomic(pointee(call.body, call.argument(place))), *([sized] if sized else [])]
    unit = call.unit
    unit.load_model(_FILE)
    function = unit.models[call.name]
    at = call.body.position(call.node)
    arguments = [call.value(k, type) for k, type in enumerate(function.type.parameters)]
    size = arguments[place + 2].expr
    element = next((type for type in shown if _is_of_size(type, size)), None)
    if element is None:
        raise UnsupportedError(f"{call.name} of elements whose type is not known", at)
    unit.assume(ORDER, at)
    unit.library_calls.setdefault(call.name)
    return call.body.calls.inline(_for(function, element), arguments, call.node)


def _is_of_size(type: CType, size: Expr) -> bool:
    incomplete = isinstance(type, CVoid | CFunction) or (
        isinstance(type, CRecord) and type.fields is None
    )
    return not incomplete and isinstance(size, Const) and size.value == sizeof(type)


def _for(function: Function, element: CType) -> Function:
    """The function for elements of a type."""
    scope = Scope(function.scope)
    scope.names[_ELEMENT] = TypedefSymbol(element)
    return replace(function, scope=scope)


SORTING: dict[str, Entry] = {
    "qsort": Lowered(_sorted),
    "bsearch": Lowered(_sorted, "void*"),
}
