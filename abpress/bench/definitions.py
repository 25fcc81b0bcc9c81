"""Task definitions of SV-COMP (BenchExec's format, versions 1.0, 2.0 and 2.1)."""

from __future__ import annotations

import glob
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from abpress.errors import UnsupportedError
from abpress.properties import Asked, question_of
from abpress.yaml_text import Section, read_yaml

VERSIONS = ("1.0", "2.0", "2.1")
DATA_MODELS = ("ILP32", "LP64")


@dataclass(frozen=True, slots=True)
class ListedQuestion:
    """A question that a file asks; `place` is where, `stem` what its name is made of.

    `stem` is a path without suffix, and `name` replaces the name that is made of it.
    """

    place: str
    stem: Path
    file: Path
    property: str
    expected: str | None
    data_model: str = DATA_MODELS[0]
    options: tuple[str, ...] = ()
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A question that is not for us, in words: what about it."""

    what: str


def read_definition(file: Path) -> Iterator[ListedQuestion | Skipped]:
    """What a task definition asks, one question per property. Raises InputError."""
    top = read_yaml(file)
    version = top.text("format_version")
    if version not in VERSIONS:
        known = ", ".join(VERSIONS)
        top.fail("format_version", f"{version!r} is none of {known}")
    if version == "1.0" and "options" in top:
        top.fail("options", "only versions from 2.0 on have them")
    given = top.section("options")
    language = given.text("language") if "language" in given else "C"
    if language != "C":
        yield Skipped(f"language {language}")
        return
    if "witness_input_file" in given:
        yield Skipped("validation of a witness")
        return
    program = _program(top)
    model = given.text("data_model") if "data_model" in given else DATA_MODELS[0]
    if model not in DATA_MODELS:
        given.fail("data_model", f"{model!r} is neither of {' and '.join(DATA_MODELS)}")
    entries = top.sections("properties")
    if not entries:
        yield Skipped("no property")
    for entry in entries:
        asked, stem = _property(entry)
        expected = _expected(entry)
        if asked is None:
            yield Skipped(f"property {stem}")
            continue
        place = f"{file}:{entry.line}"
        only = asked.error_function
        options = () if only is None else ("--error-function", only)
        yield ListedQuestion(
            place, file.with_suffix(""), program, asked.key, expected, model, options
        )


def _program(top: Section) -> Path:
    found: dict[Path, None] = {}
    for pattern in top.texts("input_files"):
        matches = _matches(top, "input_files", pattern)
        if not matches:
            top.fail("input_files", f"there is no file {pattern}")
        found.update(dict.fromkeys(matches))
    if len(found) != 1:
        top.fail("input_files", f"{len(found)} files: only programs of one file are supported")
    (program,) = found
    if not program.is_file():
        top.fail("input_files", f"{program} is not a file")
    return program


def _matches(section: Section, key: str, pattern: str) -> list[Path]:
    """The files that a pattern stands for; a file with just that name comes first.

    What is not such a name does not lead out of the folder of the definition, not even by links.
    """
    folder = section.file.parent
    if (folder / pattern).exists():
        return [folder / pattern]
    if Path(pattern).is_absolute() or ".." in Path(pattern).parts:
        section.fail(key, f"there is no file {pattern}, and a pattern cannot leave its folder")
    found = [folder / name for name in sorted(glob.glob(pattern, root_dir=folder, recursive=True))]
    for path in found:
        if not path.resolve().is_relative_to(folder.resolve()):
            section.fail(key, f"{path} is outside of the folder, which a pattern cannot leave")
    return found


def _property(entry: Section) -> tuple[Asked | None, str]:
    """What the property file asks for, None if that is not known; and the file's own name."""
    pattern = entry.text("property_file")
    files = _matches(entry, "property_file", pattern)
    if len(files) != 1 or not files[0].is_file():
        entry.fail("property_file", f"there is no file {pattern}")
    try:
        return question_of([str(files[0])]), files[0].stem
    except UnsupportedError:
        return None, files[0].stem


def _expected(entry: Section) -> str | None:
    holds = entry.truth("expected_verdict") if "expected_verdict" in entry else None
    if "subproperty" not in entry:
        return None if holds is None else str(holds).lower()
    sub = entry.text("subproperty")
    if holds is not False:
        entry.fail("subproperty", "it says what is violated, and no violation is expected")
    return f"false({sub})"
