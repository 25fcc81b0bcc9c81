"""Bodies for library functions that are lowered at their calls: what runs where only a pointer to
one of them is known, or where a thread begins with it."""

from __future__ import annotations

from types import SimpleNamespace

from pycparser import c_ast

from abpress_frontend.lower.ctypes import CFunction, CVoid
from abpress_frontend.lower.entries import Entry, Input, Lowered, NoEffect
from abpress_frontend.lower.function import Function
from abpress_frontend.lower.scope import FunctionSymbol
from abpress_frontend.lower.unit import Unit

_PLAIN = frozenset({
    "abort", "exit", "_exit", "_Exit", "quick_exit", "malloc", "calloc", "free", "memset", "memcpy",
    "memmove", "puts", "putchar", "fputs", "fputc", "putc", "fflush", "getchar", "fgetc", "getc",
    "perror",
})  # fmt: skip
"""Further functions that can be called with values of any origin, and have no model in C."""

_LIBRARY = SimpleNamespace(file="<library>", line=1, column=1)
"""Where the body of a function is that the program does not define."""


def wrapper(unit: Unit, name: str, entry: Entry | None) -> Function | None:
    """The function `name` of the library as one that calls it; None if it is not of that kind.

    Its type is the one that the program declares, so that it fits the pointers of the program. The
    call in it means the library's function as any call of that name does: a forced one, whatever
    the program's own does.
    """
    if not isinstance(entry, Lowered | Input | NoEffect) or not (entry.forced or name in _PLAIN):
        return None
    known = unit.wrappers.get(name)
    symbol = unit.scope.names.get(name)
    if known is None and isinstance(symbol, FunctionSymbol) and isinstance(symbol.type, CFunction):
        known = unit.wrappers[name] = _calling(unit, name, symbol.type)
    return known


def _calling(unit: Unit, name: str, type: CFunction) -> Function:
    """A function of this type whose body is a call of `name` with its parameters."""
    at = unit.functions[name].node.coord if name in unit.functions else _LIBRARY
    parameters = tuple(f"p{i}" for i in range(len(type.parameters)))
    arguments = [c_ast.ID(p, at) for p in parameters]
    call = c_ast.FuncCall(c_ast.ID(name, at), c_ast.ExprList(arguments, at), at)
    statement = call if isinstance(type.result, CVoid) else c_ast.Return(call, at)
    declaration = c_ast.Decl(name, [], [], [], [], None, None, None, at)
    node = c_ast.FuncDef(declaration, None, c_ast.Compound([statement], at), at)
    return Function(name, node, unit.scope, type, parameters, model=True)
