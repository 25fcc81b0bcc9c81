"""`abpress explore` with algorithms that store states."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from abpress.engines.table import algorithms, engine_of
from tests.cli.conftest import Command
from tests.cli.test_explore import PHILOSOPHERS, TWO_ERRORS
from tests.sampling import sample

STATEFUL = [name for name, e in algorithms().items() if engine_of(e).name == "explicit"]


def explored(abpress: Command, folder: Path, text: str, *options: str) -> tuple[Any, Any]:
    file = folder / "program.c"
    file.write_text(text, encoding="utf-8")
    run = abpress("explore", file, *options, "--json", "out.json")
    return run, json.loads((folder / "out.json").read_text(encoding="utf-8"))


def test_all_are_there() -> None:
    assert {"stateful", "s-por", "de-s-por", "dl-s-por", "de-por", "dl-por", "o-dpor"} <= {
        *STATEFUL
    }


@pytest.mark.parametrize("algorithm", sample(STATEFUL, 2))
def test_deadlock(abpress: Command, tmp_path: Path, algorithm: str) -> None:
    options = ("--property", "no-deadlock", "--all-states", "--algorithm", algorithm)
    run, data = explored(abpress, tmp_path, PHILOSOPHERS, *options)
    assert (run.status, run.verdict) == (1, "false(no-deadlock)")
    statistics = data["statistics"]
    assert statistics["states"] > 1
    assert statistics["transitions"] >= statistics["states"] - 1
    assert 1 <= statistics["thread_choices"] < statistics["states"]
    assert statistics["deadlocked_executions"] == 1
    assert statistics["violations"] == "deadlock"
    assert data["trace"]["blocked"]


@pytest.mark.parametrize("algorithm", sample(STATEFUL, 2, 1))
def test_all_states_or_the_first_error(abpress: Command, tmp_path: Path, algorithm: str) -> None:
    choice = ("--algorithm", algorithm)
    _, first = explored(abpress, tmp_path, TWO_ERRORS, *choice, "--first-error")
    _, both = explored(abpress, tmp_path, TWO_ERRORS, *choice, "--all-states")
    assert "violations" not in first["statistics"]
    assert both["statistics"]["violations"].count("assertion") == 2
    assert first["statistics"]["states"] <= both["statistics"]["states"]


FAILING = """#include <assert.h>
#include <pthread.h>
void *one(void *p) { assert(!"one"); return 0; }
void *two(void *p) { assert(!"two"); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
  pthread_exit(0);
}
"""


def test_order_of_threads(abpress: Command, tmp_path: Path) -> None:
    def failing(*order: str) -> str:
        options = ("--algorithm", "stateful", "--order", *order)
        _, data = explored(abpress, tmp_path, FAILING, *options)
        return data["trace"]["steps"][-1]["thread"]

    assert failing("main,main.1,main.2") == "main.1"
    assert failing("main,main.2,main.1") == "main.2"
    seen = [failing("random", "--seed", str(seed)) for seed in (*range(6), 0)]
    assert set(seen) == {"main.1", "main.2"}
    assert seen[0] == seen[-1]


def test_there_is_nothing_to_unroll(abpress: Command, tmp_path: Path) -> None:
    run = abpress("explore", tmp_path / "p.c", "--algorithm", "dl-s-por", "--unroll", "2")
    assert run.status == 3
    assert "--unroll bounds executions" in run.err


def test_an_order_that_is_none(abpress: Command, tmp_path: Path) -> None:
    run = abpress("explore", tmp_path / "program.c", "--order", "worker")
    assert run.status == 3
    assert "names of threads" in run.err


def test_compared_with_one_another(abpress: Command, tmp_path: Path) -> None:
    names = ["optimal", *STATEFUL]
    options = ("--property", "no-deadlock", "--compare", ",".join(names))
    run, data = explored(abpress, tmp_path, PHILOSOPHERS, *options)
    assert run.status == 1
    assert [line.split()[0] for line in run.out.splitlines()] == ["algorithm", *names]
    assert "-" in run.out.splitlines()[1].split()  # no states are stored
    engines = [entry["engine"] for entry in data["compared"]]
    assert engines == ["stateless", *["explicit"] * len(STATEFUL)]


def test_verify_knows_them(abpress: Command, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(TWO_ERRORS, encoding="utf-8")
    assert abpress("verify", file, "--por", "dl-s-por").status == 1
