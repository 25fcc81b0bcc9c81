"""The frontend from file to program: what its answer rests on, and how much work it takes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from abpress.config import ProgramOptions
from abpress.errors import UnsupportedError
from abpress_frontend.load import LoadedProgram, load_program
from abpress_frontend.lower import graph


def load(directory: Path, text: str, **options: str) -> LoadedProgram:
    file = directory / "a.c"
    file.write_text(text)
    return load_program(ProgramOptions(file, **options))  # type: ignore[arg-type]


def test_an_undefined_function_is_an_assumption(tmp_path: Path) -> None:
    text = "extern int f(int *p);\nint main(void) {\n  int x = 1;\n  return f(&x);\n}\n"
    with pytest.raises(UnsupportedError, match="undefined function 'f'"):
        load(tmp_path, text)
    (assumption,) = load(tmp_path, text, undefined_functions="havoc").assumptions
    assert "'f' writes no memory" in assumption
    assert assumption.endswith("a.c:4:10)")


def test_code_that_cannot_be_reached_is_not_inlined(tmp_path: Path) -> None:
    calls = "\n".join(
        f"int f{i}(int x) {{ return f{i - 1}(x) + f{i - 1}(x); }}" for i in range(1, 40)
    )
    text = f"int f0(int x) {{ return x; }}\n{calls}\nint main(void) {{ return 1; f39(0); }}\n"
    load(tmp_path, text)


def test_long_sums_take_linear_time(tmp_path: Path) -> None:
    begin = time.process_time()
    load(tmp_path, f"int main(void) {{ int y = 1; return {' + '.join(['y'] * 2000)}; }}\n")
    assert time.process_time() - begin < 5


def test_inlining_that_explodes_without_recursion_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph, "MAX_EDGES", 5_000)
    calls = "\n".join(
        f"int f{i}(int x) {{ return f{i - 1}(x) + f{i - 1}(x); }}" for i in range(1, 30)
    )
    text = f"int f0(int x) {{ return x; }}\n{calls}\nint main(void) {{ return f29(0); }}\n"
    with pytest.raises(UnsupportedError, match="more than 5000 actions"):
        load(tmp_path, text)
