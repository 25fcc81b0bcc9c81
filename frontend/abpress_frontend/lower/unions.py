"""Which members of unions a program uses: the others need no cells.

A union has the cells of its largest member. A smaller one that is written first would leave a part
of a cell without a value: the number of a file in an event of epoll, which may hold a pointer.
"""

from __future__ import annotations

from functools import cached_property

from pycparser import c_ast

from abpress_frontend.tree import subtrees

_OFFSETS = ("offsetof", "__builtin_offsetof")


class MembersInUse:
    """What a program uses by name. The text is looked through when a union asks."""

    def __init__(self, ast: c_ast.FileAST) -> None:
        self._ast = ast

    def of(self, names: list[str | None]) -> list[bool]:
        """Which members of a union are used, all if none is; what has no name is."""
        known, first = self._found
        used = [name is None or name in known for name in names]
        if first and used:
            used[0] = True
        return used if any(used) else [True] * len(used)

    @cached_property
    def _found(self) -> tuple[set[str], bool]:
        """The names of members that the text has, and whether initialisers without names may give a
        value to the first member of a union that is more than a constant."""
        names: set[str] = set()
        first = False
        for node in subtrees(self._ast):
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
        return names, first
