"""Which objects may hold no value: those to which none is copied from others that have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.analysis.points_to import Static
from abpress.config import Config
from abpress.verify.load import load

TEXT = """
#include <stdlib.h>
int x, *p = &x, *q = &x, *r = &x;
int main(void) {
  int **h = malloc(sizeof(int *));
  %s
  return *r;
}
"""


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("q = p; r = q;", set()),
        ("*h = p; q = *h; r = p;", {"q"}),
        ("q = *h; r = q;", {"q", "r"}),
        ("r = q; q = *h;", {"q", "r"}),
        ("int **g = x ? &q : &r; *g = *h;", {"q", "r"}),
    ],
)
def test_copies(statements: str, expected: set[str], tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(TEXT % statements)
    program = load(Config.of(file, property="valid-deref"), simplified=False).program
    found = Facts.of(program).undefined
    assert {o.name for o in found if isinstance(o, Static)} == expected
