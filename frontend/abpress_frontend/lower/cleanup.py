"""Jumps that leave what stands between `pthread_cleanup_push` and `pthread_cleanup_pop`: they are
undefined (POSIX.1-2024 pthread_cleanup_push)."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from abpress_frontend.lower.syntax import label_names
from abpress_frontend.tree import subtrees

_LOOPS = (c_ast.For, c_ast.While, c_ast.DoWhile)


def leaving(body: c_ast.Node) -> frozenset[c_ast.Node]:
    """The jumps in a function's body that leave a pair of push and pop."""
    found: set[c_ast.Node] = set()
    for block in subtrees(body):
        depth, inside = 0, []
        for item in (block.block_items or ()) if isinstance(block, c_ast.Compound) else ():
            depth += _calls(item, "pthread_cleanup_push") - _calls(item, "pthread_cleanup_pop")
            if depth > 0:
                inside.append(item)
        labels = frozenset(name for item in inside for name in label_names(item))
        for item in inside:
            found.update(_jumps(item, labels, breaks=True, continues=True))
    return frozenset(found)


def _calls(item: c_ast.Node, name: str) -> bool:
    match item:
        case c_ast.FuncCall(name=c_ast.ID(name=found)):
            return bool(found == name)
        case _:
            return False


def _jumps(
    node: c_ast.Node, labels: frozenset[str], breaks: bool, continues: bool
) -> Iterator[c_ast.Node]:
    """The jumps out of a statement: to none of the labels, and of `break` and `continue` those that
    mean what is around it."""
    match node:
        case c_ast.Return():
            yield node
        case c_ast.Goto(name=name) if name not in labels:
            yield node
        case c_ast.Break() if breaks:
            yield node
        case c_ast.Continue() if continues:
            yield node
        case _:
            pass
    loop = isinstance(node, _LOOPS)
    for _, child in node.children():
        switch = isinstance(node, c_ast.Switch)
        yield from _jumps(child, labels, breaks and not (loop or switch), continues and not loop)
