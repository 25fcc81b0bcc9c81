"""The set of rows: packed numbers in one table, which grows, and whose columns become wider. What
is checked is in `rows_check.c`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from abpress.core.build import SOURCES, find_compiler

COMPILER = find_compiler()
MUTANTS = (
    ("if (its >> 32 != 0) packed[1] ^=", "if (0) packed[1] ^=", "sets.h"),
    ("t->packed[0] &= ~(uint32_t)LEFT;", ";", "rows.c"),
    ("if (t->asked_count != 1) return", "if (t->asked_count == 0) return", "rows.c"),
    ("while (same < t->size &&", "while (same + 1 < t->size &&", "rows.c"),
)
"""What stands for what, in which file."""


def checks(folder: Path, sources: Path = SOURCES) -> bool:
    """Whether the rows of these sources are as they have to be."""
    assert COMPILER is not None
    made = folder / "checks"
    command = [COMPILER, "-std=c11", f"-I{sources}", "-o", str(made)]
    own = Path(__file__).with_name("rows_check.c")
    subprocess.run([*command, str(own), str(sources / "rows.c")], check=True)
    return subprocess.run([str(made)], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_rows(tmp_path: Path) -> None:
    assert checks(tmp_path)


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
@pytest.mark.parametrize(("line", "instead", "name"), MUTANTS, ids=range(len(MUTANTS)))
def test_what_is_wrong_is_seen(line: str, instead: str, name: str, tmp_path: Path) -> None:
    for file in ("rows.c", "core.h", "program.h", "sets.h"):
        text = (SOURCES / file).read_text(encoding="utf-8")
        if file == name:
            assert text.count(line) == 1
            text = text.replace(line, instead)
        (tmp_path / file).write_text(text, encoding="utf-8")
    assert not checks(tmp_path, tmp_path)
