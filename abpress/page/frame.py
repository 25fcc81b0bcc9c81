"""A page is a frame, a body, style sheets and scripts (`parts/`), put together with its data, which
is all that differs between two pages of a kind."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from abpress.errors import printable


def composed(
    body: str,
    title: str,
    elsewhere: str,
    data: Any,
    scripts: Sequence[str],
    styles: Sequence[str] = (),
) -> str:
    """A page of its parts in `parts/`, with data for JSON that its scripts see.

    `elsewhere` says in which file the same data is; `styles` follow the sheet of all pages.
    """
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    parts = {
        "title": html.escape(printable(title)),
        "style": "\n".join(map(_part, ("style.css", *styles))),
        "elsewhere": html.escape(elsewhere),
        "body": _part(body),
        "data": text.replace("<", "\\u003c"),
        "script": "\n".join(map(_part, scripts)),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _part("frame.html"))


def data_of(page: str) -> Any:
    """The data of a page that `composed` has made. Raises ValueError if it is no such page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    if found is None:
        raise ValueError("the page has no data")
    return json.loads(found[1])


def _part(name: str) -> str:
    return (files("abpress.page") / "parts" / name).read_text(encoding="utf-8")
