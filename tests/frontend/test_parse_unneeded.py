"""What the program does not need is not parsed for it, and is looked at all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Compilation, ProgramOptions
from abpress.errors import UnsupportedError
from abpress_frontend.parse import parse_file

MAIN = "int main(void) { return 0; }\n"


def warnings(text: str, folder: Path, name: str = "a.c") -> tuple[str, ...]:
    """What is warned of in a file with the text and a function `main`."""
    file = folder / name
    file.write_text(text + MAIN)
    return parse_file(ProgramOptions(file)).warnings


@pytest.mark.parametrize(
    "text",
    [
        "class A { int x; };",
        "class A : B { int x; };",
        "template <typename T> T id(T t) { return t; }",
        "namespace { int x; }",
        "namespace n { int x; }",
        "using namespace n;",
        'extern "C" { int f(void); }',
        "int n::f(void) { return 1; }",
        "int f(void) { return n::x; }",
        "struct S { int a; int get() { return a; } };",
        "struct S { int a; int get() const { return a; } };",
        "int f(char &c);",
        "int f(int &&c);",
    ],
)
def test_cplusplus_is_refused_where_nothing_needs_it(text: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match=r"C\+\+"):
        warnings(f"{text}\n", tmp_path)


def test_what_is_not_c_and_left_out_is_told(tmp_path: Path) -> None:
    [warning] = warnings("int f(void) { this is nothing }\n", tmp_path)
    assert "a.c:1:20: syntax error" in warning
    assert "left out" in warning


@pytest.mark.parametrize(
    "text",
    [
        "int f(int a) { return a; }\n",
        "typedef struct { int x; } T;\nT f(T a) { return a; }\nint g();\n",
        "#include <pthread.h>\nstatic pthread_mutex_t m;\n",
        "#include <missing.h>\nmissing_t f(missing_t x) { return x; }\n",
    ],
)
def test_c_that_is_left_out_is_not_told(text: str, tmp_path: Path) -> None:
    assert not [w for w in warnings(text, tmp_path) if "left out, as" in w]


def test_types_of_a_header_that_another_file_has_read_are_known(tmp_path: Path) -> None:
    first, second = tmp_path / "a.c", tmp_path / "b.c"
    first.write_text("#include <sys/types.h>\n" + MAIN)
    second.write_text("#include <signal.h>\nint f(siginfo_t *its) { return its->si_pid; }\n")
    assert not parse_file(ProgramOptions(first, others=(Compilation(second),))).warnings
    second.write_text("int f(void) { this is nothing }\nint g(void) { return 0; }\n")
    [warning] = parse_file(ProgramOptions(first, others=(Compilation(second),))).warnings
    assert "b.c:1:20: syntax error" in warning


def test_preprocessed_text_is_taken_for_c(tmp_path: Path) -> None:
    assert not warnings("int f(void) { this is nothing }\n", tmp_path, "a.i")
