"""Accesses through converted pointers: what a verdict assumes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import ProgramOptions
from abpress_frontend.load import load_program

UNLIKE = {
    "sizes": ("int", "short"),
    "kinds": ("long", "long long"),
    "structs": ("struct a", "struct b"),
    "pointers": ("int *", "short *"),
    "by void": ("int", "short", "(void *)"),
}
ALIKE = {
    "sign": ("int", "unsigned int"),
    "characters": ("int", "unsigned char"),
    "void": ("int *", "void *"),
    "first member": ("struct a", "int"),
    "of a first member": ("int", "struct c"),
    "element": ("struct a", "struct a", "(struct a (*)[1])"),
    "member of a union": ("union u", "short"),
    "by void and back": ("int", "int", "(void *)"),
}


def assumptions(folder: Path, of: str, to: str, by: str = "") -> list[str]:
    file = folder / "a.c"
    file.write_text(
        "struct a { int x; }; struct b { int y; }; struct c { struct a first; };\n"
        "union u { int i; short s; };\n"
        f"int main(void) {{ {of} x; {to} *p = ({to} *){by}&x; return p == 0; }}\n",
        encoding="utf-8",
    )
    return [text for text in load_program(ProgramOptions(file=file)).assumptions if "type" in text]


@pytest.mark.parametrize("name", UNLIKE)
def test_a_conversion_to_another_type_is_assumed_not_to_be_used(name: str, tmp_path: Path) -> None:
    assert len(assumptions(tmp_path, *UNLIKE[name])) == 1


@pytest.mark.parametrize("name", ALIKE)
def test_a_conversion_that_keeps_the_type_is_not(name: str, tmp_path: Path) -> None:
    assert assumptions(tmp_path, *ALIKE[name]) == []
