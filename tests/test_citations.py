"""Notes and keys: each one cited is defined once, each one defined is cited and shown by a test.

Notes are defined by headings of docs/theory.md, keys by paragraphs of docs/references.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
THEORY = ROOT / "docs" / "theory.md"
REFERENCES = ROOT / "docs" / "references.md"

FOLDERS = ("abpress", "benchmarks", "docs", "experiments", "frontend", "scripts", "tests")
SUFFIXES = ("", ".c", ".h", ".md", ".py", ".sh", ".tsv")

NOTE = re.compile(r"\bNOTE\((?!name\))([\w-]+)\)")
"""`NOTE(name)` itself stands for any."""

KEY = re.compile(r"\[([A-Z][A-Za-z]+[0-9]{2})\]")
HEADING = re.compile(r"^### (.*)$", re.MULTILINE)
ENTRY = re.compile(r"^\*\*\[([^]]*)\]\*\*", re.MULTILINE)
COUNTEREXAMPLE = "*Counterexample:*"
KEPT = "*Kept in:*"

OUTSIDE = re.compile(
    r"\bDESIGN (section )?[0-9]|\b(DESIGN|HOUSE|STYLE)\.md\b|-notes\.md\b|/shared/"
)
"""References to texts that are not in the repository."""

Texts = Mapping[str, str]
"""The texts of files by their paths in the repository."""


def texts() -> dict[str, str]:
    """All files that may cite, but this one, which has examples of what is wrong."""
    found = {}
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file() and file.suffix in SUFFIXES and file != Path(__file__).resolve():
                found[str(file.relative_to(ROOT))] = file.read_text("utf-8", errors="replace")
    for file in sorted(ROOT.glob("*.md")):
        found[file.name] = file.read_text("utf-8")
    return found


def wrong(cited: Mapping[str, str], defined: list[str]) -> Iterator[str]:
    """What is wrong with citations (name -> a file that has it) and definitions."""
    for name, times in Counter(defined).items():
        if times > 1:
            yield f"{name} is defined {times} times"
        if name not in cited:
            yield f"{name} is cited nowhere"
    for name, file in cited.items():
        if name not in defined:
            yield f"{name} of {file} is not defined"


def citations(pattern: re.Pattern[str], texts: Texts, but: str) -> dict[str, str]:
    """Name -> the first file that cites it, in other files than that with the definitions."""
    found: dict[str, str] = {}
    for path, text in texts.items():
        if path != but:
            for name in pattern.findall(text):
                found.setdefault(name, path)
    return found


def sections(theory: str) -> dict[str, str]:
    """The notes of docs/theory.md: name -> text."""
    _, *parts = HEADING.split(re.sub(r"^## .*$", "", theory, flags=re.MULTILINE))
    return dict(zip(parts[::2], parts[1::2], strict=True))


def places(section: str, what: str) -> list[str]:
    """The files that a note names after `what`."""
    _, _, rest = section.partition(what)
    return re.findall(r"`([^`]*)`", rest.partition("\n- ")[0])


def unfounded(theory: str, texts: Texts) -> Iterator[str]:
    """Notes without a counterexample or a place, or with one that does not exist or cite them."""
    for name, section in sections(theory).items():
        if not re.fullmatch("[a-z]+(-[a-z]+)*", name):
            yield f"{name} is not a name"
        for what in (COUNTEREXAMPLE, KEPT):
            files = places(section, what)
            if not files:
                yield f"{name} has no {what}"
            for file in files:
                if file not in texts:
                    yield f"{file} of {name} does not exist"
                elif name not in NOTE.findall(texts[file]):
                    yield f"{file} does not cite {name}"


def outside(texts: Texts) -> Iterator[str]:
    """Lines that refer to texts that are not in the repository."""
    for path, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            if OUTSIDE.search(line):
                yield f"{path}:{number}: {line.strip()}"


def test_notes() -> None:
    found = texts()
    theory = found["docs/theory.md"]
    assert not list(wrong(citations(NOTE, found, "docs/theory.md"), HEADING.findall(theory)))
    assert not list(unfounded(theory, found))


def test_keys() -> None:
    found = texts()
    defined = ENTRY.findall(found["docs/references.md"])
    assert not list(wrong(citations(KEY, found, "docs/references.md"), defined))


def test_no_reference_to_a_text_outside() -> None:
    assert not list(outside(texts()))


def test_all_kinds_of_files_are_looked_at() -> None:
    found = texts()
    for folder in FOLDERS:
        if (ROOT / folder).exists():
            assert any(path.startswith(f"{folder}/") for path in found), folder
    assert {Path(path).suffix for path in found} == set(SUFFIXES)


# -- that the tests can fail ----------------------------------------------------------------------

GOOD = """
## Notes

### one-note
Text.
- *Counterexample:* `a.c`, `b.py`
- *Kept in:* `b.py`

## More
"""
FILES = {"a.c": "// NOTE(one-note): see [Key14]", "b.py": "'''NOTE(one-note)'''"}


def test_what_is_right() -> None:
    assert not list(wrong(citations(NOTE, FILES, ""), HEADING.findall(GOOD)))
    assert not list(wrong(citations(KEY, FILES, ""), ENTRY.findall("**[Key14]** A text.")))
    assert not list(unfounded(GOOD, FILES))
    assert not list(outside(FILES))


@pytest.mark.parametrize(
    ("cited", "defined", "complaint"),
    [
        ({}, ["a"], "a is cited nowhere"),
        ({"a": "f"}, [], "a of f is not defined"),
        ({"a": "f"}, ["a", "a"], "a is defined 2 times"),
    ],
)
def test_wrong_citations(cited: dict[str, str], defined: list[str], complaint: str) -> None:
    assert list(wrong(cited, defined)) == [complaint]


def test_a_definition_is_no_citation() -> None:
    assert citations(NOTE, {"d.md": "NOTE(a) NOTE(b)", "e.py": "NOTE(b)"}, "d.md") == {"b": "e.py"}
    assert citations(KEY, {"r.md": "[Key14]", "e.py": "x[N10] y[Z3] [Key15]"}, "r.md") == {
        "Key15": "e.py"
    }


@pytest.mark.parametrize(
    ("theory", "files", "complaint"),
    [
        (GOOD.replace("one-note", "One_note"), {}, "One_note is not a name"),
        (GOOD.replace(COUNTEREXAMPLE, ""), FILES, f"one-note has no {COUNTEREXAMPLE}"),
        (GOOD.replace("`b.py`\n\n", "\n\n"), FILES, f"one-note has no {KEPT}"),
        (GOOD, {"b.py": FILES["b.py"]}, "a.c of one-note does not exist"),
        (GOOD, {**FILES, "a.c": "// NOTE(other)"}, "a.c does not cite one-note"),
    ],
)
def test_unfounded_notes(theory: str, files: dict[str, str], complaint: str) -> None:
    assert complaint in list(unfounded(theory, files))


@pytest.mark.parametrize(
    "line", ["as in DESIGN 4.1", "DESIGN section 4", "solver-notes.md", "../shared/STYLE.md"]
)
def test_references_to_texts_outside(line: str) -> None:
    assert list(outside({"a.py": f"x = 1\n# {line}\n"})) == [f"a.py:2: # {line}"]
