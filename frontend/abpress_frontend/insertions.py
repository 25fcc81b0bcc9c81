"""Insertions: code that observes executions, put into the tree of a program.

What is inserted has positions of a file that is none (`OBSERVER`), so that nothing that happens
there is taken for something of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy

from pycparser import c_ast

from abpress.config import InsertedCode
from abpress.errors import InputError, Position
from abpress_frontend.clean import clean
from abpress_frontend.sites import Site, Sites
from abpress_frontend.tokens import IDENT, Token, tokenise
from abpress_frontend.tree import replace_children, subtrees

OBSERVER = "<witness>"
"""The file that positions of inserted code name."""

THIS, ARGUMENT, CASES = "__abp_this", "__abp_argument", "__abp_cases"
"""The names that stand in inserted code for what was there, for the first argument of a call, and,
as the only `case` of a switch, for all cases of the one that is there."""

FILE, STATEMENT, CONDITION, CALL = "file", "statement", "condition", "call"
OPERANDS, TESTS = "operands", "tests"
KINDS: Mapping[str, str] = {
    FILE: "declarations, before the first function",
    STATEMENT: "statements in the place of one, THIS",
    CONDITION: "an expression in the place of the one that a branching decides by, THIS",
    CALL: "an expression in the place of a call, THIS",
    OPERANDS: "an expression in the place of each one that is tested for truth on a line, THIS, "
    "but for those that are && or ||, of which the operands are",
    TESTS: "as OPERANDS, and in the place of && and ||, too",
}
"""What the code of an insertion is, by its kind; statements, branchings and calls are named by the
place of their first characters, `?:` by that of its `?`."""

Parse = Callable[[list[Token]], c_ast.FileAST]


def names_in(insertions: Sequence[InsertedCode]) -> list[str]:
    """The names that inserted code mentions."""
    tokens = (t for i in insertions for t in tokenise(i.code, OBSERVER, own=True))
    return list(dict.fromkeys(t.text for t in tokens if t.kind == IDENT))


def insert(
    ast: c_ast.FileAST,
    insertions: Sequence[InsertedCode],
    sources: Mapping[str, str],
    parse: Parse,
) -> None:
    """Changes the tree by the insertions, in their order.

    Raises InputError for code that is not C, and AssertionError for a place where nothing of that
    kind stands.
    """
    if not insertions:
        return
    types = [node.name for node in ast.ext if isinstance(node, c_ast.Typedef)]
    # A statement may be a call that is replaced: it stands where that stood.
    for kinds in ((CALL,), (CONDITION, OPERANDS, TESTS, STATEMENT), (FILE,)):
        sites = Sites(ast, sources)
        for one in insertions:
            if one.kind in kinds:
                _insert(ast, one, sites, lambda code, at: _parsed(code, at, types, parse))


def _insert(
    ast: c_ast.FileAST,
    one: InsertedCode,
    sites: Sites,
    parsed: Callable[[str, Position], list[c_ast.Node]],
) -> None:
    at = Position(OBSERVER, one.line, one.column)
    if one.kind == FILE:
        first = next(i for i, node in enumerate(ast.ext) if isinstance(node, c_ast.FuncDef))
        ast.ext[first:first] = parsed(one.code, at)
        return
    if one.kind == STATEMENT:
        site = _found(sites.statement(one.file, one.line, one.column), one)
        _put(site, _body(parsed(_in_function(one.code), at)))
        return
    if one.kind in (OPERANDS, TESTS):
        for test in sites.tests(one.file, one.line):
            if test.is_operand or one.kind == TESTS:
                (around,) = _body(parsed(_in_function(f"({one.code});"), at))
                test.put(_with(around, {THIS: test.node}))
        return
    (expression,) = _body(parsed(_in_function(f"({one.code});"), at))
    if one.kind == CONDITION:
        site = _found(sites.branching(one.file, one.line, one.column), one)
        if site.is_switch:
            _repeat_cases(expression, site)
        site.condition = _with(expression, {THIS: site.condition})
    else:
        here = (one.file, one.line, one.column)
        site = _found(next((s for s in sites.calls if _place(s) == here), None), one)
        _replace_call(site, expression)


def _place(site: Site) -> tuple[str, int, int]:
    return site.position.file, site.position.line, site.position.column


def _found(site: Site | None, one: InsertedCode) -> Site:
    assert site is not None, f"internal error: no {one.kind} at {one.file}:{one.line}:{one.column}"
    return site


def _in_function(code: str) -> str:
    return f"void __abp_fragment(void) {{ {code} }}"


def _body(declarations: Sequence[c_ast.Node]) -> list[c_ast.Node]:
    """The statements of the last function."""
    return list(declarations[-1].body.block_items or ())


def _parsed(code: str, at: Position, types: Sequence[str], parse: Parse) -> list[c_ast.Node]:
    """The declarations of a code in which the names of types are known."""
    words = {token.text for token in tokenise(code, OBSERVER, own=True)}
    types = [name for name in types if name in words]
    known = " ".join(f"typedef int {name};" for name in types)
    tokens = list(tokenise(f"{known} {code}", OBSERVER, own=True))
    for token in tokens:
        token.line, token.column = at.line, at.column
    try:
        return list(parse(clean(tokens).tokens).ext[len(types) :])
    except InputError as error:
        raise InputError(f"not C: {code} ({error.message})", at) from None


def _put(site: Site, items: list[c_ast.Node]) -> None:
    """Puts statements in the place of one, which stands among them."""
    held = getattr(site.holder, site.slot)
    if not isinstance(held, list):
        block = c_ast.Compound([site.node], site.node.coord)
        setattr(site.holder, site.slot, block)
        site.holder, site.slot, held = block, "block_items", block.block_items
    index = next(i for i, node in enumerate(held) if node is site.node)
    held[index : index + 1] = [site.node if _is_name(item, THIS) else item for item in items]


def _replace_call(site: Site, expression: c_ast.Node) -> None:
    arguments = site.node.args.exprs if site.node.args else []
    meanings = {THIS: site.node}
    if arguments:
        meanings[ARGUMENT] = arguments[0]
    new = _with(expression, meanings)
    new.coord = site.node.coord  # it stands there now, also as a statement
    held = getattr(site.holder, site.slot)
    if isinstance(held, list):
        held[next(i for i, node in enumerate(held) if node is site.node)] = new
    else:
        setattr(site.holder, site.slot, new)


def _with(root: c_ast.Node, meanings: Mapping[str, c_ast.Node]) -> c_ast.Node:
    """The tree of inserted code with what its names stand for."""

    def meant(node: c_ast.Node) -> c_ast.Node:
        known = isinstance(node, c_ast.ID) and node.name in meanings
        return meanings[node.name] if known else node

    for node in list(subtrees(root)):
        replace_children(node, meant)
    return meant(root)


def _repeat_cases(root: c_ast.Node, site: Site) -> None:
    """Has each `case CASES` of inserted code once for each case of a switch, in its place."""
    for node in list(subtrees(root)):
        items = getattr(node, "block_items", None) or []
        for index, item in enumerate(items):
            if isinstance(item, c_ast.Case) and _is_name(item.expr, CASES):
                items[index : index + 1] = [
                    c_ast.Case(deepcopy(case.expr), deepcopy(item.stmts), item.coord)
                    for case in site.cases
                ]
                break


def _is_name(node: c_ast.Node, name: str) -> bool:
    return isinstance(node, c_ast.ID) and node.name == name
