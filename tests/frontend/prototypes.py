"""The functions that our headers declare."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from abpress_frontend.parse import parse_model
from abpress_frontend.source_files import OWN_HEADERS

HEADERS = sorted(
    str(file.relative_to(OWN_HEADERS))
    for file in OWN_HEADERS.rglob("*.h")
    if not file.name.startswith("abpress") and file.name != "genmc.h"
)
_ARRAYS = ("jmp_buf", "sigjmp_buf")
"""Names of types that are arrays."""

INCLUDES = "".join(f"#include <{header}>\n" for header in HEADERS)


@cache
def prototypes(folder: Path) -> dict[str, tuple[list[str], bool]]:
    """Arguments for the functions that headers declare, as casts of 0, `space` and `run`; and
    whether more may follow."""
    file = folder / "headers.c"
    file.write_text(INCLUDES)
    found = {}
    for node in parse_model(file, whole=True).ext:
        if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
            given = node.type.args.params if node.type.args else []
            variadic = bool(given) and isinstance(given[-1], c_ast.EllipsisParam)
            texts = [_argument(p) for p in given if not isinstance(p, c_ast.EllipsisParam)]
            found[node.name] = ([text for text in texts if text != "void"], variadic)
    return found


def _argument(parameter: c_ast.Node) -> str:
    """An argument that fits a parameter."""
    type = parameter.type
    if isinstance(type, c_ast.PtrDecl) and isinstance(type.type, c_ast.FuncDecl):
        return "(void *)run"
    if isinstance(type, c_ast.PtrDecl | c_ast.ArrayDecl):
        parts = c_ast.Typename(None, [], None, _unnamed(type.type), None)
        return f"({CGenerator().visit(parts)} *)space"
    if isinstance(type.type, c_ast.IdentifierType) and type.type.names[-1] in _ARRAYS:
        return "(void *)space"
    text: str = CGenerator().visit(c_ast.Typename(None, [], None, _unnamed(type), None))
    if isinstance(type.type, c_ast.Struct):
        return f"({text}){{0}}"
    return text if text == "void" else f"({text})0"


def _unnamed(type: c_ast.Node) -> c_ast.Node:
    inner = type
    while not isinstance(inner, c_ast.TypeDecl):
        inner = inner.type
    inner.declname = None
    return type
