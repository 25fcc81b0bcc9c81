"""Functions that GNU C runs by themselves: constructors before `main`, destructors where the
program ends as by `exit`.

Those with a number run in its order, before those without; else in the order of the text, and files
in the order in which they are linked. Destructors run in the reverse order, after what `atexit`
registers: they are registered before anything else happens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pycparser import c_ast

from abpress.errors import Position, UnsupportedError
from abpress_frontend.gnu import RUN_BY_THEMSELVES, Attribute
from abpress_frontend.link import TranslationUnit
from abpress_frontend.prune import Declaration
from abpress_frontend.tree import subtrees

_REGISTERS = "atexit"
_LAST = 1 << 16
"""Behind all numbers that may be given."""


@dataclass(frozen=True, slots=True)
class Runner:
    """A function that runs by itself; `priority` is the number that is given, or one behind all."""

    name: str
    is_destructor: bool
    priority: int
    position: Position


def runners(units: Sequence[TranslationUnit]) -> list[Runner]:
    """The constructors and destructors of the program, in the order in which they run, or are
    registered. Raises UnsupportedError for a number that is computed."""
    found = [runner for unit in units for runner in _of(unit)]
    return sorted(found, key=lambda runner: runner.priority)


def _of(unit: TranslationUnit) -> Iterator[Runner]:
    said: dict[str, list[Attribute]] = {}
    for declaration in unit.declarations:
        for attribute in _attributes(unit, declaration):
            for name in declaration.names[:1]:
                said.setdefault(name, []).append(attribute)
    for declaration in unit.declarations:
        name = declaration.names[0] if declaration.is_function and declaration.names else ""
        for kind in sorted(RUN_BY_THEMSELVES):
            its = [a for a in said.get(name, ()) if a.name == kind]
            if its:
                priority = min(map(_priority, its))
                yield Runner(name, kind == "destructor", priority, its[0].position)


def _attributes(unit: TranslationUnit, declaration: Declaration) -> Iterator[Attribute]:
    for index, attribute in unit.cleaned.attributes:
        if declaration.start <= index < declaration.end and attribute.name in RUN_BY_THEMSELVES:
            yield attribute


def _priority(attribute: Attribute) -> int:
    if not attribute.arguments:
        return _LAST
    if not re.fullmatch("[0-9]+", attribute.arguments):
        what = f"attribute {attribute.name}({attribute.arguments})"
        raise UnsupportedError(what, attribute.position)
    return int(attribute.arguments)


def run_by_themselves(ast: c_ast.FileAST, entry: str, first: Iterable[Runner]) -> None:
    """Puts the calls of constructors, and the registrations of destructors, at the begin of the
    entry function. Raises UnsupportedError where that is not what happens."""
    first = [*(r for r in first if r.is_destructor), *(r for r in first if not r.is_destructor)]
    if not first:
        return
    defined = {n.decl.name: n for n in ast.ext if isinstance(n, c_ast.FuncDef)}
    main = defined[entry]
    if any(isinstance(node, c_ast.ID) and node.name == entry for node in subtrees(ast)):
        raise UnsupportedError(f"use of {entry} with attribute constructor", first[0].position)
    items = []
    for runner in first:
        function = defined[runner.name].decl.type
        takes = [p for p in (function.args.params if function.args else ()) if not _is_void(p)]
        if takes or (runner.is_destructor and _REGISTERS in defined):
            kind = "destructor" if runner.is_destructor else "constructor"
            raise UnsupportedError(f"this form of attribute {kind}", runner.position)
        coord = defined[runner.name].coord
        called = c_ast.ID(_REGISTERS if runner.is_destructor else runner.name, coord)
        given = [c_ast.ID(runner.name, coord)] if runner.is_destructor else []
        arguments = c_ast.ExprList(given, coord) if given else None
        items.append(c_ast.FuncCall(called, arguments, coord))
    main.body.block_items = [*items, *(main.body.block_items or ())]


def _is_void(parameter: c_ast.Node) -> bool:
    type = getattr(getattr(parameter, "type", None), "type", None)
    return isinstance(type, c_ast.IdentifierType) and type.names == ["void"]
