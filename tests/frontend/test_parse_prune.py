"""Pruning keeps everything that the entry function may need, and little else."""

from __future__ import annotations

from pathlib import Path

import pytest
from pycparser import c_ast

from abpress.config import ProgramOptions
from abpress_frontend.parse import parse_file


def kept(tmp_path: Path, text: str, entry: str = "main") -> list[str]:
    """Names (tags for declarations without one) of the external declarations that are kept."""
    path = tmp_path / "t.c"
    path.write_text(text)
    names: list[str] = []
    for node in parse_file(ProgramOptions(path, entry=entry)).ast.ext:
        declaration = node.decl if isinstance(node, c_ast.FuncDef) else node
        if isinstance(declaration, c_ast.StaticAssert):
            names.append("_Static_assert")
        else:
            names.append(declaration.name or declaration.type.name or "?")
    return names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("int a, b; int c; int main(void) { return b; }", ["a", "b", "main"]),
        (
            "int f(void) { return 0; } int g(void) { return f(); } int h(void) { return 1; } "
            "int main(void) { return g(); }",
            ["f", "g", "main"],
        ),
        (
            "typedef int T; typedef T U; typedef int V; U x; int main(void) { return x; }",
            ["T", "U", "x", "main"],
        ),
        (
            "struct A { int x; }; struct B { struct A a; }; struct C { int y; }; "
            "int main(void) { struct B b; }",
            ["A", "B", "main"],
        ),
        ("struct S; struct T { struct S *s; }; int main(void) { struct T t; }", ["S", "T", "main"]),
        ("enum { ONE, TWO = 2 }; enum Z { THREE }; int main(void) { return TWO; }", ["?", "main"]),
        ("struct S { enum { IN } e; }; int main(void) { return IN; }", ["S", "main"]),
        ("struct S { struct In { int a; } i; }; int main(void) { struct In i; }", ["S", "main"]),
        ("void (*fp)(int), (*gp)(void); int main(void) { gp(); }", ["fp", "gp", "main"]),
        (
            "void (*signal(int s, void (*f)(int)))(int); int main(void) { signal(1, 0); }",
            ["signal", "main"],
        ),
        (
            "int t(void) { return 1; } int (*table[])(void) = { t }; "
            "int main(void) { table[0](); }",
            ["t", "table", "main"],
        ),
        ("int x; int x = 5; extern int x; int main(void) { return x; }", ["x", "x", "x", "main"]),
        ("int n = 3; int a[sizeof(n)]; int main(void) { return a[0]; }", ["n", "a", "main"]),
        ("int f(a) int a; { return a; } int main(void) { return f(1); }", ["f", "main"]),
        ("typedef int T; int f(T); long T2; int main(void) { return f(1); }", ["T", "f", "main"]),
        (
            "typedef int size_t; size_t f(void); size_t g(void); int main(void) { return f(); }",
            ["size_t", "f", "main"],
        ),
        ('_Static_assert(1, "a"); int main(void) { }', ["_Static_assert", "main"]),
        (
            "typedef int T; _Atomic T x; _Alignas(8) T y; int main(void) { return x + y; }",
            ["T", "x", "y", "main"],
        ),
        ("typedef int T; _Atomic(T) x; int main(void) { return x; }", ["T", "x", "main"]),
        ("int y; __typeof__(y) x; int main(void) { return x; }", ["y", "x", "main"]),
        ("struct S { int a; } s = { .a = 1 }; int main(void) { return s.a; }", ["s", "main"]),
        ("int *p = (int[]){1, 2}; int q; int main(void) { return p[0]; }", ["p", "main"]),
        ("__attribute__((noreturn)) void f(void); int main(void) { f(); }", ["f", "main"]),
    ],
)
def test_kept(tmp_path: Path, text: str, names: list[str]) -> None:
    assert kept(tmp_path, text) == names


def test_entry(tmp_path: Path) -> None:
    text = "int a; void start(void) { a = 1; }"
    assert kept(tmp_path, text + " int main(void) { return 0; }", "start") == ["a", "start"]


def test_headers_leave_little(tmp_path: Path) -> None:
    text = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { return 0; }"
    assert kept(tmp_path, text) == ["main"]
