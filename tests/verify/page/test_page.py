"""The page of a run as a file: it is complete, and whatever its program says is text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from abpress.errors import InputError
from abpress.page.frame import data_of
from abpress.verify.page.data import VERSION
from abpress.verify.page.write import data_at, page_of
from tests.bench.test_output_html import Reader
from tests.verify.page.programs import CAUSES, data_of_run

ODD = b"""\
#include <assert.h>
char *text = "</script><script>alert(1)</script><!--'\\"";  // \xe4 \xe2\x80\xae
int main(void) { assert(text == 0); return 0; }
"""


def test_the_page_needs_nothing_else() -> None:
    page = page_of(data_of_run(CAUSES / "race_no_lock.c", "no-data-race"))
    reader = Reader(page)
    given = {name for _, attributes in reader.tags for name in attributes}
    assert not given & {"src", "srcset", "href", "background", "onclick", "onload"}
    assert not {tag for tag, _ in reader.tags} & {"link", "iframe", "img", "object", "base"}
    ids = {a["id"] for _, a in reader.tags if "id" in a}
    assert set(re.findall(r'byId\("([\w-]+)"\)', reader.scripts[1])) <= ids
    assert "{{" not in reader.scripts[1]


def test_text_of_programs_is_text(tmp_path: Path) -> None:
    file = tmp_path / "o<b>dd.c"
    file.write_bytes(ODD)
    data = data_of_run(file, "unreach-call")
    page = page_of(data)
    assert len(Reader(page).scripts) == 2
    assert "<b>" not in page
    assert "alert(1)" in data["files"][0]["lines"][1]
    assert "\u202e" not in json.dumps(data, ensure_ascii=False)
    page.encode()
    assert data_of(page) == json.loads(json.dumps(data))


def test_only_a_page_of_a_report_is_read(tmp_path: Path) -> None:
    data = data_of_run(CAUSES / "race_no_lock.c", "no-data-race")
    page = tmp_path / "index.html"
    page.write_text(page_of(data), encoding="utf-8")
    assert data_at(tmp_path) == data_at(page) == json.loads(json.dumps(data))
    page.write_text(page_of({**data, "version": VERSION + 1}), encoding="utf-8")
    with pytest.raises(InputError, match="not a page of this version"):
        data_at(page)
    page.write_text("<p>another page", encoding="utf-8")
    with pytest.raises(InputError, match="is not a page of abpress"):
        data_at(tmp_path)
    with pytest.raises(InputError, match="cannot read"):
        data_at(tmp_path / "nowhere.html")
