"""What becomes of the results of calls that are kept in variables of type `void *` first.

In `void *p = malloc(n); …; return p;` the caller says what the memory is for, and in
`void *p = allocate(n); struct node *q = p;` a later line does. It is a guess by the names of
variables, and nothing but the layout of allocated memory rests on it.
"""

from __future__ import annotations

from collections.abc import Mapping

from pycparser import c_ast

from abpress_frontend.tree import subtrees


def purposes(body: c_ast.Node) -> Mapping[c_ast.Node, tuple[c_ast.Node, ...]]:
    """Calls of a function body -> where their results come to be by way of variables.

    That is a name of a type (a cast), what is assigned to, or a `return`.
    """
    given: dict[c_ast.Node, str] = {}
    become: dict[str, list[c_ast.Node]] = {}
    for node in subtrees(body):
        match node:
            case c_ast.Decl(name=str() as name, type=type, init=c_ast.Node() as value):
                _note(value, c_ast.Typename(None, [], None, type), name, given, become)
            case c_ast.Assignment(op="=", lvalue=place, rvalue=value):
                name = place.name if isinstance(place, c_ast.ID) else ""
                _note(value, place, name, given, become)
            case c_ast.Cast(to_type=type, expr=c_ast.ID(name=name)):
                become.setdefault(name, []).append(type)
            case c_ast.Return(expr=c_ast.ID(name=name)):
                become.setdefault(name, []).append(node)
            case _:
                pass
    return {call: tuple(_reached(name, become)) for call, name in given.items()}


def _note(
    value: c_ast.Node,
    place: c_ast.Node,
    name: str,
    given: dict[c_ast.Node, str],
    become: dict[str, list[c_ast.Node]],
) -> None:
    """Notes that a value comes to a place, the variable `name` if it is one."""
    while isinstance(value, c_ast.Cast):
        value = value.expr
    if isinstance(value, c_ast.FuncCall) and name:
        given[value] = name
    elif isinstance(value, c_ast.ID) and value.name != name:
        become.setdefault(value.name, []).append(place)


def _reached(name: str, become: Mapping[str, list[c_ast.Node]]) -> list[c_ast.Node]:
    """What becomes of a variable, of those that it is copied to, and so on."""
    found: list[c_ast.Node] = []
    names = [name]
    for variable in names:
        for use in become.get(variable, ()):
            found.append(use)
            if isinstance(use, c_ast.ID) and use.name not in names:
                names.append(use.name)
    return found
