"""Whether a program may join a thread twice, or threads may join one another, as far as its text
tells.

Looking for it while the program runs costs every program that joins. Most of them create threads
into variables of which nothing else is done, and join each of these once.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from pycparser import c_ast

from abpress_frontend.lower.syntax import meaning_variables, mentions, subtrees

JOINING = ("pthread_join", "thrd_join")
OWN_ID = ("pthread_self", "thrd_current")
CREATING = ("pthread_create", "thrd_create")
DETACHING = ("pthread_detach", "thrd_detach")

_LOOPS = (c_ast.For, c_ast.While, c_ast.DoWhile)


def may_join_twice(ast: c_ast.Node, entry: str, used: Set[str]) -> bool:
    """False only if each join is done by the entry function, of a variable (or an element of an
    array) whose value comes from a creation, is used for this join only, and changes before the
    join is done again. `used` are the functions of the library that the program names."""
    joining = tuple(name for name in JOINING if name in used)
    sites = [(site, around) for site, around in _calls(ast, joining, ())]
    named = sum(isinstance(n, c_ast.ID) and n.name in joining for n in meaning_variables(ast))
    if named != len(sites):
        return True
    seen: set[tuple[str, str]] = set()
    for site, around in sites:
        joined = _variable(site.args.exprs[0]) if site.args else None
        if joined is None or not _is_only_of(around, entry) or _jumps(around):
            return True
        name, index = joined
        if (name, index) in seen or (any(n == name for n, _ in seen) and not index.isdigit()):
            return True
        if any(n == name and not i.isdigit() for n, i in seen):
            return True
        seen.add((name, index))
        if not _once(site, around, name, index) or not _is_private(ast, name):
            return True
    return mentions(ast, entry)


def may_join_in_a_circle(ast: c_ast.Node, entry: str) -> bool:
    """False only if each join is done by the entry function, or of a variable of the function that
    joins, and no thread tells others its own id."""
    names = {n.name for n in subtrees(ast) if isinstance(n, c_ast.ID)}
    for site, around in _calls(ast, JOINING, ()):
        joined = _variable(site.args.exprs[0]) if site.args else None
        inside = [n for n in around if isinstance(n, c_ast.FuncDef)]
        own = {n.name for f in inside for n in subtrees(f.body) if isinstance(n, c_ast.Decl)}
        is_own = joined is not None and joined[0] in own
        if not _is_only_of(around, entry) and not (is_own and names.isdisjoint(OWN_ID)):
            return True
    return False


def ids_read_elsewhere(ast: c_ast.Node, entry: str, used: Set[str]) -> bool:
    """False only if each creation stores its id in a variable, or an element of an array, of which
    nothing but creating, joining and detaching is done, all in the entry function, or in the
    function whose variable it is."""
    creating = tuple(name for name in CREATING if name in used)
    sites = [(site, around) for site, around in _calls(ast, creating, ())]
    if sum(isinstance(n, c_ast.ID) and n.name in creating for n in meaning_variables(ast)) != len(
        sites
    ):
        return True
    for site, around in sites:
        name = _target(site)
        functions = [n for n in around if isinstance(n, c_ast.FuncDef)]
        if name is None or not functions or not _is_private(ast, name, DETACHING):
            return True
        inside = list(subtrees(functions[0]))
        if sum(_is_named(n, name) for n in inside) != sum(
            _is_named(n, name) for n in subtrees(ast)
        ):
            return True
        own = any(
            isinstance(n, c_ast.Decl)
            and n.name == name
            and not {"static", "extern"} & set(n.storage)
            for n in inside
        )
        if not own and (not _is_only_of(around, entry) or mentions(ast, entry)):
            return True
    return False


def _is_named(node: c_ast.Node, name: str) -> bool:
    return isinstance(node, c_ast.ID) and bool(node.name == name)


def _calls(
    node: c_ast.Node, names: tuple[str, ...], around: tuple[c_ast.Node, ...]
) -> Iterator[tuple[c_ast.FuncCall, tuple[c_ast.Node, ...]]]:
    """The direct calls of the functions, each with the nodes around it."""
    if isinstance(node, c_ast.FuncCall) and _callee(node) in names:
        yield node, around
    for _, child in node.children():
        yield from _calls(child, names, (*around, node))


def _callee(call: c_ast.FuncCall) -> str | None:
    return str(call.name.name) if isinstance(call.name, c_ast.ID) else None


def _variable(node: c_ast.Node) -> tuple[str, str] | None:
    """The variable `v` or `v[i]` with its index, a number or a name; None for anything else."""
    match node:
        case c_ast.ID(name=name):
            return name, "0"
        case c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=c_ast.Constant(value=number)):
            return (name, number) if str(number).isdigit() else None
        case c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=c_ast.ID(name=index)):
            return name, index
        case _:
            return None


def _is_only_of(around: tuple[c_ast.Node, ...], entry: str) -> bool:
    functions = [n for n in around if isinstance(n, c_ast.FuncDef)]
    return [f.decl.name for f in functions] == [entry]


def _jumps(around: tuple[c_ast.Node, ...]) -> bool:
    function = next(n for n in around if isinstance(n, c_ast.FuncDef))
    return any(isinstance(n, c_ast.Goto | c_ast.Label) for n in subtrees(function))


def _once(site: c_ast.Node, around: tuple[c_ast.Node, ...], name: str, index: str) -> bool:
    """Whether the join is outside of loops, or in a `for` that counts its index, or behind a
    creation into its variable in the same round of the innermost loop."""
    loops = [n for n in around if isinstance(n, _LOOPS)]
    if not loops:
        return index.isdigit()
    inner = loops[-1]
    if len(loops) == 1 and isinstance(inner, c_ast.For) and not index.isdigit():
        return _counts(inner, index)
    return index.isdigit() and _created_before(site, inner, name)


def _counts(loop: c_ast.For, index: str) -> bool:
    """Whether the loop changes its index by `++` or `--` only, after each round."""
    match loop.next:
        case c_ast.UnaryOp(op="p++" | "++" | "p--" | "--", expr=c_ast.ID(name=name)):
            pass
        case _:
            return False
    changed = [n for n in subtrees(loop.stmt) if _changes(n, index)]
    return name == index and not changed


def _changes(node: c_ast.Node, name: str) -> bool:
    match node:
        case c_ast.Assignment(lvalue=c_ast.ID(name=found)):
            return bool(found == name)
        case c_ast.UnaryOp(op="p++" | "++" | "p--" | "--" | "&", expr=c_ast.ID(name=found)):
            return bool(found == name)
        case _:
            return False


def _created_before(site: c_ast.Node, loop: c_ast.Node, name: str) -> bool:
    """Whether the loop's body is a block with a creation as a statement before the join's."""
    body = loop.stmt
    for item in body.block_items or () if isinstance(body, c_ast.Compound) else ():
        if any(node is site for node in subtrees(item)):
            return False
        for call, _ in _calls(item, CREATING, ()) if isinstance(item, c_ast.FuncCall) else ():
            if _target(call) == name:
                return True
    return False


def _target(call: c_ast.FuncCall) -> str | None:
    """The variable into which a creation writes."""
    match call.args.exprs[0] if call.args else None:
        case c_ast.UnaryOp(op="&", expr=place):
            found = _variable(place)
            return found[0] if found else None
        case c_ast.BinaryOp(op="+", left=c_ast.ID(name=name)) | c_ast.ID(name=name):
            return str(name)
        case _:
            return None


def _is_private(ast: c_ast.Node, name: str, more: tuple[str, ...] = ()) -> bool:
    """Whether the variable is mentioned in creations, joins and `more` calls only, as what they
    begin with, or is a block from malloc."""
    allowed = 0
    for call, _ in _calls(ast, (*CREATING, *JOINING, *more, "free"), ()):
        first = call.args.exprs[0] if call.args else None
        target = _target(call) if first is not None else None
        joined = _variable(first) if first is not None else None
        allowed += name in (target, joined[0] if joined else None)
    for node in meaning_variables(ast):
        match node:
            case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=found), rvalue=value):
                allowed += found == name and _is_fresh(value)
            case _:
                pass
    mentioned = sum(isinstance(n, c_ast.ID) and n.name == name for n in meaning_variables(ast))
    declared = sum(
        isinstance(n, c_ast.Decl) and n.name == name and (n.init is None or _is_fresh(n.init))
        for n in meaning_variables(ast)
    )
    return bool(mentioned == allowed and declared == 1)


def _is_fresh(value: c_ast.Node) -> bool:
    """Whether the value is a call of malloc or calloc that mentions nothing else of interest."""
    while isinstance(value, c_ast.Cast):
        value = value.expr
    return isinstance(value, c_ast.FuncCall) and _callee(value) in ("malloc", "calloc")
