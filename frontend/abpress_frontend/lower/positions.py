"""Positions of syntax tree nodes."""

from __future__ import annotations

from pycparser import c_ast

from abpress.errors import Position


def position(node: c_ast.Node, function: str = "", stack: tuple[Position, ...] = ()) -> Position:
    """Where `node` begins; inner nodes lend their place to nodes that have none."""
    coord = node.coord
    if coord is None:
        for _, child in node.children():
            p = position(child, function, stack)
            if p.line:
                return p
        return Position(function=function, stack=stack)
    return Position(coord.file or "<unknown>", coord.line or 0, coord.column or 0, function, stack)
