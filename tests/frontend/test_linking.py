"""Programs of several files mean what a linker makes of them, NOTE(linked-units)."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from abpress.config import Compilation, Config, ProgramOptions
from abpress.errors import InputError, UnsupportedError
from abpress.ir.program import Alloc, edges
from abpress.result import Verdict
from abpress.verify.run import verify
from abpress_frontend.load import load_program

MAIN = "#include <assert.h>\n"

PROGRAMS = {
    "a file may have nothing for these options": (
        "int main(void) { assert(1); }",
        "#if VERBOSE\nint f(void) { return 1; }\n#endif",
    ),
    "static objects are of their file": (
        "static int n = 7; int f(void); int main(void) { assert(f() == 2 && n == 7); }",
        "static int n = 1; int f(void) { return ++n; }",
    ),
    "so are tentative ones, and those in blocks": (
        "static int n; int f(void); int main(void) { n = 3; f(); assert(f() == 2); }",
        "static int n; int f(void) { static int k; extern int n; n = 5; return ++k; }",
    ),
    "static functions are of their file": (
        "static int g(void) { return 1; } int f(void); int main(void) { assert(f() - g() == 1); }",
        "static int g(void); int f(void) { return g(); } static int g(void) { return 2; }",
    ),
    "a static name hides no function of the library": (
        "static int abs(int x) { return 9; } int f(int); int main(void) { assert(f(-4) == 4); }",
        "#include <stdlib.h>\nint f(int x) { return abs(x); }",
    ),
    "an object has one name everywhere": (
        "extern int x; void f(void); int main(void) { f(); assert(x == 4); }",
        "int x = 3; void f(void) { x++; }",
    ),
    "also if a block declares it": (
        "void f(void); int main(void) { extern int x; f(); assert(x == 4); }",
        "int x = 3; void f(void) { x++; }",
    ),
    "an array is completed elsewhere": (
        "extern int a[]; int main(void) { assert(a[2] == 3); }",
        "int a[] = {1, 2, 3};",
    ),
    "tags are of their file": (
        "struct s { int a, b; }; static struct s v = {1, 2}; int f(void);"
        " int main(void) { assert(v.b == 2 && f() == 8); }",
        "struct s { long b; }; static struct s v = {5}; int f(void) { return sizeof v; }",
    ),
    "typedefs are of their file, also where a member has the name": (
        "typedef struct { int t; } t; typedef t u; int f(void);"
        " int main(void) { u x = {3}; t *p = &x; assert(p->t + f() == 8); }",
        "typedef char t; typedef t u; struct q { int t; }; struct q w = {4};"
        " int f(void) { return (int) sizeof(u) + w.t; }",
    ),
    "enumerators are of their file": (
        "enum e { A, B }; int f(void); int main(void) { assert(B == 1 && f() == 7); }",
        "enum e { B = 7 }; int f(void) { int a[B]; return sizeof a / sizeof *a; }",
    ),
    "a type is another if one that it mentions is": (
        "typedef int t; struct s { t x; }; int f(void); int main(void)"
        " { struct s v = {1}; assert(sizeof v == 4 && f() == 1 && v.x == 1); }",
        "typedef char t; struct s { t x; }; int f(void) { return sizeof(struct s); }",
    ),
    "members keep their names": (
        "#include <stddef.h>\nstruct s { int n, m; }; static int m = 5; int f(struct s *);"
        " int main(void) { struct s v = {1, 2}; m++;"
        " assert(f(&v) == 2 && m == 6 && offsetof(struct s, m) == 4); }",
        "struct s { int n, m; }; int f(struct s *p) { int m = p->m; return m; }",
    ),
    "also if they point to functions": (
        "struct ops { int (*open)(int open); int n; }; static int open(int x) { return x + 1; }"
        " extern int f(struct ops *); int main(void) { struct ops o = {.open = open, .n = 2};"
        " assert(f(&o) == 5); }",
        "struct ops { int (*open)(int open); int n; }; static int open(int x) { return x + 2; }"
        " int f(struct ops *o) { return o->open(0) + open(o->n); }",
    ),
    "a local name hides nothing of another file": (
        "int n = 1; int f(void); int main(void) { assert(f() == 5 && n == 1); }",
        "static int g(int n) { n += 2; return n; } int f(void) { int n = 3; return g(n); }",
    ),
    "a struct goes from file to file as it is, whoever else mentions it": (
        "struct s { int n; }; struct s f(struct s); struct t { struct s own; };"
        " int main(void) { struct t v = {{1}}; v.own = f(v.own); assert(v.own.n == 2); }",
        "struct s { int n; }; static struct s last; struct s f(struct s x)"
        " { struct s y = x; y.n++; last = y; return last; }",
    ),
    "a block has a struct of its own": (
        "struct s { int n; }; int f(void); int main(void)"
        " { struct s v = {3}; assert(v.n == 3 && f() == 8); }",
        "int f(void) { struct s { long n; } v = {0}; return (int) sizeof v; }",
    ),
    "a common header has objects for each file": (
        '#include "h.h"\nint main(void) { next(); next(); assert(f() == 1 && c == 2); }',
        '#include "h.h"\nint f(void) { return next(); }',
    ),
    "a definition is not inline if the file declares it without": (
        "int f(void); inline int f(void) { return 1; } int g(void); int main(void) {"
        " assert(f() == 1 && g() == 2); }",
        "int f(void); int g(void) { return f() + 1; }",
    ),
    "an inline definition and an external one in the same words": (
        "inline int f(int x) { return x ? 1 : 2; } extern inline int f(int x); int g(void);"
        " int main(void) { assert(f(0) == 2 && g() == 2); }",
        "inline int f(int x) { return x ? 1 : 2; } int g(void) { return f(0); }",
    ),
    "an inline definition that is not used": (
        "inline int f(void) { return 1; } int g(void); int main(void) { assert(g() == 2); }",
        "int f(void) { return 2; } int g(void) { return f(); }",
    ),
}

HEADER = """
#ifndef H
#define H
typedef struct node { int v; struct node *next; } node;
enum mode { FAST, SLOW = 4 };
static int c;
static inline int next(void) { static int k; c++; return ++k; }
int f(void);
#endif
"""


def files(folder: Path, *texts: str) -> list[Path]:
    (folder / "h.h").write_text(HEADER)
    paths = [folder / f"{name}.c" for name, _ in zip("abc", texts, strict=False)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(MAIN + text)
    return paths


def verdict(paths: list[Path]) -> Verdict:
    first, *others = paths
    several = tuple(Compilation(path) for path in others)
    return verify(Config.of(first, others=several)).result.verdict


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, tmp_path: Path) -> None:
    paths = files(tmp_path, *PROGRAMS[name])
    assert verdict(paths) is Verdict.TRUE
    assert verdict([paths[0], paths[1]]) is verdict([paths[1], paths[0]])


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no compiler")
def test_a_compiler_says_the_same(tmp_path: Path) -> None:
    for name, texts in PROGRAMS.items():
        paths = files(tmp_path, *texts)
        binary = tmp_path / "program"
        built = subprocess.run(
            ["gcc", "-w", "-fno-builtin", *map(str, paths), "-o", str(binary)], capture_output=True
        )
        assert built.returncode == 0, (name, built.stderr)
        assert subprocess.run([binary], check=False).returncode == 0, name


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ("int x; void f(void); int main(void) { f(); }", "int x; void f(void) { x++; }", "x is"),
        (
            "int f(void); int main(void) { f(); }",
            "int f(void) { return 1; } int main(void) { }",
            "main",
        ),
        (
            "extern long x; int f(void); int main(void) { f(); x++; }",
            "int x; int f(void) { return x; }",
            "b.c:2:5: conflicting types for x: int, but long in",
        ),
        (
            "int f(int); int main(void) { f(1); }",
            "int f(int a, int b) { return a + b; }",
            "b.c:2:5: conflicting types for f",
        ),
        (
            "_Atomic int x; void f(void); int main(void) { f(); return x; }",
            "extern int x; void f(void) { x++; }",
            "b.c:2:12: conflicting types for x",
        ),
        (
            "struct s { int a; }; void f(struct s *); int main(void) { f(0); }",
            "struct s { int b; }; void f(struct s *p) { }",
            "b.c:2:27: conflicting types for f",
        ),
    ],
)
def test_what_does_not_fit(a: str, b: str, message: str, tmp_path: Path) -> None:
    paths = files(tmp_path, a, b)
    with pytest.raises(InputError) as error:
        verdict(paths)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("inline int f(void) { return 1; }", "int f(void) { return 2; }"),
        ("inline int f(); inline int f() { return 1; }", "int f(void) { return 2; }"),
        (
            "typedef int t; inline int f(void) { return sizeof(t); }",
            "typedef char t; int f(void) { return sizeof(t); }",
        ),
        ("inline int f(void) { return 1; } int (*p)(void) = f;", "int f(void) { return 1; }"),
    ],
)
def test_an_inline_function_that_is_another_one_elsewhere(a: str, b: str, tmp_path: Path) -> None:
    paths = files(tmp_path, a + " int main(void) { assert(f()); }", b)
    with pytest.raises(UnsupportedError, match=r"f has an inline definition here.*b\.c:2") as error:
        verdict(paths)
    assert error.value.position is not None and error.value.position.file.endswith("a.c")


def test_people_know_a_type_by_the_name_that_they_gave_it(tmp_path: Path) -> None:
    paths = files(
        tmp_path,
        "struct s { int a; }; static struct s v; void f(void); int main(void) { f(); return v.a; }",
        "#include <stdlib.h>\nstruct s { long b; };\n"
        "void f(void) { struct s *p = malloc(sizeof *p); p->b = 1; free(p); }",
    )
    others = tuple(Compilation(path) for path in paths[1:])
    program = load_program(ProgramOptions(paths[0], others=others)).program
    labels = {
        effect.label
        for template in program.templates.values()
        for _, edge in edges(template)
        for effect in edge.effects
        if isinstance(effect, Alloc)
    }
    assert labels == {"struct s"}
