"""Manifests: tables of programs, tab-separated with a header, so that any collection can be run.

Columns: `path` (relative to the manifest), and as far as they are wanted `property` (default:
unreach-call), `expected` (true, false, false(sub-property); anything else: not known), `flags`
(options of `abpress verify`, quoted as for a shell), `data_model`, and `name` (default: the path
without suffix). Other columns are passed over. Lines that start with # are comments.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from abpress.bench.definitions import DATA_MODELS, ListedQuestion, Skipped
from abpress.errors import InputError, UnsupportedError
from abpress.properties import property_key
from abpress.yaml_text import fail, read_text

COLUMNS = ("path", "property", "expected", "flags", "data_model", "name")
_EXPECTED = re.compile(r"true|false(\([\w-]+\))?")
_NAME = re.compile(r"[\w.+$@=,-]+(/[\w.+$@=,-]+)*")


def read_manifest(manifest: Path) -> Iterator[ListedQuestion | Skipped]:
    """The questions of a manifest. Raises InputError."""
    lines = read_text(manifest).splitlines()
    numbered = [
        (number, line)
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.startswith("#")
    ]
    if not numbered:
        fail(manifest, 1, "the manifest is empty")
    number, line = numbered[0]
    header = [column.strip() for column in line.split("\t")]
    if "path" not in header:
        fail(manifest, number, "the header has no column `path`")
    for column in COLUMNS:
        if header.count(column) > 1:
            fail(manifest, number, f"the column {column} is there twice")
    for number, line in numbered[1:]:
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) > len(header):
            fail(manifest, number, f"{len(cells)} fields, and {len(header)} columns")
        row = dict.fromkeys(COLUMNS, "") | dict(zip(header, cells, strict=False))
        yield _question(manifest, number, row)


def _question(manifest: Path, number: int, row: dict[str, str]) -> ListedQuestion | Skipped:
    if not row["path"]:
        fail(manifest, number, "the path is missing")
    file = manifest.parent / row["path"]
    if not file.is_file():
        fail(manifest, number, f"there is no file {file}")
    model = row["data_model"] or DATA_MODELS[0]
    if model not in DATA_MODELS:
        fail(manifest, number, f"data model {model!r} is neither of {' and '.join(DATA_MODELS)}")
    name = row["name"] or None
    parts = name.split("/") if name else []
    if name and (not _NAME.fullmatch(name) or {".", ".."} & set(parts)):
        fail(manifest, number, f"{name!r} is no name of a task: letters, digits and -_.+ with /")
    try:
        options = tuple(shlex.split(row["flags"]))
    except ValueError as error:
        fail(manifest, number, f"flags: {error}")
    asked = row["property"] or "unreach-call"
    beside = manifest.parent / asked
    try:
        key = property_key(str(beside) if asked.endswith(".prp") else asked)
    except UnsupportedError:
        return Skipped(f"property {asked}")
    except InputError as error:
        fail(manifest, number, error.message)
    expected = row["expected"] if _EXPECTED.fullmatch(row["expected"]) else None
    place = f"{manifest}:{number}"
    return ListedQuestion(place, file.with_suffix(""), file, key, expected, model, options, name)
