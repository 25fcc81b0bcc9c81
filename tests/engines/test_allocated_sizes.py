"""Sizes of allocations that are computed, in concrete searches and in the reference semantics."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.ir.program import VALID_DEREF
from abpress.result import Result, Verdict
from abpress.verify.run import verify

HEADER = """#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
"""

INSIDE = {
    "zero": "int *a = malloc(n - n); free(a);",
    "all": "int *a = malloc(n * sizeof(int)); for (int i = 0; i < n; i++) a[i] = i;",
    "variable length": "int a[n + 1]; for (int i = 0; i <= n; i++) a[i] = i;",
    "no multiple": "int *a = malloc(4 * n + 3); ((char *)a)[4 * n + 2] = 1;",
    "structures": "struct { int x, y, z; } *a = malloc(n * sizeof *a + 1);"
    " ((char *)a)[12 * n] = 1;",
    "wraps around": "unsigned m = n + (1u << 30); int *a = malloc(4u * m);"
    " for (int i = 0; i < n; i++) a[i] = i;",
    "too much": "int *a = calloc(n + (1u << 30), sizeof(int)); if (a) a[0] = 1;",
    "two factors": "unsigned m = n; int *a = calloc(m, m); if (n >= 2) a[0] = 1;",
    "open end": "struct { int x; int more[]; } *a = malloc(sizeof *a + n * sizeof(int));"
    " for (int i = 0; i < n; i++) a->more[i] = 1;",
}

OUTSIDE = {
    "zero": "char *a = malloc(n - n); a[0] = 1;",
    "all": INSIDE["all"].replace("i < n", "i <= n"),
    "variable length": INSIDE["variable length"].replace("i <= n", "i <= n + 1"),
    "no multiple": INSIDE["no multiple"].replace("n + 2]", "n + 3]"),
    "structures": INSIDE["structures"].replace("[12 * n]", "[12 * n + 1]"),
    "wraps around": INSIDE["wraps around"].replace("i < n", "i <= n"),
    "too much": INSIDE["too much"].replace("if (a)", ""),
    "two factors": INSIDE["two factors"].replace("n >= 2", "n >= 1"),
    "open end": INSIDE["open end"].replace("i < n", "i <= n"),
}


def verdict(folder: Path, body: str, engine: str, most: int = 3) -> Result:
    file = folder / "program.c"
    inputs = f"int n = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= n && n <= {most});"
    file.write_text(f"{HEADER}int main(void) {{ {inputs} {body} return 0; }}\n")
    config = Config.of(file, engine=engine, data_model="ILP32", property=VALID_DEREF)
    return verify(config.but(time_limit=30.0)).result


@pytest.mark.parametrize("name", INSIDE)
def test_inside_of_what_was_asked_for(name: str, tmp_path: Path) -> None:
    result = verdict(tmp_path, INSIDE[name], "explicit")
    assert result.verdict is Verdict.TRUE, result.reason


@pytest.mark.parametrize("engine", ["explicit", "hunt"])
@pytest.mark.parametrize("name", OUTSIDE)
def test_outside(name: str, engine: str, tmp_path: Path) -> None:
    result = verdict(tmp_path, OUTSIDE[name], engine)
    assert result.verdict is Verdict.FALSE, result.reason


def test_sizes_that_were_not_tried_withhold_true(tmp_path: Path) -> None:
    result = verdict(tmp_path, INSIDE["all"], "explicit", most=1000)
    assert result.verdict is Verdict.UNKNOWN
    assert "symbolic input" in result.reason


def test_a_hunt_tries_small_sizes(tmp_path: Path) -> None:
    result = verdict(tmp_path, OUTSIDE["all"], "hunt", most=1000)
    assert result.verdict is Verdict.FALSE
