"""The page of workers: it is complete, and draws what they have done."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from abpress.bench.timeline import write_timeline
from abpress.parallel.load import WorkerLoad
from tests.bench.browser import PROGRAM, browser
from tests.bench.test_output_html import Reader

LOADS = (
    WorkerLoad(
        100.0, 0.5, ((0.4, 0.1, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.25, 0.0)), 12, 1234, given=1
    ),
    WorkerLoad(100.5, 0.5, ((0.0, 0.2, 0.1, 0.0, 0.2),), 3, 56, replayed=9, taken=1),
)
DATA: list[dict[str, Any]] = [its.to_json(k, 100.0) for k, its in enumerate(LOADS)]


def written(folder: Path) -> Path:
    path = folder / "workers.html"
    write_timeline(DATA, "</script>.c, optimal", path)
    return path


def test_the_page_needs_nothing_else(tmp_path: Path) -> None:
    reader = Reader(written(tmp_path).read_text(encoding="utf-8"))
    given = {name for _, attributes in reader.tags for name in attributes}
    assert not given & {"src", "srcset", "href", "background", "onclick", "onload"}
    data, script = reader.scripts[:2]
    assert json.loads(data) == {"about": "</script>.c, optimal", "load": DATA}
    ids = {a["id"] for _, a in reader.tags if "id" in a}
    assert set(re.findall(r'byId\("([\w-]+)"\)', script)) <= ids
    assert "{{" not in script


@pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium on this machine")
def test_it_draws_what_workers_did(tmp_path: Path) -> None:
    with browser(tmp_path) as tab:
        tab.open(written(tmp_path))
        assert tab.js("document.querySelectorAll('#timeline path').length") == 6
        rows = tab.js("[...document.querySelectorAll('#load tbody tr')].map(e => e.innerText)")
        assert "1,234" in rows[0]
        assert "0.40 s, 53.3 %" in rows[0]
        titles = "[...document.querySelectorAll('#timeline title')].map(e => e.textContent)"
        assert "worker 1, replaying: 0.10 s, 20.0 %" in tab.js(titles)
        assert tab.errors == []
