"""Which members of unions a program uses: the others need no cells.

A union has the cells of its largest member. A smaller one that is written first would leave a part
of a cell without a value: the number of a file in an event of epoll, which may hold a pointer.
"""

from __future__ import annotations

from typing import NamedTuple

from pycparser import c_ast

from abpress_frontend.tree import subtrees

_OFFSETS = ("offsetof", "__builtin_offsetof")


class MembersInUse(NamedTuple):
    """The names of members that the text has, and whether initialisers without names may give a
    value to the first member of a union that is more than a constant."""

    names: frozenset[str]
    first: bool

    def of(self, names: list[str | None]) -> list[bool]:
        """Which members of a union are used, all if none is; what has no name is."""
        used = [name is None or name in self.names for name in names]
        if self.first and used:
            used[0] = True
        return used if any(used) else [True] * len(used)


def members_in_use(ast: c_ast.FileAST) -> MembersInUse:
    """What the program uses by name."""
    names: set[str] = set()
    first = False
    for node in subtrees(ast):
        match node:
            case c_ast.StructRef(field=c_ast.ID(name=name)):
                names.add(name)
            case c_ast.NamedInitializer(name=designators):
                names.update(d.name for d in designators if isinstance(d, c_ast.ID))
            case c_ast.FuncCall(name=c_ast.ID(name=name)) if name in _OFFSETS:
                names.update(n.name for n in subtrees(node) if isinstance(n, c_ast.ID))
            case c_ast.InitList(exprs=exprs):
                plain = (c_ast.NamedInitializer, c_ast.InitList, c_ast.Constant)
                first |= any(not isinstance(e, plain) for e in exprs)
            case _:
                pass
    return MembersInUse(frozenset(names), first)
