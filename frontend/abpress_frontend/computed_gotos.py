"""Jumps to labels whose addresses were taken: `goto *p` becomes a jump to each of those of its
function, if `p` is its address. So what looks at jumps sees these, too."""

from __future__ import annotations

from pycparser import c_ast

from abpress.errors import InputError, Position
from abpress_frontend.gnu import COMPUTED_GOTO, LABEL_ADDRESS
from abpress_frontend.tree import replace_children, subtrees

_TARGET = "__abp_target"


def rewrite_computed_gotos(ast: c_ast.FileAST) -> None:
    """Rewrites the computed jumps of all functions. The address of a label is that of an object
    whose name has the function and the label. Raises InputError for one that is not defined."""
    for function in ast.ext:
        if isinstance(function, c_ast.FuncDef):
            _rewrite(function)


def _rewrite(function: c_ast.FuncDef) -> None:
    nodes = list(subtrees(function.body))
    defined = {node.name for node in nodes if isinstance(node, c_ast.Label)}
    taken: dict[str, c_ast.FuncCall] = {}
    for node in nodes:
        if _calls(node, LABEL_ADDRESS):
            text = node.args.exprs[0]
            name = text.value.strip('"')
            if name not in defined:
                at = Position(node.coord.file, node.coord.line, node.coord.column or 0)
                raise InputError(f"label '{name}' is not defined", at)
            taken.setdefault(name, node)
            text.value = f'"{function.decl.name}: {name}"'
    for node in nodes:
        replace_children(node, lambda n: _jump(n, taken) if _calls(n, COMPUTED_GOTO) else n)


def _jump(call: c_ast.FuncCall, taken: dict[str, c_ast.FuncCall]) -> c_ast.Compound:
    at = call.coord
    void = c_ast.TypeDecl(_TARGET, [], None, c_ast.IdentifierType(["void"], at), at)
    pointer = c_ast.PtrDecl([], void, at)
    target = c_ast.Decl(_TARGET, [], [], [], [], pointer, call.args.exprs[0], None, at)
    items: list[c_ast.Node] = [target]
    for name, address in taken.items():
        label = c_ast.ExprList([c_ast.Constant("string", address.args.exprs[0].value, at)], at)
        own = c_ast.FuncCall(c_ast.ID(LABEL_ADDRESS, at), label, at)
        condition = c_ast.BinaryOp("==", c_ast.ID(_TARGET, at), own, at)
        items.append(c_ast.If(condition, c_ast.Goto(name, at), None, at))
    reason = c_ast.Constant("string", '"a computed goto leads to no label of its function"', at)
    fault = c_ast.FuncCall(c_ast.ID("__abp_fault", at), c_ast.ExprList([reason], at), at)
    return c_ast.Compound([*items, fault], at)


def _calls(node: object, name: str) -> bool:
    return (
        isinstance(node, c_ast.FuncCall)
        and isinstance(node.name, c_ast.ID)
        and node.name.name == name
    )
