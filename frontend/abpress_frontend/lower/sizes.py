"""Sizes that are our own: those of the types of the thread library, and of what contains them.

A program may allocate, fill and copy as many bytes, also by way of a variable that is used for
nothing else, and count elements. A static assertion about such a size holds, since a compiler has
accepted the program. Elsewhere a size is refused, since it would be another number on the machine.
"""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from abpress.errors import Position
from abpress_frontend.lower.ctypes import CType, OwnSizeError
from abpress_frontend.lower.misuse import contains
from abpress_frontend.lower.unit import Unit
from abpress_frontend.tree import subtrees

_OF_BYTES = """
malloc calloc realloc reallocarray valloc memalign aligned_alloc posix_memalign alloca free
memset memcpy memmove memcmp bzero bcopy bcmp kmalloc kzalloc
__builtin_malloc __builtin_calloc __builtin_alloca
__builtin_memset __builtin_memcpy __builtin_memmove __builtin_memcmp
"""
_TESTS = "assert __abp_assert __abp_acsl_assert __VERIFIER_assert __VERIFIER_assume"

MEMORY = frozenset(_OF_BYTES.split())
"""Functions of which an argument says how much memory they are about."""
TESTS = frozenset(_TESTS.split())

ASSUMED = "nothing but an amount of memory depends on the size of a type of the thread library"


def check_size(unit: Unit, node: c_ast.Node, type: CType, at: Position) -> None:
    """Raises UnsupportedError where a size or an alignment is used that is our own."""
    if at.in_model or not contains(type, unit.own_sizes) or node in unit.amounts:
        return
    if node not in unit.passed_amounts:
        raise OwnSizeError(f"size of {type}, in which a type of the thread library is", at)
    unit.assume(ASSUMED, at)


def amounts(ast: c_ast.Node) -> tuple[frozenset[c_ast.Node], frozenset[c_ast.Node]]:
    """The uses of `sizeof` and its kin that are amounts of memory, numbers of elements, or offsets
    that are added or taken away; and those that are passed to other functions."""
    known: set[c_ast.Node] = set()
    passed: set[c_ast.Node] = set()
    for node in subtrees(ast):
        match node:
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=c_ast.ExprList(exprs=given)):
                found = known if name in MEMORY else passed
                if name not in TESTS:
                    found.update(part for argument in given for part in _factors(argument))
            case c_ast.FuncDef():
                for size, found in _kept(node, known, passed):
                    found.update(_factors(size))
            case c_ast.BinaryOp(op="/", left=c_ast.UnaryOp(op="sizeof", expr=of)):
                element = node.right.expr if isinstance(node.right, c_ast.UnaryOp) else None
                is_first = isinstance(element, c_ast.ArrayRef) and str(element.name) == str(of)
                is_first |= (
                    isinstance(element, c_ast.UnaryOp)
                    and element.op == "*"
                    and str(element.expr) == str(of)
                )
                if is_first and node.right.op == "sizeof":
                    known.update((node.left, node.right))
            case c_ast.BinaryOp(op="+" | "-", left=left, right=right):
                known.update(
                    n for n in map(_uncast, (left, right)) if isinstance(n, c_ast.FuncCall)
                )
            case _:
                pass
    return frozenset(known), frozenset(passed)


def _uncast(node: c_ast.Node) -> c_ast.Node:
    while isinstance(node, c_ast.Cast):
        node = node.expr
    return node


def _kept(
    function: c_ast.FuncDef, known: set[c_ast.Node], passed: set[c_ast.Node]
) -> Iterator[tuple[c_ast.Node, set[c_ast.Node]]]:
    """What variables begin with that are never changed, and of which each use is in an argument of
    a call, as an amount; each with `known` where all of these calls are about memory."""
    uses: dict[str, set[c_ast.Node]] = {}
    about: dict[c_ast.Node, set[c_ast.Node]] = {}
    begins: dict[str, list[c_ast.Node | None]] = {}
    for node in subtrees(function):
        match node:
            case c_ast.ID(name=name):
                uses.setdefault(name, set()).add(node)
            case c_ast.Decl(name=str(name)):
                begins.setdefault(name, []).append(node.init)
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=c_ast.ExprList(exprs=given)):
                if name not in TESTS:
                    found = known if name in MEMORY else passed
                    about.update((part, found) for its in given for part in _parts(its))
            case _:
                pass
    for name, inits in begins.items():
        its = uses.get(name, set())
        if len(inits) == 1 and inits[0] is not None and its <= about.keys():
            yield inits[0], passed if any(about[use] is passed for use in its) else known


def _factors(node: c_ast.Node) -> Iterator[c_ast.Node]:
    """The sizes from which an expression is computed by what keeps an amount an amount."""
    return (part for part in _parts(node) if isinstance(part, c_ast.UnaryOp))


def _parts(node: c_ast.Node) -> Iterator[c_ast.Node]:
    """The sizes and variables from which an expression is computed so."""
    match node:
        case c_ast.UnaryOp(op="sizeof") | c_ast.ID():
            yield node
        case c_ast.BinaryOp(op="*" | "+", left=left, right=right):
            yield from _parts(left)
            yield from _parts(right)
        case c_ast.Cast(expr=inner):
            yield from _parts(inner)
        case _:
            pass
