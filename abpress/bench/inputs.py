"""The tasks of a benchmark: from definitions, sets, folders, patterns, manifests, programs."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from abpress.bench.definitions import ListedQuestion, Skipped, read_definition
from abpress.bench.manifest import read_manifest
from abpress.bench.record import Task
from abpress.config import COMPETITION, MACHINE
from abpress.errors import InputError
from abpress.properties import by_file
from abpress.yaml_text import fail, read_text

DEFINITIONS = (".yml", ".yaml")
PROGRAMS = (".c", ".i", ".abp")


@dataclass(frozen=True, slots=True)
class Inputs:
    """The tasks, in the order in which they were given.

    `skipped` counts the questions that are not for us; `definitions` says where the tasks are
    from: a file without suffix.
    """

    tasks: tuple[Task, ...]
    skipped: Mapping[str, int]
    definitions: Mapping[tuple[str, str], Path]


def read_inputs(
    given: Sequence[str],
    property: str | None = None,
    complaint: Callable[[Sequence[str]], str | None] = lambda _: None,
) -> Inputs:
    """The tasks of all that is given: paths and patterns.

    `property` selects the questions of one property, and is what programs that stand alone are
    asked. `complaint` says what is wrong with the options that a manifest gives. A definition that
    is given twice counts once. Raises InputError, with file and line where there are such: for
    what is missing or malformed, and for two tasks with one name.
    """
    files: dict[Path, None] = {}
    bases: list[Path] = []
    for text in given:
        for base, file in _files(text):
            bases.append(base)
            files.setdefault(Path(os.path.abspath(file)))
    questions: list[ListedQuestion] = []
    skipped: Counter[str] = Counter()
    for file in files:
        for question in _read(file, property):
            if isinstance(question, Skipped):
                skipped[question.what] += 1
            elif property not in (None, question.property):
                skipped[f"property {question.property}, not asked for"] += 1
            else:
                wrong = complaint(question.options) if question.options else None
                if wrong is not None:
                    raise InputError(f"{question.place}: flags: {wrong}")
                questions.append(question)
    tasks = _named(questions, bases)
    pairs = zip(tasks, questions, strict=True)
    definitions = {(task.name, task.property): question.stem for task, question in pairs}
    return Inputs(tuple(tasks), dict(sorted(skipped.items())), definitions)


def _files(text: str) -> Iterator[tuple[Path, Path]]:
    """The files that an argument stands for, each with the folder that its name is relative to."""
    path = Path(text)
    if path.is_dir():
        found = sorted(file for file in path.rglob("*") if file.suffix in DEFINITIONS)
        if not found:
            raise InputError(f"{path}: no task definition (*.yml) in this folder")
        for file in found:
            yield _absolute(path), file
    elif path.suffix == ".set":
        for file in _members(path):
            yield _absolute(path.parent), file
    elif path.exists():
        yield _absolute(path.parent), path
    elif glob.has_magic(text):
        names = sorted(glob.glob(text, recursive=True))
        if not names:
            raise InputError(f"{text}: nothing matches this pattern")
        for name in names:
            yield from _files(name)
    else:
        raise InputError(f"{path}: no such file or folder")


def _members(path: Path) -> Iterator[Path]:
    """The files of a set: one pattern per line, relative to the set."""
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        pattern = line.partition("#")[0].strip()
        if not pattern:
            continue
        found = sorted(glob.glob(pattern, root_dir=path.parent, recursive=True))
        if not found:
            fail(path, number, f"nothing matches {pattern}")
        for name in found:
            file = path.parent / name
            if file.suffix not in (*DEFINITIONS, *PROGRAMS) or not file.is_file():
                fail(path, number, f"{name} is neither a task definition nor a program")
            yield file


def _read(file: Path, property: str | None) -> Iterator[ListedQuestion | Skipped]:
    if file.suffix in DEFINITIONS:
        return read_definition(file)
    if file.suffix == ".tsv":
        return read_manifest(file)
    if file.suffix in PROGRAMS:
        stem = file.with_suffix("")
        asked = property or "unreach-call"
        model = COMPETITION if by_file([asked]) else MACHINE
        return iter([ListedQuestion(str(file), stem, file, asked, None, model)])
    kinds = ", ".join((*DEFINITIONS, ".set", ".tsv", *PROGRAMS))
    raise InputError(f"{file}: none of {kinds}")


def _named(questions: Sequence[ListedQuestion], bases: Sequence[Path]) -> list[Task]:
    """The tasks, named relative to the folder that is common to all. Raises InputError."""
    folders = [*bases, *(_absolute(question.stem.parent) for question in questions)]
    root = os.path.commonpath(folders) if folders else ""
    tasks = []
    places: dict[tuple[str, str], str] = {}
    for q in questions:
        name = q.name or Path(os.path.relpath(_absolute(q.stem), root)).as_posix()
        first = places.setdefault((name, q.property), q.place)
        if first is not q.place:
            raise InputError(
                f"{q.place}: a second task {name} ({q.property}); the first is at {first}"
            )
        tasks.append(Task(name, q.file, q.property, q.expected, q.data_model, q.options))
    return tasks


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))
