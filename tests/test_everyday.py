"""The everyday programs: their table is whole, and a sample has the verdicts that it says.

`abpress bench benchmarks/everyday/everyday.tsv` asks all of them.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.properties import GROUPS, PROPERTIES
from abpress.verify.run import verify

FOLDER = Path(__file__).resolve().parent.parent / "benchmarks" / "everyday"
with (FOLDER / "everyday.tsv").open(encoding="utf-8", newline="") as table:
    ROWS = [
        (r["path"], r["property"], r["expected"]) for r in csv.DictReader(table, delimiter="\t")
    ]

SAMPLE = (
    ("bank_deadlock.c", "no-deadlock"),
    ("cache_written_by_readers.c", "no-data-race"),
    ("c11_counter.c", "unreach-call"),
    ("pipe.c", "no-deadlock"),
    ("pipe_no_place.c", "valid-deref"),
    ("producer_consumer_if.c", "unreach-call"),
    ("reference_count.c", "no-data-race"),
    ("stack_argument.c", "valid-deref"),
)


def test_the_table_has_all_programs() -> None:
    assert len(ROWS) == len({(path, property) for path, property, _ in ROWS}) > 100
    assert {path for path, _, _ in ROWS} == {file.name for file in FOLDER.glob("*.c")}
    assert {property for _, property, _ in ROWS} <= {*PROPERTIES, *GROUPS}
    assert {expected for _, _, expected in ROWS} == {"true", "false"}


def test_each_program_says_what_it_is() -> None:
    for file in FOLDER.glob("*.c"):
        assert file.read_text(encoding="utf-8").startswith("/* "), file.name


@pytest.mark.parametrize(("path", "property"), SAMPLE, ids=[path for path, _ in SAMPLE])
def test_a_sample(path: str, property: str) -> None:
    (expected,) = (verdict for name, its, verdict in ROWS if (name, its) == (path, property))
    report = verify(Config.of(FOLDER / path, property=property, time_limit=60.0))
    assert report.result.verdict.value == expected
