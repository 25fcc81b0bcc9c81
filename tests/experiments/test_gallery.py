"""The gallery: its programs say what they show, and a page shows what the tool says."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from abpress.errors import InputError
from abpress.properties import PROPERTIES
from experiments import gallery


def test_there_are_ten_pairs_of_programs() -> None:
    exhibits = [gallery.read(file) for file in gallery.files()]
    assert len({its.title for its in exhibits}) == 10
    assert {its.asked for its in exhibits} <= set(PROPERTIES)
    assert all(its.repaired.is_file() for its in exhibits)
    assert all(its.code()[0].startswith("#include") for its in exhibits)


def write(folder: Path, name: str, cause: str, repair: tuple[str, str] = ("", "")) -> None:
    """A pair of the gallery under another name, with another cause or repair."""
    text = (gallery.GALLERY / f"{name}.c").read_text(encoding="utf-8")
    right = (gallery.GALLERY / f"{name}.repaired.c").read_text(encoding="utf-8")
    (folder / "x.c").write_text(text.replace("// cause: lost update", f"// cause: {cause}"))
    (folder / "x.repaired.c").write_text(right.replace(*repair))


@pytest.mark.parametrize(
    ("cause", "repair", "wrong"),
    [
        ("lost update", ("", ""), ""),
        ("ABA", ("", ""), "another cause: lost update"),
        ("lost update", ("atomic_int", "int"), "the repair is not proved: unreach-call: false"),
    ],
)
def test_a_page_shows_what_the_tool_says(
    cause: str,
    repair: tuple[str, str],
    wrong: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(tmp_path, "lost_update", cause, repair)
    monkeypatch.setattr(gallery, "GALLERY", tmp_path)
    output = tmp_path / "pages"
    status = gallery.run(argparse.Namespace(output=output, limit=60.0))
    said = capsys.readouterr().out
    assert status == int(bool(wrong))
    assert (wrong or "found, explained, repaired, proved") in said
    page = (output / "x.md").read_text(encoding="utf-8")
    assert page.startswith("# Lost update\n")
    assert "**Lost update.** main.2 reads visitors = 0 at line" in page
    assert ("-static int visitors;\n" in page) is (not repair[0])
    assert ("abpress proof: accepted (unreach-call)" in page) is (not repair[0])
    assert "| [Lost update](x.md) | " in (output / "index.md").read_text(encoding="utf-8")


def test_a_program_without_its_comment_is_told(tmp_path: Path) -> None:
    file = tmp_path / "x.c"
    file.write_text("int main(void) { }\n")
    with pytest.raises(InputError, match=r"x\.c:1:1: the comment of the gallery"):
        gallery.read(file)
