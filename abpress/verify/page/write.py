"""Writes the page of a run, and finds the data of one that was written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from abpress.errors import InputError
from abpress.page.frame import composed, data_of
from abpress.verify.page.data import VERSION

NAME = "index.html"
"""The name of the page in its folder."""

_SCRIPTS = (
    "shapes.js",
    "execution.js",
    "source.js",
    "lanes.js",
    "panels.js",
    "stepper.js",
    "answers.js",
    "report.js",
)
_ELSEWHERE = "printed by abpress verify, and written by --json"


def page_of(data: dict[str, Any]) -> str:
    """The page that shows the data of a report."""
    title = f"AbPress: {data['name']}"
    return composed("report.html", title, _ELSEWHERE, data, _SCRIPTS, ("report.css",))


def data_at(path: Path) -> dict[str, Any]:
    """The data of the page at a path, or in the folder there. Raises InputError."""
    page = path / NAME if path.is_dir() else path
    try:
        data = data_of(page.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {page}: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{page} is not a page of abpress verify --report: {error}") from error
    if not isinstance(data, dict) or data.get("version") != VERSION or "answers" not in data:
        raise InputError(f"{page} is not a page of this version of abpress verify --report")
    return data
