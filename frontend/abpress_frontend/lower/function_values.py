"""Which functions a file names, by scope: all of them, and those that are used as values."""

from __future__ import annotations

from collections.abc import Set

from pycparser import c_ast

THREAD_ENTRY = {"pthread_create": 2, "thrd_create": 1}
"""Functions of the library that take what a thread runs -> which argument that is. A program that
defines one itself may do anything with the argument. NOTE(own-functions)"""

_SCOPES = (c_ast.Compound, c_ast.For, c_ast.FuncDef, c_ast.Struct, c_ast.Union)
"""What is declared inside is not known behind them."""


def functions_as_values(
    ast: c_ast.FileAST, functions: Set[str], function_types: Set[str]
) -> dict[str, None]:
    """The functions that are named other than as the callee of a call or as what a thread runs:
    only those can be what a function pointer points to.

    A name means the function where no parameter or variable of that name is in scope; the name of a
    member means none. `functions` and `function_types` are what functions, and types of functions,
    are called at file level.
    """
    walk = _Walk(functions, function_types)
    walk.file(ast)
    return walk.values


def functions_from_elsewhere(ast: c_ast.FileAST) -> Set[str]:
    """The functions that a file names, by scope as above, and does not define."""
    walk = _Walk(frozenset(), frozenset())
    walk.file(ast)
    return walk.named - walk.defined


class _Walk:
    """A walk through a file. `values` grows in the order of the text; `named` are all names that
    mean something of file level, `defined` the functions and variables that are defined there."""

    def __init__(self, functions: Set[str], function_types: Set[str]) -> None:
        self._functions = functions
        self._types = set(function_types)
        self.values: dict[str, None] = {}
        self.named: set[str] = set()
        self.defined: set[str] = set()
        self._entries = dict(THREAD_ENTRY)

    def file(self, ast: c_ast.FileAST) -> None:
        """Looks for names in the whole file."""
        for external in ast.ext:
            if isinstance(external, c_ast.FuncDef):
                self._entries.pop(external.decl.name, None)
        for external in ast.ext:
            at_file_level: set[str] = set()
            self.visit(external, at_file_level)
            self.defined |= at_file_level
            if isinstance(external, c_ast.FuncDef):
                self.defined.add(external.decl.name)

    def visit(self, node: c_ast.Node, hidden: set[str]) -> None:
        """Looks for names below the node. `hidden` are those that mean something else there; a
        declaration adds its own to them, for what follows it in its block."""
        if isinstance(node, _SCOPES):
            hidden = set(hidden)
        match node:
            case c_ast.ID(name=name):
                if name not in hidden:
                    self.named.add(name)
                    if name in self._functions:
                        self.values.setdefault(name)
            case c_ast.StructRef(name=record):
                self.visit(record, hidden)
            case c_ast.NamedInitializer(name=designators, expr=value):
                for part in designators:
                    if not isinstance(part, c_ast.ID):
                        self.visit(part, hidden)
                self.visit(value, hidden)
            case c_ast.FuncDef(decl=decl, body=body):
                hidden |= _parameters(node)
                self.visit(decl.type.type, hidden)
                self.visit(body, hidden)
            case c_ast.FuncCall(name=callee, args=args):
                self._call(callee, [] if args is None else args.exprs, hidden)
            case c_ast.Decl(name=name, type=type):
                if name is not None and not self._is_function(type):
                    hidden.add(name)
                self._children(node, hidden)
            case c_ast.Typedef(name=name, type=type):
                if self._is_function(type):
                    self._types.add(name)
                self._children(node, hidden)
            case c_ast.FuncDecl(type=type):
                self.visit(type, hidden)  # what is in a prototype's brackets is no value
            case _:
                self._children(node, hidden)

    def _is_function(self, type: c_ast.Node) -> bool:
        """Whether a declaration with this type declares a function, or a type of functions."""
        if isinstance(type, c_ast.TypeDecl) and isinstance(type.type, c_ast.IdentifierType):
            return not self._types.isdisjoint(type.type.names)
        return isinstance(type, c_ast.FuncDecl)

    def _children(self, node: c_ast.Node, hidden: set[str]) -> None:
        for _, child in node.children():
            self.visit(child, hidden)

    def _call(self, callee: c_ast.Node, arguments: list[c_ast.Node], hidden: set[str]) -> None:
        entry = -1
        if isinstance(callee, c_ast.ID):
            entry = self._entries.get(callee.name, -1)
            if callee.name not in hidden:
                self.named.add(callee.name)
        else:
            self.visit(callee, hidden)
        for index, argument in enumerate(arguments):
            entered = _name(argument) if index == entry else None
            if entered is None:
                self.visit(argument, hidden)
            elif entered not in hidden:
                self.named.add(entered)


def _parameters(definition: c_ast.FuncDef) -> set[str]:
    """The names of the parameters, also of an old-style definition."""
    args = definition.decl.type.args
    return {p.name for p in args.params if getattr(p, "name", None)} if args is not None else set()


def _name(node: c_ast.Node) -> str | None:
    """The name that an expression is, but for casts and `&`; None if it is something else."""
    while isinstance(node, c_ast.Cast) or (isinstance(node, c_ast.UnaryOp) and node.op == "&"):
        node = node.expr
    return node.name if isinstance(node, c_ast.ID) else None
