"""What is declared where: which variables statements of a tree may name."""

from __future__ import annotations

from collections.abc import Iterable

from pycparser import c_ast

from abpress_frontend.tree import slots

_BLOCKS = (c_ast.Compound, c_ast.For)


def names_before(ast: c_ast.FileAST, nodes: Iterable[c_ast.Node]) -> dict[int, frozenset[str]]:
    """The variables and parameters that are declared where each of the nodes, which are statements,
    begins; by the `id` of the node."""
    found: dict[int, frozenset[str]] = {}
    wanted = {id(node) for node in nodes}
    names: set[str] = set()
    for node in ast.ext:
        if isinstance(node, c_ast.FuncDef):
            its = node.decl.type.args
            parameters = [] if its is None else its.params
            named = {str(p.name) for p in parameters if isinstance(p, c_ast.Decl)}
            _visit(node.body, names | named, wanted, found)
        elif isinstance(node, c_ast.Decl) and node.name:
            names.add(str(node.name))
    return found


def _visit(
    node: c_ast.Node, names: set[str], wanted: set[int], found: dict[int, frozenset[str]]
) -> None:
    """Notes what is declared before a node and those below, and adds what it declares."""
    if id(node) in wanted:
        found[id(node)] = frozenset(names)
    if isinstance(node, c_ast.Decl):
        if node.name:
            names.add(str(node.name))
        return
    inner = set(names) if isinstance(node, _BLOCKS) else names
    for slot in slots(node):
        value = getattr(node, slot)
        for child in value if isinstance(value, list) else (value,):
            if isinstance(child, c_ast.Node):
                _visit(child, inner, wanted, found)
