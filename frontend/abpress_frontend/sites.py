"""Sites: where statements and calls stand in a tree, as witnesses and people name places."""

from __future__ import annotations

import re
import sys
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass

from pycparser import c_ast

from abpress.errors import Position
from abpress_frontend.declared import names_before
from abpress_frontend.lower.positions import position
from abpress_frontend.lower.syntax import cases
from abpress_frontend.parser import BranchingCoord
from abpress_frontend.tree import ELVIS, slots
from abpress_frontend.truth_tests import TruthTest, truth_tests

_HOLDS_STATEMENTS = frozenset(
    {
        (c_ast.AttributedStatement, "stmt"),
        (c_ast.Case, "stmts"),
        (c_ast.Compound, "block_items"),
        (c_ast.Default, "stmts"),
        (c_ast.DoWhile, "stmt"),
        (c_ast.For, "stmt"),
        (c_ast.If, "iffalse"),
        (c_ast.If, "iftrue"),
        (c_ast.Label, "stmt"),
        (c_ast.Switch, "stmt"),
        (c_ast.While, "stmt"),
    }
)
"""The parts of nodes that are statements, or lists of them."""

LOOPS = (c_ast.While, c_ast.DoWhile, c_ast.For)
_BRANCHES = (c_ast.If, *LOOPS)
_DECLARES = (c_ast.Decl, c_ast.Typedef, c_ast.DeclList)


@dataclass(slots=True, eq=False)
class Site:
    """A statement or a call, and what holds it: `slot` of `holder`, which may be a list. Mutable:
    who changes the tree there says what it is now.

    `position` is that of its first character, `end` that of the closing parenthesis of a call.
    """

    node: c_ast.Node
    holder: c_ast.Node
    slot: str
    position: Position
    end: Position
    variables: frozenset[str] = frozenset()
    """The names that are, somewhere in the program, those of variables."""

    @property
    def name(self) -> str:
        """The function that is called by its name; empty for others, and where the name may be that
        of a variable."""
        node = self.node
        called = isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID)
        return str(node.name.name) if called and node.name.name not in self.variables else ""

    @property
    def is_loop(self) -> bool:
        """Whether it is a loop."""
        return isinstance(self.node, LOOPS)

    @property
    def tests_last(self) -> bool:
        """Whether it is a loop whose condition stands at its end."""
        return isinstance(self.node, c_ast.DoWhile)

    @property
    def is_branch(self) -> bool:
        """Whether it is a statement with a condition that is true or false."""
        return isinstance(self.node, _BRANCHES)

    @property
    def is_switch(self) -> bool:
        """Whether it is a switch."""
        return isinstance(self.node, c_ast.Switch)

    @property
    def is_elvis(self) -> bool:
        """Whether it is `a ?: b`, of which the condition is a value, too."""
        return self.name == ELVIS

    @property
    def condition(self) -> c_ast.Node:
        """What a branching decides by: its condition, or the expression of a switch."""
        if self.is_elvis:
            return self.node.args.exprs[0]
        return self.node.cond or c_ast.Constant("int", "1", self.node.coord)

    @condition.setter
    def condition(self, condition: c_ast.Node) -> None:
        if self.is_elvis:
            self.node.args.exprs[0] = condition
        else:
            self.node.cond = condition

    @property
    def cases(self) -> list[c_ast.Case]:
        """The cases of a switch, without the default."""
        return [case for case in cases(self.node.stmt) if isinstance(case, c_ast.Case)]

    @property
    def is_label(self) -> bool:
        """Whether it begins with a label, so that one can jump over what stands before it."""
        return isinstance(self.node, c_ast.Label | c_ast.Case | c_ast.Default)

    @property
    def labelled(self) -> c_ast.Node | None:
        """The statement behind a label."""
        if isinstance(self.node, c_ast.Label):
            return self.node.stmt
        behind = self.node.stmts if isinstance(self.node, c_ast.Case | c_ast.Default) else None
        return behind[0] if behind else None

    @property
    def writes_once(self) -> bool:
        """Whether it writes a constant to a variable, and does nothing else."""
        node = self.node
        assigns = isinstance(node, c_ast.Assignment) and node.op == "="
        return (
            assigns
            and isinstance(node.lvalue, c_ast.ID)
            and isinstance(node.rvalue, c_ast.Constant)
        )

    def single_call(self, functions: Container[str]) -> str:
        """The function of a statement that is one call, for which nothing is read and nothing
        written: its arguments are constants, and addresses of objects that are named and of these
        functions. Else empty."""
        if not self.name:
            return ""
        arguments = [] if self.node.args is None else self.node.args.exprs
        return self.name if all(_is_fixed(one, functions) for one in arguments) else ""

    @property
    def jumps(self) -> bool:
        """Whether what follows in the text need not follow in time."""
        jumps = (c_ast.Return, c_ast.Goto, c_ast.Break, c_ast.Continue)
        return self.is_label or isinstance(self.node, (*jumps, c_ast.Switch, c_ast.Compound))


class Sites:
    """The sites of a tree, as they stand in the text; `sources` are the texts, by their names."""

    def __init__(self, ast: c_ast.FileAST, sources: Mapping[str, str]) -> None:
        self._lines = {file: text.split("\n") for file, text in sources.items()}
        self.statements: list[Site] = []
        self.calls: list[Site] = []
        self._branchings: list[tuple[Position, Site]] = []
        self.functions: list[str] = []
        self._bodies: dict[str, c_ast.Node] = {}
        self._ast = ast
        self._variables = frozenset(
            str(node.name)
            for _, _, node in _parts(ast)
            if isinstance(node, c_ast.Decl) and not isinstance(node.type, c_ast.FuncDecl)
        )
        for node in ast.ext:
            if isinstance(node, c_ast.FuncDef):
                self.functions.append(str(node.decl.name))
                self._bodies[self.functions[-1]] = node.body
                for holder, slot, child in _parts(node.body):
                    self._add(holder, slot, child, self.functions[-1])
        self.statements.sort(key=lambda site: _key(site.position))
        self._branchings.sort(key=lambda word: _key(word[0]))

    def _add(self, holder: c_ast.Node, slot: str, node: c_ast.Node, function: str) -> None:
        at = position(node, function)
        if at.file not in self._lines or not 0 < at.line <= len(self._lines[at.file]):
            return
        is_pragma = isinstance(node, c_ast.Pragma)
        if (type(holder), slot) in _HOLDS_STATEMENTS and not is_pragma:
            start = self._start(node, at)
            self.statements.append(Site(node, holder, slot, start, at, self._variables))
            if isinstance(node, (*_BRANCHES, c_ast.Switch)):
                self._add_branching(self.statements[-1])
        is_elvis = isinstance(node, c_ast.FuncCall) and getattr(node.name, "name", "") == ELVIS
        if is_elvis or isinstance(node, c_ast.TernaryOp):
            self._add_branching(Site(node, holder, slot, _word(node, at), at))
        elif isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            end = self._closing(at)
            self.calls.append(Site(node, holder, slot, at, end, self._variables))

    def _add_branching(self, site: Site) -> None:
        words = {site.position, _word(site.node, site.position)}
        self._branchings += [(word, site) for word in words]

    def _start(self, node: c_ast.Node, at: Position) -> Position:
        """The first character of a statement: trees have that of an inner part of some."""
        head = self._lines[at.file][at.line - 1][: at.column - 1]
        before = r"[^;{}]*$" if isinstance(node, _DECLARES) else r"[\s*&(+\-!~]*$"
        found = re.search(before, head)
        text = found[0] if found else ""
        column = at.column - len(text.lstrip())
        return Position(at.file, at.line, column, at.function)

    def _closing(self, at: Position) -> Position:
        """The closing parenthesis of the call whose name stands at a position; itself if unseen."""
        depth = 0
        lines = self._lines[at.file]
        for number in range(at.line, min(at.line + 60, len(lines) + 1)):
            text = lines[number - 1]
            for match in _BRACKETS.finditer(text, at.column - 1 if number == at.line else 0):
                depth += {"(": 1, ")": -1}.get(match[0], 0)
                if match[0] == ")" and depth == 0:
                    return Position(at.file, number, match.start() + 1, at.function)
        return at

    def statement(self, file: str, line: int, column: int = 0) -> Site | None:
        """The statement that begins there; the leftmost of the line for column 0. At labels that is
        the one behind them, if there is one."""
        its = self.on_line(file, line)
        found = next((s for s in its if column in (0, s.position.column)), None)
        while found is not None and (inner := found.labelled) is not None:
            found = next((site for site in self.statements if site.node is inner), None)
        return found

    def on_line(self, file: str, line: int) -> list[Site]:
        """The statements that begin on a line."""
        at = (file, line)
        return [s for s in self.statements if (s.position.file, s.position.line) == at]

    def branching(self, file: str, line: int, column: int = 0) -> Site | None:
        """The statement with a condition whose word stands there, or the `?:` with that `?`; of a
        `do` loop both words are meant. The leftmost of the line for column 0; none if there are
        several at one place, as macros have them."""
        its = [(at, s) for at, s in self._branchings if (at.file, at.line) == (file, line)]
        wanted = [(at, site) for at, site in its if column in (0, at.column)]
        first = [site for at, site in wanted if at == wanted[0][0]]
        return first[0] if len(first) == 1 else None

    def loop(self, file: str, line: int, column: int = 0) -> Site | None:
        """As `statement`, of loops."""
        its = self.on_line(file, line)
        return next((s for s in its if s.is_loop and column in (0, s.position.column)), None)

    def call(self, file: str, line: int, column: int = 0) -> Site | None:
        """The innermost call whose parentheses close there, or that reaches over that place; the
        leftmost of the line for column 0."""
        its = [s for s in self.calls if s.position.file == file]
        if column == 0:
            on_line = [s for s in its if line in (s.position.line, s.end.line)]
            return min(on_line, key=lambda s: _key(s.position), default=None)
        closing = [s for s in its if (s.end.line, s.end.column) == (line, column)]
        over = [
            s
            for s in its
            if (s.position.line, s.position.column) <= (line, column) <= (s.end.line, s.end.column)
        ]
        return max(closing or over, key=lambda s: _key(s.position), default=None)

    def around(self, at: Position) -> Site | None:
        """The statement of the same function that begins last before a place, or there; the loop
        for the condition of a `do` loop."""
        here = (at.file, at.function)
        before = [s for s in self.statements if (s.position.file, s.position.function) == here]
        before = [s for s in before if _key(s.position) <= _key(at)]
        if not before:
            return None
        words = [(_key(_word(s.node, s.position)), s) for s in before if s.tests_last]
        begun = _key(before[-1].position)
        behind = [(word, loop) for word, loop in words if begun < word <= _key(at)]
        return max(behind, key=lambda its: its[0])[1] if behind else before[-1]

    def over(self, file: str, line: int, column: int = 0) -> Site | None:
        """The statement that begins last before a place, or the end of a line for column 0, and
        goes on there."""
        place = (file, line, column or sys.maxsize)
        before = [s for s in self.statements if s.position.file == file]
        before = [s for s in before if _key(s.position) <= place]
        goes_on = before and (line, column) <= self._own_end(before[-1])
        return before[-1] if goes_on else None

    def _own_end(self, site: Site) -> tuple[int, int]:
        """Line and column of the `;` of a statement, or of the brace where its own text ends."""
        depth, at = 0, site.position
        ends = (";",) if isinstance(site.node, _DECLARES) else (";", "{", "}")
        for number in range(at.line, len(self._lines[at.file]) + 1):
            text = self._lines[at.file][number - 1]
            for match in _ENDS.finditer(text, at.column - 1 if number == at.line else 0):
                depth += {"(": 1, ")": -1}.get(match[0], 0)
                if depth == 0 and match[0] in ends:
                    return number, match.start() + 1
        return at.line, at.column

    def stores_for_itself(self, site: Site) -> bool:
        """Whether what a statement that is a call stores at its first argument, as a creation its
        id, is a variable of the function whose address only such calls have: no other thread sees
        whether it has been stored."""
        name, function = _stored(site.node)
        below = [node for _, _, node in _parts(self._bodies[site.position.function])]
        storages = [n.storage for n in below if isinstance(n, c_ast.Decl) and n.name == name]
        addressed = sum(_addressed(node) == name for node in below)
        stores = sum(_stored(node) == (name, function) for node in below)
        return name is not None and storages == [[]] and addressed == stores

    def statements_with(self, object: str, functions: Container[str]) -> list[Site]:
        """The statements that are calls of these functions for an object, a variable or a member,
        by its address as an argument; none if the program takes its address elsewhere, too."""
        sites = [
            site
            for site in self.statements
            if site.name in functions
            and site.node.args is not None
            and any(_object(argument) == object for argument in site.node.args.exprs)
        ]
        uses = sum(_object(node) == object for _, _, node in _parts(self._ast))
        return sites if len(sites) == uses else []

    def tests(self, file: str, line: int) -> list[TruthTest]:
        """What is tested for truth on a line. Raises UnsupportedError where that is open."""
        its = (truth_tests(body, file, line) for body in self._bodies.values())
        return [test for tests in its for test in tests]

    def names_before(self, nodes: Iterable[c_ast.Node]) -> dict[int, frozenset[str]]:
        """As the function of that name."""
        return names_before(self._ast, nodes)

    def names(self) -> frozenset[str]:
        """The names that stand in the program as it is behind the preprocessor, of whatever they
        are."""
        named = (getattr(node, "name", None) for _, _, node in _parts(self._ast))
        return frozenset(name for name in named if isinstance(name, str))

    def names_of_files(self) -> frozenset[str]:
        """The variables and functions that are declared outside of functions."""
        declared = (node for node in self._ast.ext if isinstance(node, c_ast.Decl))
        return frozenset(str(node.name) for node in declared)

    def has_line(self, file: str, line: int) -> bool:
        """Whether a file has so many lines."""
        return 0 < line <= len(self._lines.get(file, ()))


_ENDS = re.compile(r'//.*|/\*.*?\*/|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[(){};]')
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[()]')


def _word(node: c_ast.Node, at: Position) -> Position:
    """Where the word that branches stands, if that is not where the node begins."""
    if not isinstance(node.coord, BranchingCoord) or node.coord.word is None:
        return at
    word = node.coord.word
    return Position(word.file, word.line, word.column or 0, at.function)


def _key(at: Position) -> tuple[str, int, int]:
    return at.file, at.line, at.column


def _parts(root: c_ast.Node) -> Iterator[tuple[c_ast.Node, str, c_ast.Node]]:
    """All nodes below a node, each with its holder and the slot there, in the order of the text."""
    todo = [root]
    while todo:
        node = todo.pop()
        children = []
        for slot in slots(node):
            value = getattr(node, slot)
            for child in value if isinstance(value, list) else (value,):
                if isinstance(child, c_ast.Node):
                    yield node, slot, child
                    children.append(child)
        todo += reversed(children)


def _addressed(node: c_ast.Node) -> str | None:
    """The variable of which an expression is the address."""
    if isinstance(node, c_ast.UnaryOp) and node.op == "&" and isinstance(node.expr, c_ast.ID):
        return str(node.expr.name)
    return None


def _object(node: c_ast.Node) -> str:
    """The object, a variable or a member of one, of which an expression is the address."""
    if not (isinstance(node, c_ast.UnaryOp) and node.op == "&"):
        return ""
    members: list[str] = []
    of = node.expr
    while isinstance(of, c_ast.StructRef) and of.type == ".":
        members.insert(0, str(of.field.name))
        of = of.name
    return ".".join([str(of.name), *members]) if isinstance(of, c_ast.ID) else ""


def _stored(node: c_ast.Node) -> tuple[str | None, str]:
    """The variable whose address is the first argument of a call, and the function; neither of what
    is no such call."""
    if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.args:
        return _addressed(node.args.exprs[0]), str(node.name.name)
    return None, ""


def _is_fixed(argument: c_ast.Node, functions: Container[str]) -> bool:
    """Whether an argument is a constant, or the address of an object that is named or of one of
    these functions."""
    if isinstance(argument, c_ast.Cast):
        return _is_fixed(argument.expr, functions)
    if isinstance(argument, c_ast.ID):
        return argument.name in functions
    if isinstance(argument, c_ast.UnaryOp) and argument.op == "&":
        object = argument.expr
        while isinstance(object, c_ast.StructRef) and object.type == ".":
            object = object.name
        return isinstance(object, c_ast.ID)
    return isinstance(argument, c_ast.Constant)
