"""Questions about syntax trees that need no types."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from abpress_frontend.gnu import VARIABLE_ARGUMENTS
from abpress_frontend.tree import subtrees

_STATEMENTS = (
    c_ast.Break, c_ast.Case, c_ast.Continue, c_ast.Decl, c_ast.DeclList, c_ast.Default,
    c_ast.DoWhile, c_ast.EmptyStatement, c_ast.For, c_ast.FuncDef, c_ast.Goto, c_ast.If,
    c_ast.Label, c_ast.Pragma, c_ast.Return, c_ast.StaticAssert, c_ast.Switch, c_ast.Typedef,
    c_ast.While,
)  # fmt: skip


def is_expression(node: c_ast.Node) -> bool:
    """Whether an item of a block can be an expression (a block can, in GNU C)."""
    return not isinstance(node, _STATEMENTS)


def innermost(node: c_ast.Node) -> c_ast.Node:
    """The specifier of a declarator that is a plain name."""
    while isinstance(node, c_ast.TypeDecl):
        node = node.type
    return node


def is_constant_object(node: c_ast.Decl) -> bool:
    """Whether the declaration says of the variable itself that it is `const`: writing it is
    undefined (C11 6.7.3p6)."""
    type = node.type
    while isinstance(type, c_ast.ArrayDecl):
        type = type.type
    return isinstance(type, c_ast.TypeDecl) and "const" in type.quals


def meaning_variables(node: c_ast.Node) -> Iterator[c_ast.Node]:
    """As `subtrees`, without the names of members and of the parameters of prototypes: the others
    that are left mean variables and functions."""
    yield node
    for label, child in node.children():
        match node:
            case c_ast.Struct() | c_ast.Union():
                continue
            case c_ast.StructRef() if label == "field":
                continue
            case c_ast.NamedInitializer() if label != "expr" and isinstance(child, c_ast.ID):
                continue
            case c_ast.FuncDef(decl=decl) if child is decl:
                yield decl
                child = decl.type
            case c_ast.Decl(type=c_ast.FuncDecl()) if label == "type":
                continue
            case _:
                pass
        yield from meaning_variables(child)


def mentions(node: c_ast.Node, name: str) -> int:
    """How often the name is used as that of a variable or function."""
    return sum(isinstance(n, c_ast.ID) and n.name == name for n in meaning_variables(node))


def label_names(node: c_ast.Node) -> frozenset[str]:
    """The labels that goto can reach."""
    return frozenset(n.name for n in subtrees(node) if isinstance(n, c_ast.Label))


def cases(node: c_ast.Node) -> list[c_ast.Node]:
    """The case and default labels of a switch body, not those of a switch inside."""
    found: list[c_ast.Node] = [node] if isinstance(node, c_ast.Case | c_ast.Default) else []
    for label, child in node.children():
        if label != "expr" and not isinstance(child, c_ast.Switch):
            found += cases(child)
    return found


def is_jumped_into(statement: c_ast.Node | None) -> bool:
    """Whether it has labels that code outside of it may go to."""
    return statement is not None and bool(label_names(statement) or cases(statement))


def jumped_over(body: c_ast.Node) -> frozenset[c_ast.Node]:
    """Declarations in whose scope a label stands: a jump can leave them out, and the variable
    exists all the same (C11 6.2.4p6)."""
    found: set[c_ast.Node] = set()

    def visit(node: c_ast.Node, open: list[c_ast.Node]) -> None:
        if isinstance(node, c_ast.Label | c_ast.Case | c_ast.Default):
            found.update(open)
        if isinstance(node, c_ast.Decl):
            open.append(node)
        inside = list(open) if isinstance(node, c_ast.Compound | c_ast.For) else open
        for _, child in node.children():
            visit(child, inside)

    visit(body, [])
    return frozenset(found)


def may_repeat(body: c_ast.Node, node: c_ast.Node) -> bool:
    """Whether a part of a function's body may run more than once each time the function does."""
    loops = (c_ast.For, c_ast.While, c_ast.DoWhile)
    parts = list(subtrees(body))
    return any(isinstance(n, c_ast.Goto) for n in parts) or any(
        isinstance(n, loops) and any(inner is node for inner in subtrees(n)) for n in parts
    )


def names_written(body: c_ast.Node) -> tuple[frozenset[str], frozenset[str]]:
    """Names that occur as the target of an assignment, and names whose address is taken."""
    assigned: set[str] = set()
    addressed: set[str] = set()
    for node in subtrees(body):
        match node:
            case c_ast.Assignment(lvalue=c_ast.ID(name=name)):
                assigned.add(name)
            case c_ast.UnaryOp(op="p++" | "p--" | "++" | "--", expr=c_ast.ID(name=name)):
                assigned.add(name)
            case c_ast.UnaryOp(op="&", expr=operand):
                base = operand
                while isinstance(base, c_ast.ArrayRef | c_ast.StructRef | c_ast.Cast):
                    base = base.expr if isinstance(base, c_ast.Cast) else base.name
                if isinstance(base, c_ast.ID):
                    addressed.add(base.name)
    return frozenset(assigned), frozenset(addressed)


_TESTING = frozenset({"assert", "__abp_assert", "__abp_acsl_assert", "__VERIFIER_assume"})
_RELATIONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


def tested_calls(body: c_ast.Node) -> frozenset[c_ast.Node]:
    """The calls in a function's body of whose value only the sign is asked."""
    found: set[c_ast.Node] = set()
    for node in subtrees(body):
        match node:
            case c_ast.If(cond=a) | c_ast.While(cond=a) | c_ast.DoWhile(cond=a):
                found.add(a)
            case c_ast.For(cond=a) | c_ast.TernaryOp(cond=a) if a is not None:
                found.add(a)
            case c_ast.UnaryOp(op="!", expr=a):
                found.add(a)
            case c_ast.BinaryOp(op="&&" | "||", left=a, right=b):
                found.update((a, b))
            case c_ast.BinaryOp(op=op, left=a, right=b) if op in _RELATIONS:
                found.update(x for x, other in ((a, b), (b, a)) if _is_zero(other))
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=c_ast.ExprList(exprs=[a, *_])):
                if name in _TESTING:
                    found.add(a)
            case c_ast.Compound(block_items=[*items]):
                found.update(items)
    return frozenset(node for node in found if isinstance(node, c_ast.FuncCall))


def _is_zero(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Constant) and node.value == "0"


def has_effect(node: c_ast.Node) -> bool:
    """Whether evaluating the expression may do more than read."""
    if isinstance(node, c_ast.FuncCall | c_ast.Assignment | c_ast.Compound):
        return True
    if isinstance(node, c_ast.UnaryOp) and node.op in ("++", "--", "p++", "p--"):
        return True
    return any(has_effect(child) for _, child in node.children())


_OPERATORS = frozenset({"__abp_elvis", "__builtin_choose_expr"})
"""What looks like a call and may be an lvalue."""


def is_rvalue(node: c_ast.Node) -> bool:
    """Whether an expression, of a struct, is the value of one and no object."""
    if isinstance(node, c_ast.FuncCall):
        return getattr(node.name, "name", None) not in _OPERATORS
    rvalues = (c_ast.Assignment, c_ast.Cast, c_ast.Compound, c_ast.ExprList, c_ast.TernaryOp)
    return isinstance(node, rvalues)


def makes_temporary(node: c_ast.Node) -> bool:
    """Whether a part of the expression is a member of a struct that is no object."""
    parts = subtrees(node)
    return any(isinstance(n, c_ast.StructRef) and is_rvalue(n.name) for n in parts)


def reads_variable_arguments(node: c_ast.Node) -> bool:
    """Whether the body of a function has a `va_start`."""
    if isinstance(node, c_ast.ID):
        return bool(node.name == VARIABLE_ARGUMENTS)
    return any(reads_variable_arguments(child) for _, child in node.children())
