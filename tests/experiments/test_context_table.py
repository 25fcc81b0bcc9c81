"""The programs of benchmarks/exploration, and the table of the experiment context-table."""

from __future__ import annotations

import pytest

from abpress.config import Config
from abpress.engines.stateless import explore
from abpress.reductions.table import STATELESS
from abpress.result import Result, Verdict
from abpress.search.limits import Limits
from experiments import context_table
from experiments.context_table import PAPER, PROGRAMS, Row
from experiments.settings import HERE
from tests.reading import program_of
from tests.sampling import sample

ROWS = context_table.read_rows(HERE / "context_table.tsv")
ALGORITHM = pytest.mark.parametrize(
    "algorithm", [name for name in STATELESS if name not in ("none", "sleep")]
)


def explored(file: str, size: str, algorithm: str) -> Result:
    defines = () if size == "-" else (f"N={size}",)
    config = Config.of(PROGRAMS / file, defines=defines, engine="stateless", por=algorithm)
    return explore(program_of(config, every_access=True), config, Limits()).result


def test_every_program_has_rows_and_every_row_a_program() -> None:
    assert {row.file for row in ROWS} == {file.name for file in PROGRAMS.glob("*.c")}


@ALGORITHM
@pytest.mark.parametrize(
    ("file", "size"),
    sample([*dict.fromkeys((row.file, "-" if row.n == "-" else "2") for row in ROWS)], every=4),
)
def test_small_sizes_are_safe(file: str, size: str, algorithm: str) -> None:
    assert explored(file, size, algorithm).verdict is Verdict.TRUE


@pytest.mark.parametrize("algorithm", PAPER)
@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.determined and row.n in "234"], ids=lambda row: row.name
)
def test_no_more_executions_than_in_the_paper(row: Row, algorithm: str) -> None:
    result = explored(row.file, row.n, algorithm)
    ended = context_table.ended(result.statistics)
    assert context_table.judged(ended, row.paper[algorithm][0]) != context_table.MORE


@pytest.mark.parametrize(
    ("executions", "paper", "note"),
    [
        *((17, "17", "equal"), (18, "17", "more"), (3, "17", "fewer"), (20_001, "21k", "equal")),
        *((20_000, "21k", "fewer"), (21_001, "21k", "more"), (9, ">5k", ""), (9, "", "")),
    ],
)
def test_executions_are_judged_by_the_paper(executions: int, paper: str, note: str) -> None:
    assert context_table.judged(executions, paper) == note
