"""The programs of benchmarks/heap, and the tables of the experiment hybrid-table."""

from __future__ import annotations

import pytest

from abpress.config import Config
from abpress.engines.explicit import search
from abpress.result import Result, Verdict
from abpress.search.limits import Limits
from abpress.verify.load import load
from experiments import hybrid_table
from experiments.hybrid_table import PAPER, PROGRAMS, Line, Row, exceeded
from experiments.settings import HERE
from tests.sampling import in_turn, sample

ROWS = hybrid_table.read_rows(HERE / "hybrid_table.tsv")
EVERY = pytest.mark.parametrize(
    ("row", "core"),
    in_turn(sample(ROWS, every=4), ["native", "python"]),
    ids=lambda its: its if isinstance(its, str) else f"{its.search}/{its.name}",
)


def explored(row: Row, algorithm: str, core: str) -> Result:
    """At the size that the program has by default."""
    bug = tuple(size for size in row.sizes if size == "BUG")
    config = Config.of(
        PROGRAMS / row.file,
        defines=bug,
        engine="explicit",
        por=algorithm,
        property=row.property,
        core=core,
    )
    return search(load(config).program, config, Limits())


def test_every_program_has_rows_and_every_row_a_program() -> None:
    assert {row.file for row in ROWS} == {file.name for file in PROGRAMS.glob("*.c")}
    assert {row.search for row in ROWS} == set(hybrid_table.EXPECTED)


@EVERY
def test_small_sizes(row: Row, core: str) -> None:
    expected = Verdict(hybrid_table.EXPECTED[row.search])
    results = {algorithm: explored(row, algorithm, core) for algorithm in PAPER}
    assert {result.verdict for result in results.values()} == {expected}
    choices = {name: int(result.statistics["thread_choices"]) for name, result in results.items()}
    if row.search == "complete":
        assert choices["hybrid"] <= choices["heap-reach+fields"] <= choices["heap-reach"]


def test_too_many_choices_are_noticed() -> None:
    def lines(search: str, fields: int, hybrid: int, note: str = "") -> list[Line]:
        found = (("heap-reach+fields", fields), ("hybrid", hybrid))
        return [Line("r", search, name, n, 1, 0.1, "-", note) for name, n in found]

    assert exceeded(lines("complete", 2, 3)) == ["r"]
    assert exceeded(lines("complete", 3, 3)) == []
    assert exceeded(lines("errors", 2, 3)) == []
    assert exceeded(lines("complete", 2, 3, hybrid_table.LIMITED)) == []
