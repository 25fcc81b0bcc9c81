"""What counts refused functions, and what writes down the first ten minutes."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.functions import defined
from experiments.harness import main
from experiments.transcript import Said, of_readme, page

CODE = """\
#include <ucontext.h>
static ucontext_t place;
/* int none(void) { } */
int jumps(void) { return getcontext(&place); }
int fine(int x) { if (x) { return 1; } return unknown_to_us(x); }
int main(void) { return fine(1); }
"""


@pytest.mark.parametrize(("goal", "status"), [("0.5", 0), ("0.1", 1)])
def test_a_refused_function_is_counted(
    goal: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.c").write_text(CODE, encoding="utf-8")
    (tmp_path / "table").write_text("# one\nmine|-DX -I.|a.c\n", encoding="utf-8")
    asked = ["functions", str(tmp_path / "table"), "--root", str(tmp_path), "--goal", goal]
    assert main(asked) == status
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("programs: 1, read 0, refused 1 ")
    (line,) = (line for line in lines if line.startswith("functions"))
    assert line.startswith("functions: 3, read 2, refused 1 (33.33%), too large 0, out of time 0")


def test_what_looks_like_a_definition() -> None:
    assert defined("int f(int (*g)(void)) { if (g()) { } while (1) { } } int h(void);") == ["f"]


def test_the_commands_of_a_readme() -> None:
    text = "# A\n## One\n```\n$ scripts/abpress x.c\ntrue\n```\n## Two\n```\npip install .\n```\n"
    assert of_readme(text) == [("One", "scripts/abpress x.c")]


def test_long_answers_are_cut() -> None:
    said = Said("One", "scripts/abpress x.c", "a\nb  \nc\n", 1, 61.5, 2.0, 0.5)
    lines = list(page([said], 2))
    assert "**1:01**, 2.0 s, 0.5 s of processor time, exit status 1:" in lines
    assert lines[-5:] == ["$ scripts/abpress x.c", "a", "b", "… (1 more lines)", "```"]
