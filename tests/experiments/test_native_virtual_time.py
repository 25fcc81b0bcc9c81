"""Native workers in virtual time explore what one search explores."""

from __future__ import annotations

import pytest

from abpress.core.build import find_compiler
from experiments.harness import main
from experiments.native_virtual_time import beside_paper


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    """The status is 1 if numbers of executions differ."""
    assert main(["native-virtual-time", "ring=7", "--workers", "1", "3"]) == 0
    rows = capsys.readouterr().out.splitlines()[2:]
    told = [[its.strip() for its in row.strip("| ").split("|")] for row in rows]
    assert [its[:3] for its in told] == [["ring=7", n, "127"] for n in ("source", "optimal")]
    assert all(len(its) == 6 for its in told)


def test_what_a_paper_tells_stands_in_front() -> None:
    columns = ["program", "algorithm", "executions", "alone", "2"]
    rows = [["ring=7", "source", "127", "0.1 s", "1.9"], ["indexer=3", "source", "4", "1 s", "2"]]
    heads, _, row = beside_paper(columns, rows).splitlines()
    assert heads.endswith("| paper: 32 | program | executions | alone | 2 |")
    assert row == (
        "| source | indexer 15 | 4,096 | 18m40s | 1.9 | 3.9 |  | indexer=3 | 4 | 1 s | 2 |"
    )
