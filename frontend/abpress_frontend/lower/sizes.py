"""Sizes that are our own: of those types of the thread library that need more space here than on
the machine (rwlocks, barriers, semaphores, two kinds of attributes), and of what contains them.

A program may allocate, fill and copy as many bytes, also by way of a variable that is used for
nothing else, count elements, and add them to a pointer to what has that size. A static assertion
about such a size holds, since a compiler has accepted the program. Elsewhere a size is refused,
since it would be another number on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pycparser import c_ast

from abpress.errors import Position
from abpress_frontend.lower.ctypes import CPtr, CType, OwnSizeError, is_bytes
from abpress_frontend.lower.misuse import contains
from abpress_frontend.lower.unit import Unit
from abpress_frontend.tree import subtrees

_AMOUNTS = """
malloc:0 calloc:01 realloc:1 reallocarray:12 valloc:0 memalign:01 aligned_alloc:01
posix_memalign:12 alloca:0 memset:2 memcpy:2 memmove:2 memcmp:2 bzero:1 bcopy:2 bcmp:2
kmalloc:0 kzalloc:0 __builtin_malloc:0 __builtin_calloc:01 __builtin_alloca:0
__builtin_memset:2 __builtin_memcpy:2 __builtin_memmove:2 __builtin_memcmp:2
"""
_TESTS = "assert __abp_assert __abp_acsl_assert __VERIFIER_assert __VERIFIER_assume"

MEMORY = {
    name: {int(c) for c in which} for name, which in (word.split(":") for word in _AMOUNTS.split())
}
"""Functions of the library, and which of their arguments say how much memory they are about."""
TESTS = frozenset(_TESTS.split())

ASSUMED = "nothing but an amount of memory depends on the size of a type of the thread library"


def check_size(unit: Unit, node: c_ast.Node, type: CType, at: Position) -> None:
    """Raises UnsupportedError where a size or an alignment is used that is our own."""
    if at.in_model or not contains(type, unit.own_sizes) or node in unit.amounts | unit.steps:
        return
    if node not in unit.passed_amounts:
        raise OwnSizeError(f"size of {type}, in which a type of the thread library is", at)
    unit.assume(ASSUMED, at)


def note_steps(unit: Unit, node: c_ast.BinaryOp, typeof: Callable[[c_ast.Node], CType]) -> None:
    """Notes the offsets that a sum or difference adds to an address, or takes away from one, and
    the size in bytes of what a pointer points to, which is a step to the next one."""
    for pointer, step in ((node.left, node.right), (node.right, node.left)):
        for size in _factors(_uncast(step)):
            to, origin = (unit.types.decayed(typeof(n)) for n in (pointer, _uncast(pointer)))
            is_offset = isinstance(size, c_ast.FuncCall)
            if not isinstance(origin, CPtr) or not (
                is_offset or (isinstance(to, CPtr) and is_bytes(to.target))
            ):
                continue
            if is_offset or (size is _uncast(step) and origin.target == typeof(size.expr)):
                unit.steps.add(size)


def amounts(ast: c_ast.Node) -> tuple[frozenset[c_ast.Node], frozenset[c_ast.Node]]:
    """The uses of `sizeof` and its kin that are amounts of memory or numbers of elements, and those
    that are passed to other functions."""
    known: set[c_ast.Node] = set()
    passed: set[c_ast.Node] = set()
    for node in subtrees(ast):
        match node:
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=c_ast.ExprList(exprs=given)):
                for argument, found in _amount_arguments(name, given, known, passed):
                    found.update(_factors(argument))
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
                for argument, found in _amount_arguments(name, given, known, passed):
                    about.update((part, found) for part in _parts(argument))
            case _:
                pass
    for name, inits in begins.items():
        its = uses.get(name, set())
        if len(inits) == 1 and inits[0] is not None and its <= about.keys():
            yield inits[0], passed if any(about[use] is passed for use in its) else known


def _amount_arguments(
    name: str,
    given: list[c_ast.Node],
    known: set[c_ast.Node],
    passed: set[c_ast.Node],
) -> Iterator[tuple[c_ast.Node, set[c_ast.Node]]]:
    """The arguments of a call that are amounts, with `known`, or may be such, with `passed`."""
    for index, argument in enumerate(given):
        if name not in MEMORY and name not in TESTS:
            yield argument, passed
        elif index in MEMORY.get(name, ()):
            yield argument, known


def _factors(node: c_ast.Node) -> Iterator[c_ast.Node]:
    """The sizes from which an expression is computed by what keeps an amount an amount."""
    return (part for part in _parts(node) if not isinstance(part, c_ast.ID))


def _parts(node: c_ast.Node) -> Iterator[c_ast.Node]:
    """The sizes and variables from which an expression is computed so."""
    match node:
        case c_ast.UnaryOp(op="sizeof") | c_ast.ID():
            yield node
        case c_ast.FuncCall(name=c_ast.ID(name="offsetof" | "__builtin_offsetof")):
            yield node
        case c_ast.BinaryOp(op="*" | "+", left=left, right=right):
            yield from _parts(left)
            yield from _parts(right)
        case c_ast.Cast(expr=inner):
            yield from _parts(inner)
        case _:
            pass
