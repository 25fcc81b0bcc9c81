"""The page in a real browser: what it draws, and what mouse and keys do."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.bench.html import write_html
from tests.bench.browser import PROGRAM, Browser, browser
from tests.bench.output_samples import BENCHMARK, large

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium on this machine")

TASKS = "[...document.querySelectorAll('#results tbody th')].map(e => e.textContent)"
WRONG_FIRST = ["locks/dekker_bad", "queues/ring_safe"]
ALL = [*WRONG_FIRST, "locks/peterson_safe", "queues/big", "<i>odd</i>", "mem/leak"]


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("out") / "index.html"
    write_html(BENCHMARK, path)
    return path


@pytest.fixture
def tab(started: Browser) -> Iterator[Browser]:
    """The browser; the page must not have failed anywhere, nor asked for anything but itself."""
    started.errors.clear()
    started.requests.clear()
    yield started
    assert started.errors == []
    assert {url.partition(":")[0] for url in started.requests} <= {"file", "about"}
    assert all(url.partition("#")[0].endswith(".html") for url in started.requests if "file" in url)


def test_all_results_are_shown_and_the_wrong_ones_first(tab: Browser, page: Path) -> None:
    tab.open(page)
    assert tab.js(TASKS) == ALL
    assert tab.js("document.getElementById('shown').textContent") == "6 of 6"
    alarming = "[...document.querySelectorAll('tr.alarming th')].map(e => e.textContent)"
    assert tab.js(alarming) == WRONG_FIRST
    assert tab.js("document.querySelectorAll('#alarms li').length") == 3
    tab.js("document.getElementById('theme').value = 'light'")
    tab.js("document.getElementById('theme').dispatchEvent(new Event('change'))")
    colour = "getComputedStyle(document.querySelector('tr.alarming th')).backgroundColor"
    assert tab.js(colour) == "rgb(253, 228, 228)"


def test_text_of_the_runs_is_text(tab: Browser, page: Path) -> None:
    tab.open(page)
    assert tab.js("document.querySelectorAll('#results i, #results b').length") == 0
    reasons = tab.js("[...document.querySelectorAll('.reason')].map(e => e.textContent)")
    assert any("</script>" in reason for reason in reasons)


def test_filters(tab: Browser, page: Path) -> None:
    tab.open(page)
    tab.press("/", "/")
    tab.write("LOCKS safe")
    assert tab.js(TASKS) == ["locks/peterson_safe"]
    assert "q=LOCKS+safe" in tab.js("location.hash")
    tab.click("#filters button")
    assert tab.js(TASKS) == ALL
    assert tab.js("location.hash") == ""


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("category=wrong", WRONG_FIRST),
        ("category=wrong&config=0", ["queues/ring_safe"]),
        ("category=contradiction", ["locks/dekker_bad"]),
        ("category=differs", [*WRONG_FIRST, "<i>odd</i>", "mem/leak"]),
        ("property=no-deadlock", ["<i>odd</i>"]),
        ("q=too+wide", ["<i>odd</i>"]),
        ("q=nothing+like+it", []),
        ("wrong=&sort=cpu-0", ["<i>odd</i>", "locks/dekker_bad", "queues/ring_safe",
         "locks/peterson_safe", "mem/leak", "queues/big"]),
        ("sort=cpu-0&down=1", [*reversed(WRONG_FIRST), "queues/big", "mem/leak",
         "locks/peterson_safe", "<i>odd</i>"]),
        ("wrong=&sort=nodes-1", ["<i>odd</i>", "locks/peterson_safe", "locks/dekker_bad",
         "queues/ring_safe", "queues/big", "mem/leak"]),
        ("wrong=&sort=nodes-1&down=1", ["locks/dekker_bad", "locks/peterson_safe", "<i>odd</i>",
         "queues/ring_safe", "queues/big", "mem/leak"]),
        ("x=9&metric=none&category=none&config=-1&sort=none", ALL),
    ],
)  # fmt: skip
def test_the_address_says_what_is_shown(
    tab: Browser, page: Path, state: str, expected: list[str]
) -> None:
    tab.open(page, state)
    assert tab.js(TASKS) == expected


def test_headings_sort_by_keyboard(tab: Browser, page: Path) -> None:
    tab.open(page, "wrong=")
    tab.js("document.getElementById('sort-task').focus()")
    tab.press("Enter", "\r")
    assert tab.js(TASKS) == sorted(ALL)
    tab.press("Enter", "\r")
    assert tab.js(TASKS) == sorted(ALL, reverse=True)
    assert tab.js("document.querySelector('[aria-sort]').getAttribute('aria-sort')") == "descending"
    tab.press("Tab")
    assert tab.js("document.activeElement.id") == "sort-property"


def test_counts_of_the_summary_filter(tab: Browser, page: Path) -> None:
    tab.open(page)
    tab.click("#summary tbody tr:nth-child(2) button.timeout")
    assert tab.js(TASKS) == ["queues/ring_safe"]
    assert tab.js("document.getElementById('config').value") == "1"
    assert tab.js("document.activeElement.id") == "results-title"


def test_links_lead_to_traces_and_certificates(tab: Browser, page: Path) -> None:
    tab.open(page)
    links = tab.js("[...document.querySelectorAll('#results a')].map(e => [e.textContent, e.href])")
    here = page.parent.as_uri()
    assert links == [
        ["trace", f"{here}/traces/dekker%231.json"],
        ["trace", f"{here}/traces/ring.json"],
        ["certificate", f"{here}/proofs/peterson%201.json"],
    ]


POINTS = (
    "[...document.querySelectorAll('#scatter > svg .point')].map(e => {"
    " const b = e.getBBox(); return [b.x + b.width / 2, b.y + b.height / 2]; })"
)
LEFT, WIDTH, BOTTOM, HEIGHT, INSIDE = 64, 562, 434, 420, 0.94


def seconds(value: float) -> float:
    """Where a time is on an axis from 0.02 to 10."""
    return math.log10(value / 0.02) / math.log10(10 / 0.02) * INSIDE


def test_scatter_places_points_on_the_logarithmic_axes(tab: Browser, page: Path) -> None:
    tab.open(page)
    border = (1 + INSIDE) / 2
    expected = [
        (seconds(0.5), seconds(2.0)),  # peterson
        (seconds(0.02), seconds(3.0)),  # dekker, wrong
        (seconds(0.3), border),  # ring: b has a timeout
        (border, border),  # big: nobody
        (seconds(0.02), border),  # odd: in no time
    ]
    points = tab.js(POINTS)
    assert len(points) == len(expected)
    for (x, y), (right, up) in zip(points, expected, strict=True):
        assert x == pytest.approx(LEFT + right * WIDTH, abs=0.2)
        assert y == pytest.approx(BOTTOM - up * HEIGHT, abs=0.2)
    factors = "[...document.querySelectorAll('[data-factor]')].map(e => Number(e.dataset.factor))"
    assert tab.js(factors) == [1, 2, 0.5, 10, 0.1]


def test_any_two_configurations_and_values(tab: Browser, page: Path) -> None:
    tab.open(page, "x=1&y=1&metric=nodes")
    for x, y in tab.js(POINTS):
        assert x - LEFT == pytest.approx((BOTTOM - y) / HEIGHT * WIDTH, abs=0.2)
    labels = tab.js("[...document.querySelectorAll('#scatter text')].map(e => e.textContent)")
    assert labels.count("b: nodes or states") == 2


def test_keys_walk_through_the_points_of_a_plot(tab: Browser, page: Path) -> None:
    tab.open(page)
    tab.js("document.querySelector('#scatter > svg').focus()")
    tab.press("ArrowRight")
    tab.press("ArrowRight")
    told = tab.js("document.querySelector('#scatter output').textContent")
    assert told == "locks/dekker_bad (unreach-call): a correct, 0.0200; b wrong, 3.00"
    tab.press("Enter", "\r")
    assert tab.js(TASKS) == ["locks/dekker_bad"]


def test_colours_follow_the_choice(tab: Browser, page: Path) -> None:
    tab.open(page)
    paper = "getComputedStyle(document.body).backgroundColor"
    colours = []
    for theme in ("dark", "light"):
        tab.js(
            f"(() => {{ const s = document.getElementById('theme'); s.value = '{theme}';"
            "s.dispatchEvent(new Event('change')); })()"
        )
        colours.append(tab.js(paper))
    assert colours == ["rgb(20, 23, 28)", "rgb(255, 255, 255)"]


def test_a_large_benchmark_is_shown_in_parts(tab: Browser, tmp_path: Path) -> None:
    write_html(large(1200, 3), tmp_path / "index.html")
    tab.open(tmp_path / "index.html")
    assert len(tab.js(TASKS)) == 500
    tab.click("#more")
    tab.click("#more")
    assert len(tab.js(TASKS)) == 1200
    assert tab.js("document.getElementById('more').hidden")
    assert tab.js("document.querySelectorAll('#quantile polyline').length") == 3


def test_a_benchmark_without_runs(tab: Browser, tmp_path: Path) -> None:
    write_html(replace(BENCHMARK, runs=()), tmp_path / "index.html")
    tab.open(tmp_path / "index.html")
    assert tab.js("document.getElementById('shown').textContent") == "0 of 0"
