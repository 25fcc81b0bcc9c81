"""Attributes and pragmas that no list has are refused wherever they stand, with their position."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import ProgramOptions
from abpress.errors import UnsupportedError
from abpress_frontend.load import load_program

PLACES = {
    "declaration": "int x @; int main(void) { return x; }",
    "array": "int x[2] @; int main(void) { return x[0]; }",
    "function": "@ int f(void) { return 0; } int main(void) { return f(); }",
    "parameter": "int f(int x @) { return x; } int main(void) { return f(0); }",
    "pointer": "int main(void) { int *@ p = 0; return !p; }",
    "member": "struct s { int x @; } s; int main(void) { return s.x; }",
    "struct": "struct @ s { int x; } s; int main(void) { return s.x; }",
    "end of struct": "struct s { int x; } @ s; int main(void) { return s.x; }",
    "enumerator": "enum { A @ = 1 }; int main(void) { return A; }",
    "statement": "int main(void) { @; return 0; }",
    "label": "int main(void) { goto l; l: @; return 0; }",
    "case": "int main(void) { switch (0) { case 0: @; } return 0; }",
    "for": "int main(void) { for (@ int i = 0; i < 1; i++); return 0; }",
    "type name": "int main(void) { return sizeof(int @); }",
    "cast": "int main(void) { return (int @)0; }",
}
C23_PLACES = {
    "declaration": "@ int x; int main(void) { return x; }",
    "after the name": "int x @; int main(void) { return x; }",
    "parameter": "int f(@ int x) { return x; } int main(void) { return f(0); }",
    "struct": "struct @ s { int x; } s; int main(void) { return s.x; }",
    "enumerator": "enum { A @ = 1 }; int main(void) { return A; }",
    "statement": "int main(void) { @ return 0; }",
    "label": "int main(void) { @ l: return 0; }",
}
PRAGMA_PLACES = {
    "outside": "@int main(void) { return 0; }",
    "statement": "int main(void) { @return 0; }",
    "expression": "int main(void) { return 1 - @1; }",
    "member": "struct s { @int x; } s; int main(void) { return s.x; }",
    "enumerator": "enum { @A }; int main(void) { return A; }",
}
PROMISES = ("GCC ivdep", "ivdep", "clang loop vectorize(assume_safety)", 'GCC error "x"')


def refused(directory: Path, text: str) -> UnsupportedError:
    file = directory / "a.c"
    file.write_text(text)
    with pytest.raises(UnsupportedError) as raised:
        load_program(ProgramOptions(file))
    return raised.value


@pytest.mark.parametrize("place", PLACES)
def test_an_unknown_attribute(tmp_path: Path, place: str) -> None:
    text = PLACES[place].replace("@", "__attribute__((made_up))")
    error = refused(tmp_path, text)
    assert "attribute made_up" in error.message
    assert error.position is not None
    assert error.position.column == text.index("made_up") + 1


@pytest.mark.parametrize("place", C23_PLACES)
@pytest.mark.parametrize("name", ["made_up", "gnu::made_up", "vendor::thing"])
def test_an_unknown_attribute_of_c23(tmp_path: Path, place: str, name: str) -> None:
    error = refused(tmp_path, C23_PLACES[place].replace("@", f"[[{name}]]"))
    assert name.removeprefix("gnu::") in error.message
    assert error.position is not None
    assert error.position.line == 1


@pytest.mark.parametrize("place", PRAGMA_PLACES)
def test_an_unknown_pragma(tmp_path: Path, place: str) -> None:
    error = refused(tmp_path, PRAGMA_PLACES[place].replace("@", "\n#pragma made_up\n"))
    assert "#pragma made_up" in error.message
    assert error.position is not None
    assert error.position.line == 2


@pytest.mark.parametrize("words", PROMISES)
def test_pragmas_that_promise_something_are_refused(tmp_path: Path, words: str) -> None:
    assert (
        words in refused(tmp_path, f"int main(void) {{\n#pragma {words}\n  return 0;\n}}\n").message
    )


def test_compatibility_of_atomic_types(tmp_path: Path) -> None:
    text = "int main(void) { return __builtin_types_compatible_p(_Atomic int, int); }"
    assert "atomic type" in refused(tmp_path, text).message
