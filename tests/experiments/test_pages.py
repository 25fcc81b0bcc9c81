"""Tables of experiments come to their places in pages."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from abpress.bench.record import Category, Run
from experiments import context_table, hybrid_table, native_virtual_time, table1, witness_table
from experiments.pages import EVALUATION, filled, markdown, names, show
from experiments.paper_table import LIMITED, beside
from experiments.settings import HERE

TEXT = "a\n<!-- table: one -->\nold\n<!-- end -->\nb\n<!-- table: two -->\n<!-- end -->\n"


def test_a_table_comes_to_its_place(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(TEXT)
    show("two", markdown(("p", "n"), [("a|b", "1")]), write=True, page=page)
    text = page.read_text()
    assert text == TEXT.replace("two -->\n", "two -->\n| p | n |\n| --- | ---: |\n| a\\|b | 1 |\n")
    assert filled(text, {"two": ""}) == TEXT
    with pytest.raises(ValueError, match="no place for the table three"):
        show("three", "", write=True, page=page)


@pytest.mark.parametrize(
    ("page", "tables"),
    [
        (EVALUATION, ["table1", "context-table", "hybrid-table"]),
        (EVALUATION, ["stateful-table all", "stateful-table first", native_virtual_time.PAPER]),
        (native_virtual_time.PAGE, [native_virtual_time.NAME]),
        (witness_table.PAGE, ["witness-table"]),
    ],
)
def test_the_documentation_has_places(page: Path, tables: list[str]) -> None:
    assert set(tables) <= set(names(page.read_text(encoding="utf-8")))


def test_algorithms_stand_beside_one_another() -> None:
    def line(algorithm: str, E: int, note: str = "") -> context_table.Line:
        return context_table.Line("FR(3)", algorithm, E, 9, 0.25, "17", "36", "0.02", note)

    lines = [line("observers", 1300), line("optimal", 2, LIMITED)]
    told = beside("program", lines, lambda one: one.row, context_table.CELLS).splitlines()
    assert told[0].startswith("| program | observers: E | observers: paper | observers: s |")
    assert told[2] == "| FR(3) | 1,300 | 17 | 0.2 | 0.02 | – | 17 | – | 0.02 |"


def test_every_row_of_a_paper_has_its_place() -> None:
    rows = table1.read_rows(HERE / "table1.tsv")
    assert {row.others[2] for row in rows if row.name == "queue_ok"} == {"550.0"}
    row = rows[0]
    its = Run(
        *(row.tasks[0], "unreach-call", "auto", (), None, "true", "", 0, Category.CORRECT, 0),
        *(1.26, 2.0, 50.0, "static", "", {}),
    )
    columns, lines = table1._page(["auto"], {(row.name, row.tasks[0]): (row, {"auto": its})})
    assert dict(zip(columns, lines[0], strict=True))["auto: s"] == "1.3"
    assert lines[0][-2:] == ["550.0", "ERR"]
    assert set(hybrid_table.SEARCHES) == set(hybrid_table.EXPECTED)


def test_answers_are_counted_by_property() -> None:
    found = {
        ("unreach-call", "false"): {
            "abpress": Counter(confirmed=2),
            "other": Counter({"rejected": 1, witness_table.NONE: 1}),
        }
    }
    told = witness_table.table(["abpress", "other", "third"], found).splitlines()
    assert told[0] == "| property | verdict | witnesses | abpress | other | third |"
    assert told[2] == "| `unreach-call` | false | 2 | 2 confirmed | 1 rejected, 1 no answer | – |"
