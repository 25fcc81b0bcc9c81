"""Whether a program may join a thread twice, or threads may join one another, as far as its text
tells.

Looking for it while the program runs costs every program that joins. Most of them create threads
into variables of which nothing else is done, and join each of these once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from functools import cached_property

from pycparser import c_ast

from abpress_frontend.lower.syntax import meaning_variables, mentions
from abpress_frontend.tree import subtrees

JOINING = ("pthread_join", "thrd_join")
OWN_ID = ("pthread_self", "thrd_current")
CREATING = ("pthread_create", "thrd_create")
DETACHING = ("pthread_detach", "thrd_detach")

_LOOPS = (c_ast.For, c_ast.While, c_ast.DoWhile)
_COUNTERS = frozenset({"int", "unsigned", "signed", "long", "short", "size_t"})
"""Words of types in which counting meets no number twice before threads run out (unlike _Bool)."""

_Site = tuple[c_ast.FuncCall, tuple[c_ast.Node, ...]]
"""A direct call of a function, with the nodes around it."""


class ThreadUses:
    """What the text of a program does with threads, and with the variables that hold their ids."""

    def __init__(self, ast: c_ast.Node) -> None:
        self.ast = ast

    @cached_property
    def _nodes(self) -> tuple[c_ast.Node, ...]:
        return tuple(meaning_variables(self.ast))

    @cached_property
    def mentioned(self) -> Counter[str]:
        """How often each name is used as that of a variable or function, but to ask for a size."""
        return _used(self._nodes)

    @cached_property
    def _calls(self) -> tuple[_Site, ...]:
        names = (*CREATING, *JOINING, *DETACHING, "free")
        return tuple(_calls(self.ast, names, ()))

    def sites(self, functions: tuple[str, ...]) -> list[_Site]:
        """The direct calls of the functions."""
        return [site for site in self._calls if _callee(site[0]) in functions]

    def only_called(self, functions: tuple[str, ...]) -> bool:
        """Whether the functions are named in direct calls only."""
        named = sum(self.mentioned[name] for name in functions)
        return named == len(self.sites(functions))

    @cached_property
    def _fresh(self) -> tuple[Counter[str], Counter[str]]:
        """How often variables are assigned a block from malloc; declared without a value, or with
        that."""
        assigned: Counter[str] = Counter()
        declared: Counter[str] = Counter()
        for node in self._nodes:
            match node:
                case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name), rvalue=value):
                    assigned[name] += _is_fresh(value)
                case c_ast.Decl(name=name, init=init):
                    declared[name] += init is None or _is_fresh(init)
                case _:
                    pass
        return assigned, declared

    @cached_property
    def _blocks(self) -> frozenset[str]:
        """The variables that get a block from malloc, and so are pointers."""
        declared = (n for n in self._nodes if isinstance(n, c_ast.Decl) and n.init is not None)
        assigned = (name for name, times in self._fresh[0].items() if times)
        return frozenset({*assigned, *(n.name for n in declared if _is_fresh(n.init))})

    @cached_property
    def _null_tests(self) -> Counter[str]:
        """How often variables are asked whether they are null."""
        found: Counter[str] = Counter()
        for node in self._nodes:
            match node:
                case c_ast.UnaryOp(op="!", expr=c_ast.ID(name=name)):
                    found[name] += 1
                case c_ast.BinaryOp(op="==" | "!=", left=c_ast.ID(name=name), right=other):
                    found[name] += _is_null(other)
                case _:
                    pass
        return found

    def is_private(self, name: str, more: tuple[str, ...] = ()) -> bool:
        """Whether the variable is mentioned in creations, joins and `more` calls only, as what they
        begin with, or is a block from malloc, which may be asked whether it is null."""
        assigned, declared = self._fresh
        allowed = assigned[name]
        if name in self._blocks:
            allowed += self._null_tests[name]
        for call, _ in self.sites((*CREATING, *JOINING, *more, "free")):
            found = [_target(call)]
            if call.args:
                found.append(_variable(call.args.exprs[0]))
            allowed += any(place is not None and place[0] == name for place in found)
        return self.mentioned[name] == allowed and declared[name] == 1

    @cached_property
    def _file_level(self) -> Counter[str]:
        return Counter(node.name for _, node in self.ast.children() if hasattr(node, "name"))

    def counts(self, function: c_ast.Node, loop: c_ast.For, index: str) -> bool:
        """Whether the loop changes its index by `++` or `--` only, after each round, and nothing
        else can: a local variable of the function, of which no address is taken."""
        match loop.next:
            case c_ast.UnaryOp(op="p++" | "++" | "p--" | "--", expr=c_ast.ID(name=name)):
                pass
            case _:
                return False
        inside = list(subtrees(function))
        own = [n for n in inside if isinstance(n, c_ast.Decl) and n.name == index]
        body = [n for part in (loop.stmt, loop.cond) if part is not None for n in subtrees(part)]
        return (
            name == index
            and not self._file_level[index]
            and bool(own)
            and all(_is_counter(n) for n in own)
            and not any(n in own or _changes(n, index) for n in body)
            and not any(_is_address(n, index) for n in inside)
        )


def may_join_twice(uses: ThreadUses, entry: str, used: Set[str]) -> bool:
    """False only if each join is done by the entry function, of a variable (or an element of an
    array) whose value comes from a creation, is used for this join only, and changes before the
    join is done again. `used` are the functions of the library that the program names."""
    joining = tuple(name for name in JOINING if name in used)
    if not uses.only_called(joining):
        return True
    seen: set[tuple[str, str]] = set()
    for site, around in uses.sites(joining):
        joined = _variable(site.args.exprs[0]) if site.args else None
        if joined is None or not _is_only_of(around, entry) or _jumps(around):
            return True
        name, index = joined
        if (name, index) in seen or (any(n == name for n, _ in seen) and not index.isdigit()):
            return True
        if any(n == name and not i.isdigit() for n, i in seen):
            return True
        seen.add((name, index))
        if not _once(uses, site, around, joined) or not uses.is_private(name):
            return True
    return mentions(uses.ast, entry) > 0


def may_join_in_a_circle(uses: ThreadUses, entry: str) -> bool:
    """False only if each join is done by the entry function, or of a variable of the function that
    joins, and no thread tells others its own id."""
    for site, around in uses.sites(JOINING):
        joined = _variable(site.args.exprs[0]) if site.args else None
        inside = [n for n in around if isinstance(n, c_ast.FuncDef)]
        own = {n.name for f in inside for n in subtrees(f.body) if isinstance(n, c_ast.Decl)}
        is_own = joined is not None and joined[0] in own
        tells = any(uses.mentioned[name] for name in OWN_ID)
        if not _is_only_of(around, entry) and (tells or not is_own):
            return True
    return False


def ids_read_elsewhere(uses: ThreadUses, entry: str, used: Set[str]) -> bool:
    """False only if each creation stores its id in a variable, or an element of an array, of which
    nothing but creating, joining and detaching is done, all in the entry function, or in the
    function whose variable it is."""
    creating = tuple(name for name in CREATING if name in used)
    if not uses.only_called(creating):
        return True
    for site, around in uses.sites(creating):
        target = _target(site)
        functions = [n for n in around if isinstance(n, c_ast.FuncDef)]
        if target is None or not functions or not uses.is_private(target[0], DETACHING):
            return True
        name = target[0]
        if _used(meaning_variables(functions[0]))[name] != uses.mentioned[name]:
            return True
        own = any(
            isinstance(n, c_ast.Decl)
            and n.name == name
            and not {"static", "extern"} & set(n.storage)
            for n in subtrees(functions[0])
        )
        if not own and (not _is_only_of(around, entry) or mentions(uses.ast, entry)):
            return True
    return False


def _used(nodes: Iterable[c_ast.Node]) -> Counter[str]:
    """How often names are used, but in `sizeof v`, `sizeof *v` and `sizeof v[0]`, which read
    nothing."""
    found: Counter[str] = Counter()
    for node in nodes:
        match node:
            case c_ast.ID(name=name):
                found[name] += 1
            case c_ast.UnaryOp(op="sizeof", expr=measured):
                found.subtract(_first_of(measured))
            case _:
                pass
    return found


def _first_of(measured: c_ast.Node) -> tuple[str, ...]:
    """The variable of which the size is asked, or that of what it points to."""
    match measured:
        case c_ast.ID(name=name):
            return (name,)
        case c_ast.UnaryOp(op="*", expr=c_ast.ID(name=name)):
            return (name,)
        case c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=c_ast.Constant()):
            return (name,)
        case _:
            return ()


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
    """Whether the order of statements around may be another than that of loops."""
    function = next(n for n in around if isinstance(n, c_ast.FuncDef))
    return any(isinstance(n, c_ast.Switch) for n in around) or any(
        isinstance(n, c_ast.Goto | c_ast.Label) for n in subtrees(function)
    )


def _once(
    uses: ThreadUses, site: c_ast.Node, around: tuple[c_ast.Node, ...], joined: tuple[str, str]
) -> bool:
    """Whether the join is outside of loops, or in a `for` that counts its index, or behind a
    creation into its variable in the same round of the innermost loop."""
    loops = [n for n in around if isinstance(n, _LOOPS)]
    index = joined[1]
    if not loops:
        return index.isdigit()
    inner = loops[-1]
    if len(loops) == 1 and isinstance(inner, c_ast.For) and not index.isdigit():
        function = next(n for n in around if isinstance(n, c_ast.FuncDef))
        return uses.counts(function, inner, index)
    return index.isdigit() and _created_before(site, inner, joined)


def _changes(node: c_ast.Node, name: str) -> bool:
    match node:
        case c_ast.Assignment(lvalue=c_ast.ID(name=found)):
            return bool(found == name)
        case c_ast.UnaryOp(op="p++" | "++" | "p--" | "--", expr=c_ast.ID(name=found)):
            return bool(found == name)
        case _:
            return False


def _is_address(node: c_ast.Node, name: str) -> bool:
    match node:
        case c_ast.UnaryOp(op="&", expr=c_ast.ID(name=found)):
            return bool(found == name)
        case _:
            return False


def _is_counter(node: c_ast.Decl) -> bool:
    """Whether it declares a variable that is not static, of an integer type that counts."""
    match node.type:
        case c_ast.TypeDecl(type=c_ast.IdentifierType(names=names)):
            return not {"static", "extern"} & set(node.storage) and _COUNTERS.issuperset(names)
        case _:
            return False


def _created_before(site: c_ast.Node, loop: c_ast.Node, joined: tuple[str, str]) -> bool:
    """Whether the loop's body is a block with a creation as a statement before the join's."""
    body = loop.stmt
    for item in body.block_items or () if isinstance(body, c_ast.Compound) else ():
        if any(node is site for node in subtrees(item)):
            return False
        for call, _ in _calls(item, CREATING, ()) if isinstance(item, c_ast.FuncCall) else ():
            if _target(call) == joined:
                return True
    return False


def _target(call: c_ast.FuncCall) -> tuple[str, str] | None:
    """The variable, and its index if that is known, into which a creation writes."""
    match call.args.exprs[0] if call.args else None:
        case c_ast.UnaryOp(op="&", expr=place):
            return _variable(place)
        case c_ast.ID(name=name):
            return str(name), "0"
        case c_ast.BinaryOp(op="+", left=c_ast.ID(name=name)):
            return str(name), ""
        case _:
            return None


def _is_fresh(value: c_ast.Node) -> bool:
    """Whether the value is a call of malloc or calloc that mentions nothing else of interest."""
    while isinstance(value, c_ast.Cast):
        value = value.expr
    return isinstance(value, c_ast.FuncCall) and _callee(value) in ("malloc", "calloc")


def _is_null(value: c_ast.Node) -> bool:
    while isinstance(value, c_ast.Cast):
        value = value.expr
    return isinstance(value, c_ast.Constant) and value.value == "0"
