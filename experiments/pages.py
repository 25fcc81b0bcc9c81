"""Tables in pages of the documentation: what stands between `<!-- table: NAME -->` and
`<!-- end -->` is written by the experiment of that name."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from abpress.bench.files import write_whole
from experiments.settings import HERE

EVALUATION = HERE.parent / "docs" / "evaluation.md"

_PART = re.compile(r"(<!-- table: ([\w -]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def markdown(columns: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> str:
    """A table, of which so many columns are words, on the left, and the others numbers."""
    rules = ["---" if number < words else "---:" for number in range(len(columns))]
    return "".join(f"{markdown_line(cells)}\n" for cells in (columns, rules, *rows))


def markdown_line(cells: Sequence[str]) -> str:
    """A line of such a table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def names(text: str) -> list[str]:
    """The tables that a page has places for."""
    return [part[2] for part in _PART.finditer(text)]


def filled(text: str, tables: Mapping[str, str]) -> str:
    """The text of a page with these tables in their places; others stay as they are."""
    return _PART.sub(
        lambda part: f"{part[1]}{tables[part[2]]}{part[3]}" if part[2] in tables else part[0], text
    )


def add_write(parser: argparse.ArgumentParser, page: str = EVALUATION.name) -> None:
    """Adds the option for `show`."""
    parser.add_argument("--write", action="store_true", help=f"put the table into docs/{page}")


def show(name: str, table: str, write: bool, page: Path = EVALUATION) -> None:
    """Prints a table, or puts it into its place in a page. Raises ValueError if there is none."""
    if not write:
        print(f"\n{table}", end="")
        return
    text = page.read_text(encoding="utf-8")
    if name not in names(text):
        raise ValueError(f"{page.name} has no place for the table {name}")
    write_whole(page, filled(text, {name: table}))
