"""The page of a run in a real browser: what it shows, and what mouse and keys do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from abpress.verify.page.write import page_of
from tests.bench.browser import PROGRAM, Browser, browser
from tests.verify.page.programs import CAUSES, data_of_run

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium on this machine")

SHIFT = 8


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def tab(started: Browser) -> Iterator[Browser]:
    """The browser; the page must not have failed anywhere, nor asked for anything but itself."""
    started.errors.clear()
    started.requests.clear()
    yield started
    assert started.errors == []
    assert all(url.partition("#")[0].endswith(".html") for url in started.requests if "file" in url)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


def page(folder: Path, name: str, data: dict[str, Any]) -> Path:
    path = folder / f"{name}.html"
    path.write_text(page_of(data), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def lost(folder: Path) -> Path:
    file = CAUSES / "lost_update_by_copies.c"
    data = data_of_run(file, "no-deadlock", "no-data-race", "unreach-call")
    return page(folder, "lost", data)


def texts(tab: Browser, selector: str) -> list[str]:
    """What the elements say, without spaces twice; what is not drawn yet has no inner text."""
    says = "e => e.innerText || e.textContent"
    found = tab.js(f"[...document.querySelectorAll({selector!r})].map({says})")
    return [" ".join(text.split()) for text in found]


def told(tab: Browser) -> str:
    return texts(tab, "details[open] .told")[0]


def table(tab: Browser, panel: str) -> list[str]:
    return texts(tab, f"details[open] [aria-label={panel}] tbody tr")


def test_it_opens_with_the_cause_at_the_end(tab: Browser, lost: Path) -> None:
    tab.open(lost, "unreach-call")
    assert texts(tab, "summary h2") == ["no-data-race", "unreach-call", "no-deadlock"]
    assert texts(tab, "details[open] .cause")[0].startswith("lost update: main.1 reads")
    assert told(tab).startswith("Step 8 of 8: main, line 27: reads balance=15; violation:")
    assert texts(tab, "details[open] .line.violated code") == ["assert(balance != 15);"]
    assert len(texts(tab, "details[open] .step.marked")) == 3


def test_keys_step_and_show_values(tab: Browser, lost: Path) -> None:
    tab.open(lost, "unreach-call")
    tab.press("Home")
    assert told(tab) == "Before the first of 8 steps"
    for _ in range(3):
        tab.press("ArrowRight")
    assert told(tab).startswith("Step 3 of 8: main.1, line 10:")
    assert table(tab, "Threads") == [
        "main line 24",
        "main.1 line 10 copy = 10",
        "main.2 not begun",
    ]
    assert table(tab, "Memory")[0] == "balance 10 read"
    tab.press("ArrowRight")
    assert table(tab, "Memory")[0] == "balance 10 → 3 main.2 written"
    tab.press("ArrowLeft")
    assert told(tab).startswith("Step 3 of 8")
    tab.press("ArrowRight", modifiers=SHIFT)
    tab.press("ArrowRight", modifiers=SHIFT)
    assert told(tab).startswith("Step 5 of 8: main.1, line 12: balance: 3 → 15")
    assert tab.js("location.hash") == "#unreach-call/5"
    tab.press("End")
    assert told(tab).startswith("Step 8 of 8")


def test_what_happens_before_is_shown_on_demand(tab: Browser, lost: Path) -> None:
    tab.open(lost, "unreach-call/4")
    before = "[...document.querySelectorAll('details[open] .step')].map(e => e.className)"
    assert not any("before" in name for name in tab.js(before))
    tab.press("h")
    names = tab.js(before)[1:]
    assert ["before" in name for name in names[:4]] == [True, True, False, False]
    assert ["unordered" in name for name in names[:4]] == [False, False, True, False]
    assert texts(tab, "details[open] [aria-label='Order and races'] li")[:1] == [
        "after 2 main, line 24 by main.2"
    ]


def test_a_click_in_a_lane_goes_there(tab: Browser, lost: Path) -> None:
    tab.open(lost, "unreach-call")
    tab.click("details[open] .step:nth-child(4) .code")
    assert told(tab).startswith("Step 3 of 8")
    current = tab.js("document.querySelectorAll('details[open] .step[aria-current=step]').length")
    assert current == 1


def test_sections_open_by_keyboard_and_by_links(tab: Browser, lost: Path) -> None:
    tab.open(lost)
    assert texts(tab, "details.answer[open] h2") == ["no-data-race"]
    tab.js("document.querySelector('#no-deadlock summary').focus()")
    tab.press("Enter", "\r")
    assert texts(tab, "details.answer[open] h2") == ["no-data-race", "no-deadlock"]
    assert texts(tab, "#no-deadlock .how")[0].startswith("Proved by engine")
    tab.click(".chips li:nth-child(2) a")
    assert len(texts(tab, "details.answer[open] h2")) == 3


def test_threads_that_stand_at_the_end(tab: Browser, folder: Path) -> None:
    tab.open(page(folder, "race", data_of_run(CAUSES / "race_no_lock.c", "no-data-race")))
    assert told(tab) == "Step 3 of 3, the end: main.1 next: writes x; main.2 next: writes x."
    assert texts(tab, ".line.violated code") == ["x = 1; // <-", "x = 2; // <-"]
    assert "at the end, both ready: main.1 writes x" in texts(tab, "[aria-label^=Order]")[0]
    tab.press("ArrowLeft")
    assert told(tab) == "Step 2 of 3: main, line 22: creates main.2."


def test_a_proof_stands_beside_its_lines(tab: Browser, folder: Path) -> None:
    file = CAUSES / "lost_update_lock_released.c"
    data = data_of_run(file, "no-data-race", engine="static")
    tab.open(page(folder, "proof", data))
    assert texts(tab, "details[open] .how")[0].startswith("Proved by engine static.")
    said = texts(tab, ".invariant")
    assert len(said) == len(data["answers"][0]["proof"]["lines"]) > 3
    assert any("holds m" in text for text in said)


@pytest.mark.parametrize(
    ("scheme", "paper"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 23, 28)")]
)
def test_colours_are_those_of_the_system(tab: Browser, lost: Path, scheme: str, paper: str) -> None:
    wanted = [{"name": "prefers-color-scheme", "value": scheme}]
    tab.send("Emulation.setEmulatedMedia", features=wanted)
    tab.open(lost)
    assert tab.js("getComputedStyle(document.body).backgroundColor") == paper


def test_text_of_programs_is_shown_as_it_is(tab: Browser, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "odd.c"
    text = 'char *t = "</script><b id=bold>"; /* <i> */'
    file.write_text(
        f"#include <assert.h>\n{text}\nint main(void) {{ assert(t == 0); return 0; }}\n"
    )
    tab.open(page(folder, "odd", data_of_run(file, "unreach-call")))
    assert texts(tab, ".line code")[1] == text
    assert tab.js("document.getElementById('bold')") is None


def test_a_long_execution_is_usable(tab: Browser, folder: Path, lost: Path) -> None:
    data = data_of_run(CAUSES / "lost_update_by_copies.c", "unreach-call")
    execution = data["answers"][0]["execution"]
    execution["rows"][2:2] = [{**execution["rows"][2], "thread": 1 + k % 2} for k in range(5000)]
    path = page(folder, "long", data)
    assert path.stat().st_size < 2_000_000
    tab.open(path)
    assert told(tab).startswith("Step 5,008 of 5,008")
    tab.press("Home")
    tab.press("ArrowRight")
    assert told(tab).startswith("Step 1 of 5,008")
    spent = tab.js(
        "(() => { const from = performance.now();"
        "for (let i = 0; i < 20; i++) document.body.dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));"
        "return performance.now() - from; })()"
    )
    assert told(tab).startswith("Step 21 of 5,008")
    print(f"{spent / 20:.1f} ms for a step")


def test_what_frees_has_a_step(tab: Browser, folder: Path) -> None:
    file = CAUSES.parents[2] / "docs" / "gallery" / "use_after_free.c"
    tab.open(page(folder, "freed", data_of_run(file, "valid-deref")))
    assert told(tab).startswith("Step 5 of 5: main.1, line 19: violation")
    tab.press("ArrowLeft")
    assert told(tab) == "Step 4 of 5: main, line 28: frees message@25."
    assert any(row.endswith("is freed") for row in table(tab, "Memory"))


def test_a_narrow_page_shows_the_current_lane(tab: Browser, folder: Path) -> None:
    size = {"width": 420, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    tab.send("Emulation.setDeviceMetricsOverride", **size)
    try:
        file = CAUSES / "lost_update_by_copies.c"
        tab.open(page(folder, "narrow", data_of_run(file, "unreach-call")))
        for step in range(3):
            tab.press("ArrowLeft")
            assert tab.js(
                "(() => { const box = document.querySelector('.lanes').getBoundingClientRect();"
                "const cell = document.querySelector('.step[aria-current] .cell')"
                ".getBoundingClientRect();"
                "return cell.left >= box.left && cell.left < box.right - 60; })()"
            ), step
        assert tab.js("document.documentElement.scrollWidth <= innerWidth")
    finally:
        tab.send("Emulation.clearDeviceMetricsOverride")


def test_of_what_is_unknown_it_says_what_to_try(tab: Browser, folder: Path) -> None:
    file = CAUSES / "lost_update_by_copies.c"
    data = data_of_run(file, "no-data-race")
    data["advice"] = ["covered: 1 state", "try: abpress verify --time-limit 24s file.c"]
    tab.open(page(folder, "unknown", data))
    assert texts(tab, "#advice p") == ["covered: 1 state"]
    assert texts(tab, "#advice pre") == ["abpress verify --time-limit 24s file.c"]
    assert tab.js("document.getElementById('advice').hidden") is False
