"""Passes over the tree of pycparser, and the room that recursion over it needs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from pycparser import c_ast

from abpress.errors import InputError, Position
from abpress_frontend.gnu import ELVIS_MARK

ELVIS = "__abp_elvis"

MAX_TREE_DEPTH = 4_000
"""Deepest syntax tree: long `else if` chains and sums are deep without any brackets."""

_RECURSION_LIMIT = 60_000


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Room to recurse over a tree of MAX_TREE_DEPTH with up to ten Python frames a level.

    Frames of Python functions are on the heap (since Python 3.11), so the C stack is no limit.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def check_depth(ast: c_ast.FileAST, tokens: int) -> None:
    """Raise InputError if the tree, made of so many tokens, is deeper than MAX_TREE_DEPTH."""
    if tokens < MAX_TREE_DEPTH // 4:  # a token makes at most four levels
        return
    level: list[c_ast.Node] = [ast]
    for _ in range(MAX_TREE_DEPTH):
        level = [child for node in level for child in _children(node)]
        if not level:
            return
    where = next((node.coord for node in level if node.coord is not None), None)
    raise InputError(
        f"nested too deeply (limit {MAX_TREE_DEPTH})",
        Position(where.file, where.line, where.column or 0) if where else None,
    )


def _children(node: c_ast.Node) -> Iterator[c_ast.Node]:
    for slot in slots(node):
        value = getattr(node, slot)
        if isinstance(value, c_ast.Node):
            yield value
        elif isinstance(value, list):
            yield from (item for item in value if isinstance(item, c_ast.Node))


def subtrees(node: c_ast.Node) -> Iterator[c_ast.Node]:
    """All nodes in the order of the text, `node` first."""
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        todo.extend(child for _, child in reversed(node.children()))


def rewrite_elvis(ast: c_ast.FileAST) -> None:
    """`a ?: b`, parsed with a mark as its second operand, becomes a call of ELVIS."""

    def meant(node: c_ast.Node) -> c_ast.Node:
        is_elvis = (
            isinstance(node, c_ast.TernaryOp)
            and isinstance(node.iftrue, c_ast.ID)
            and node.iftrue.name == ELVIS_MARK
        )
        if not is_elvis:
            return node
        arguments = c_ast.ExprList([node.cond, node.iffalse], node.coord)
        return c_ast.FuncCall(c_ast.ID(ELVIS, node.coord), arguments, node.coord)

    todo: list[c_ast.Node] = [ast]
    while todo:
        node = todo.pop()
        replace_children(node, meant)
        todo.extend(_children(node))


def replace_children(node: c_ast.Node, meant: Callable[[c_ast.Node], c_ast.Node]) -> None:
    """Puts what is meant by it in the place of each child of a node."""
    for slot in slots(node):
        value = getattr(node, slot)
        if isinstance(value, list):
            value[:] = [meant(v) if isinstance(v, c_ast.Node) else v for v in value]
        elif isinstance(value, c_ast.Node):
            setattr(node, slot, meant(value))


def slots(node: c_ast.Node) -> Iterable[str]:
    """The names of what a node consists of, but for its place."""
    return (slot for slot in type(node).__slots__ if slot not in ("coord", "__weakref__"))
