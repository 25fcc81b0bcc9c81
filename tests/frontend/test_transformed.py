"""A program and one that says the same in other words can do the same: every statement in a
block that runs once, loops and conditions of another kind, declarations in another order, locals
that are members of a struct, functions in a file of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

from pycparser import c_ast, c_generator

from abpress.config import Compilation, ProgramOptions
from abpress.ir.passes.pipeline import simplify
from abpress.semantics.interpreter import Interpreter
from abpress_frontend.load import load_program
from abpress_frontend.lower.syntax import subtrees
from abpress_frontend.parse import parse_file
from tests.frontend.test_differential_concurrent import plain
from tests.sampling import examples
from tests.strategies.c_programs import DATA, HEADER, random_program

LOCAL = "l"
"""The local variable of every function of the random programs."""

INCLUDES = "".join(
    f"{line}\n" for line in HEADER.splitlines() if line.startswith(("#include", "#define _GNU"))
)

Declarations = list[c_ast.Node]


class _Generator(c_generator.CGenerator):
    """C text in the words of the user: `assert` is a macro."""

    def visit_FuncCall(self, n: c_ast.FuncCall) -> str:
        if isinstance(n.name, c_ast.ID) and n.name.name == "__abp_assert":
            return f"assert({self.visit(n.args.exprs[0])})"
        text: str = super().visit_FuncCall(n)
        return text


class _Rewriter(c_ast.NodeVisitor):
    """Puts `change` of a node, bottom up, in the place of the node."""

    def __init__(self, change: Callable[[c_ast.Node], c_ast.Node]) -> None:
        self.change = change

    def generic_visit(self, node: c_ast.Node) -> None:
        for name, child in node.children():
            self.visit(child)
            changed = self.change(child)
            if changed is child:
                continue
            if "[" in name:
                attribute, index = name.rstrip("]").split("[")
                getattr(node, attribute)[int(index)] = changed
            else:
                setattr(node, name, changed)


def rewritten(
    declarations: Declarations, change: Callable[[c_ast.Node], c_ast.Node]
) -> Declarations:
    for one in declarations:
        if isinstance(one, c_ast.FuncDef):
            _Rewriter(change).visit(one.body)
    return declarations


def once(node: c_ast.Node) -> c_ast.Node:
    """Statements of a block, each in a block that is run once."""
    if isinstance(node, c_ast.Compound):
        node.block_items = [
            c_ast.DoWhile(c_ast.Constant("int", "0"), c_ast.Compound([item]))
            if isinstance(item, c_ast.Assignment | c_ast.FuncCall | c_ast.UnaryOp | c_ast.If)
            else item
            for item in node.block_items or []
        ]
    return node


def other_loop(node: c_ast.Node) -> c_ast.Node:
    if isinstance(node, c_ast.While):
        return c_ast.For(None, node.cond, None, node.stmt)
    if isinstance(node, c_ast.For) and node.init is not None and node.next is not None:
        assert not any(isinstance(n, c_ast.Continue) for n in subtrees(node.stmt))
        loop = c_ast.While(node.cond, c_ast.Compound([node.stmt, node.next]))
        first = node.init.decls if isinstance(node.init, c_ast.DeclList) else [node.init]
        return c_ast.Compound([*first, loop])
    return node


def negated(node: c_ast.Node) -> c_ast.Node:
    if isinstance(node, c_ast.If):
        return c_ast.If(
            c_ast.UnaryOp("!", node.cond), node.iffalse or c_ast.EmptyStatement(), node.iftrue
        )
    return node


def in_a_struct(node: c_ast.Node) -> c_ast.Node:
    """The local variable as a member."""
    if isinstance(node, c_ast.Decl) and node.name == LOCAL:
        member = c_ast.Decl(
            LOCAL, [], [], [], [], c_ast.TypeDecl(LOCAL, [], None, node.type.type), None, None
        )
        box = c_ast.TypeDecl("box", [], None, c_ast.Struct(None, [member]))
        init = c_ast.InitList([node.init]) if node.init is not None else None
        return c_ast.Decl("box", [], [], [], [], box, init, None)
    if isinstance(node, c_ast.ID) and node.name == LOCAL:
        return c_ast.StructRef(c_ast.ID("box"), ".", c_ast.ID(LOCAL))
    return node


def prototype(function: c_ast.FuncDef) -> c_ast.Node:
    return deepcopy(function.decl)


def backwards(declarations: Declarations) -> Declarations:
    """The functions in the opposite order, declared before."""
    functions = [d for d in declarations if isinstance(d, c_ast.FuncDef)]
    others = [d for d in declarations if not isinstance(d, c_ast.FuncDef)]
    # What is static data may name a function.
    types = [d for d in others if isinstance(d.type, c_ast.Struct)]
    data = [d for d in others if not isinstance(d.type, c_ast.Struct)]
    return [*types, *map(prototype, functions), *reversed(data), *reversed(functions)]


def halves(declarations: Declarations) -> list[Declarations]:
    """A file with what is `main` and the data, and one with the other functions."""
    first: Declarations = []
    second: Declarations = []
    for one in declarations:
        is_function = isinstance(one, c_ast.FuncDef)
        head = one.decl if isinstance(one, c_ast.FuncDef) else one
        head.storage = [word for word in head.storage if word != "static"]
        if is_function and head.name != "main":
            first.append(prototype(one))
            second.append(one)
        elif is_function:
            first.append(one)
        else:
            first.append(one)
            again = deepcopy(one)
            if again.name is not None and not isinstance(again.type, c_ast.FuncDecl):
                again.init = None
                again.storage = ["extern", *again.storage]
            second.append(again)
    return [first, second]


CHANGES: dict[str, Callable[[Declarations], list[Declarations]]] = {
    "the same": lambda given: [given],
    "once": lambda given: [rewritten(given, once)],
    "other loops": lambda given: [rewritten(given, other_loop)],
    "negated": lambda given: [rewritten(given, negated)],
    "in a struct": lambda given: [rewritten(given, in_a_struct)],
    "backwards": lambda given: [backwards(given)],
    "two files": halves,
}


def answers(folder: Path, texts: list[str]) -> tuple[bool, bool, frozenset[str]] | None:
    """Whether a program of these files can fail, whether it can block, and how its data may end;
    None if it has too many states."""
    files = [folder / f"part{k}.c" for k in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    others = tuple(Compilation(file) for file in files[1:])
    loaded = load_program(ProgramOptions(files[0], others=others))
    found = plain(Interpreter(simplify(loaded.program)), DATA)
    if found is None:
        return None
    finals = {repr(sorted(re.findall(r"^\w+|'[^']+': [^,}]*", end))) for end in found.finals}
    return bool(found.errors), found.deadlock, frozenset(finals)


def test_other_words_can_do_the_same(tmp_path: Path) -> None:
    compared, other = 0, set()
    for seed in range(examples(2, whole=200)):
        program = random_program(seed)
        text = program.text(range(len(program.join)))
        right = answers(tmp_path, [text])
        if right is None:
            continue
        file = tmp_path / "whole.c"
        file.write_text(text)
        own = [d for d in parse_file(ProgramOptions(file)).ast.ext if d.coord.file == str(file)]
        same = _Generator().visit(c_ast.FileAST(own))
        for name, change in CHANGES.items():
            parts = [_Generator().visit(c_ast.FileAST(p)) for p in change(deepcopy(own))]
            if parts != [same]:
                other.add(name)
            texts = [INCLUDES + part for part in parts]
            assert answers(tmp_path, texts) == right, f"{name}, {seed}:\n{text}\n{texts}"
            compared += 1
    assert other == CHANGES.keys() - {"the same"}
    assert compared >= examples(1, whole=2) * len(CHANGES)
