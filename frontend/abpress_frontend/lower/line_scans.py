"""Lines that `fgets` reads and of which one scan is the only use.

Then nobody can tell the characters of the line but by what the scan finds, which is what it would
find if it read the stream itself. Found are scans that follow a success of `fgets`, once for each:
the line is a variable of the function that is mentioned in these two calls alone, nothing jumps
in between (the function has no labels), no loop is around the scan that is not around `fgets`,
too, and where `fgets` has failed the scan is not reached, as the text says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from pycparser import c_ast

from abpress_frontend.lower.syntax import is_jumped_into, label_names, mentions
from abpress_frontend.tree import subtrees

SCANS = frozenset(
    {
        *("sscanf", "__isoc99_sscanf", "__isoc23_sscanf"),
        *("atoi", "atol", "atoll", "strtol", "strtoul", "strtoll", "strtoull"),
        *("__isoc23_strtol", "__isoc23_strtoul", "__isoc23_strtoll", "__isoc23_strtoull"),
    }
)
"""Functions that scan the text that is their first argument."""

_ENDING = frozenset({"exit", "_exit", "_Exit", "abort", "quick_exit", "pthread_exit", "thrd_exit"})
_LIBRARY = SCANS | _ENDING | {"fgets"}
_LOOPS = (c_ast.While, c_ast.DoWhile, c_ast.For)

_Path = tuple[c_ast.Node, ...]
"""From the body of a function down to a part of it."""


def scanned_once(ast: c_ast.Node) -> dict[c_ast.Node, c_ast.FuncCall]:
    """The call that scans a line -> the call of `fgets` that has read it."""
    functions = [f for _, f in ast.children() if isinstance(f, c_ast.FuncDef)]
    own = {f.decl.name for f in functions}
    found: dict[c_ast.Node, c_ast.FuncCall] = {}
    if own.isdisjoint(_LIBRARY):
        for function in functions:
            if mentions(function, "fgets"):
                found.update(_scanned_once(function))
    return found


def _scanned_once(function: c_ast.FuncDef) -> Iterator[tuple[c_ast.Node, c_ast.FuncCall]]:
    names = Counter(n.name for n in subtrees(function) if isinstance(n, c_ast.Decl) and n.name)
    if label_names(function.body) or not _LIBRARY.isdisjoint(names):
        return
    calls = {path[-1]: path for path in _calls(function.body, ())}
    for decl in subtrees(function.body):
        if not (isinstance(decl, c_ast.Decl) and _is_line(decl) and names[decl.name] == 1):
            continue
        mine = [c for c in calls if _first_is(c, decl.name)]
        reads = [c for c in mine if c.name.name == "fgets" and len(c.args.exprs) == 3]
        scans = [c for c in mine if c.name.name in SCANS]
        if len(reads) != 1 or len(scans) != 1:
            continue
        read, scan = calls[reads[0]], calls[scans[0]]
        sizes = _is_its_size(reads[0].args.exprs[1], decl.name)
        is_used_elsewhere = mentions(function, decl.name) > 2 + sizes
        if not is_used_elsewhere and _is_declared_before(decl, read) and _follows(read, scan):
            yield scans[0], reads[0]


def _is_its_size(node: c_ast.Node, name: str) -> bool:
    match node:
        case c_ast.UnaryOp(op="sizeof", expr=c_ast.ID(name=named)):
            return bool(named == name)
    return False


def _calls(node: c_ast.Node, above: _Path) -> Iterator[_Path]:
    """The paths to all calls of functions by name."""
    path = (*above, node)
    if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
        yield path
    for _, child in node.children():
        yield from _calls(child, path)


def _first_is(call: c_ast.FuncCall, name: str) -> bool:
    first = call.args.exprs[0] if call.args and call.args.exprs else None
    return isinstance(first, c_ast.ID) and first.name == name


def _is_line(decl: c_ast.Decl) -> bool:
    """Whether it is an array of chars that each call of the function has for itself."""
    match decl.type:
        case c_ast.ArrayDecl(type=c_ast.TypeDecl(type=c_ast.IdentifierType(names=["char"]))):
            return not decl.storage
    return False


def _is_declared_before(decl: c_ast.Decl, read: _Path) -> bool:
    """Whether the call stands in the scope of the declaration."""
    for block, inner in pairwise(read):
        items = list(getattr(block, "block_items", None) or ())
        if decl in items:
            return inner in items and items.index(decl) < items.index(inner)
    return False


def _follows(read: _Path, scan: _Path) -> bool:
    """Whether the scan is done only behind a success of the reading, and at most once for it."""
    depth = next(k for k, (a, b) in enumerate(zip(read, scan, strict=False)) if a is not b)
    fork, reading, scanning = read[depth - 1], read[depth], scan[depth]
    if is_jumped_into(fork) or any(isinstance(node, _LOOPS) for node in scan[depth:]):
        return False
    match fork:
        case c_ast.Compound(block_items=items):
            return (
                items.index(reading) < items.index(scanning)
                and isinstance(reading, c_ast.If)
                and reading.iffalse is None
                and _leaves(reading.iftrue)
                and _succeeds(reading.cond, False, read[-1])
            )
        case c_ast.While(cond=cond, stmt=stmt) if reading is cond and scanning is stmt:
            return _succeeds(cond, True, read[-1])
        case c_ast.For(cond=cond, stmt=stmt) if reading is cond and scanning is stmt:
            return _succeeds(cond, True, read[-1])
        case c_ast.If(cond=cond, iftrue=then) | c_ast.TernaryOp(cond=cond, iftrue=then) if (
            reading is cond
        ):
            return _succeeds(cond, scanning is then, read[-1])
        case c_ast.BinaryOp(op="&&" | "||" as op, left=left) if reading is left:
            return _succeeds(left, op == "&&", read[-1])
    return False


def _succeeds(condition: c_ast.Node, value: bool, read: c_ast.Node) -> bool:
    """Whether the call has been made, and has not failed, if the condition has this value."""
    match condition:
        case c_ast.UnaryOp(op="!", expr=inner):
            return _succeeds(inner, not value, read)
        case c_ast.BinaryOp(op="!=" | "==" as op, left=left, right=right) if _is_null(right):
            return left is read and value == (op == "!=")
        case c_ast.BinaryOp(op="&&" | "||" as op, left=left, right=right):
            both = value == (op == "&&")
            return both and (_succeeds(left, value, read) or _succeeds(right, value, read))
    return condition is read and value


def _is_null(node: c_ast.Node) -> bool:
    while isinstance(node, c_ast.Cast):
        node = node.expr
    return isinstance(node, c_ast.Constant) and node.value == "0"


def _leaves(statement: c_ast.Node) -> bool:
    """Whether what follows the statement is not reached from it."""
    match statement:
        case c_ast.Return() | c_ast.Break() | c_ast.Continue():
            return True
        case c_ast.FuncCall(name=c_ast.ID(name=name)):
            return name in _ENDING
        case c_ast.Compound(block_items=[*_, last]):
            return _leaves(last)
    return False
