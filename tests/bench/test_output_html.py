"""The page as a file: it is complete, the same each time, and its data says what came out."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abpress.bench.html import page_data, write_html
from abpress.bench.outputs import OUTPUTS
from abpress.bench.plots import axis, quantile_by_count, quantile_by_score
from abpress.bench.record import Benchmark, Category
from abpress.errors import InputError
from tests.bench.output_samples import BENCHMARK, LIMITS, failed, large, run


class Reader(HTMLParser):
    """The tags of a page with their attributes, and the text of its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self._in_script = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._in_script = tag == "script"

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    def handle_data(self, data: str) -> None:
        if self._in_script:
            self.scripts.append(data)


def written(benchmark: Benchmark, folder: Path) -> str:
    write_html(benchmark, folder / "index.html")
    return (folder / "index.html").read_text(encoding="utf-8")


def test_the_page_needs_nothing_else(tmp_path: Path) -> None:
    reader = Reader(written(BENCHMARK, tmp_path))
    given = {name for _, attributes in reader.tags for name in attributes}
    assert not given & {"src", "srcset", "href", "background", "onclick", "onload"}
    assert not {tag for tag, _ in reader.tags} & {"link", "iframe", "img", "object", "base"}
    policy = next(a["content"] for t, a in reader.tags if a.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert [p.name for p in tmp_path.iterdir()] == ["index.html"]


def test_the_data_is_in_the_page_whatever_the_runs_say(tmp_path: Path) -> None:
    reader = Reader(written(BENCHMARK, tmp_path))
    assert len(reader.scripts) == 2
    assert json.loads(reader.scripts[0]) == json.loads(json.dumps(page_data(BENCHMARK)))
    assert "{{" not in "".join(reader.scripts[1])


def test_names_and_ids_of_the_scripts_are_in_the_page(tmp_path: Path) -> None:
    page = written(BENCHMARK, tmp_path)
    reader = Reader(page)
    ids = [a["id"] for _, a in reader.tags if "id" in a]
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r'byId\("([\w-]+)"\)', reader.scripts[1])) <= set(ids)


def test_the_same_benchmark_gives_the_same_bytes(tmp_path: Path) -> None:
    first = written(large(50, 2), tmp_path)
    assert written(large(50, 2), tmp_path) == first


def test_rows() -> None:
    rows = page_data(BENCHMARK)["rows"]
    assert [row["task"] for row in rows] == [
        *("locks/peterson_safe", "locks/dekker_bad", "queues/ring_safe", "queues/big"),
        *("<i>odd</i>", "mem/leak"),
    ]
    assert [row["contradiction"] for row in rows] == [False, True, False, False, False, False]
    assert rows[4]["expected"] is None
    assert rows[5]["expected"] == "false(valid-deref)"
    assert rows[5]["runs"][1] is None
    assert rows[1]["runs"][0]["trace"] == "traces/dekker%231.json"
    assert rows[0]["runs"][0]["certificate"] == "proofs/peterson%201.json"
    assert [cell["nodes"] for cell in rows[2]["runs"]] == [300, None]


def test_contradictions_are_of_answers_not_of_subproperties() -> None:
    runs = (
        run("t", "a", None, "false(valid-deref)", property="valid-memsafety"),
        run("t", "b", None, "false(valid-free)", property="valid-memsafety"),
    )
    assert not page_data(replace(BENCHMARK, runs=runs))["rows"][0]["contradiction"]


def test_summary() -> None:
    a, b = page_data(BENCHMARK)["summary"]
    assert (a["runs"], a["score"], a["best"], a["true"]) == (6, 2 + 1 - 16, 2 + 1 + 2 + 2 + 1, 1)
    assert a["counts"] == {
        "correct": 2,
        "wrong": 1,
        "unknown": 1,
        "timeout": 0,
        "out of memory": 1,
        "error": 0,
        "unjudged": 1,
    }
    assert (b["runs"], b["score"], b["best"], b["true"]) == (5, 2 - 32, 2 + 1 + 2 + 2, 1)
    assert a["cpu_correct"] == pytest.approx(0.52)


def test_two_runs_of_the_same_are_refused() -> None:
    twice = replace(BENCHMARK, runs=(BENCHMARK.runs[0], BENCHMARK.runs[0]))
    with pytest.raises(ValueError, match="two runs of locks/peterson_safe"):
        page_data(twice)


def points(curve: Any) -> list[tuple[float, float, int]]:
    return [(p.x, p.y, p.run) for p in curve]


def test_quantile_by_score() -> None:
    runs = [
        run("slow", "a", "true", "true", 4.0),
        run("bad", "a", "false", "true", 0.1),
        run("fast", "a", "false", "false", 0.5),
        failed("late", "a", Category.TIMEOUT, ""),
        run("free", "a", None, "true", 0.2),
        run("as fast", "a", "true", "true", 0.5),
    ]
    assert points(quantile_by_score(runs)) == [(-31, 0.5, 2), (-29, 0.5, 5), (-27, 4.0, 0)]
    assert points(quantile_by_count(runs)) == [(1, 0.2, 4), (2, 0.5, 2), (3, 0.5, 5), (4, 4.0, 0)]


def test_quantiles_of_the_page_name_rows() -> None:
    data = page_data(BENCHMARK)
    assert data["quantile"]["score"] == [[[-15, 0.02, 1], [-13, 0.5, 0]], [[-30, 2.0, 0]]]
    assert data["quantile"]["count"][0] == [[1, 0.0, 4], [2, 0.02, 1], [3, 0.5, 0]]


@given(st.integers(min_value=0, max_value=30), st.integers(min_value=1, max_value=3))
def test_a_quantile_plot_ends_at_the_score(tasks: int, configs: int) -> None:
    data = page_data(large(tasks, configs))
    for curve, summary in zip(data["quantile"]["score"], data["summary"], strict=True):
        assert curve == sorted(curve, key=lambda point: point[:2])
        assert (curve[-1][0] if curve else 0) == summary["score"]


@given(st.lists(st.floats(min_value=1e-4, max_value=1e9) | st.just(0.0)))
def test_an_axis_holds_all_values(values: list[float]) -> None:
    ends = axis(values)
    assert ends.low < ends.high
    assert all(ends.low <= value <= ends.high for value in values if value)


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [([], 1, 2), ([0.0], 1, 2), ([1.0], 1, 2), ([0.03, 9.0], 0.02, 10), ([10.1], 10, 20)],
)
def test_an_axis_is_no_longer_than_it_must(values: list[float], low: float, high: float) -> None:
    ends = axis(values)
    assert (ends.low, ends.high) == (low, high)


def test_every_output_names_the_files_that_it_wrote(tmp_path: Path) -> None:
    for name, write in OUTPUTS.items():
        folder = tmp_path / name
        folder.mkdir()
        files = write(BENCHMARK, folder)
        assert files
        assert {file.suffix for file in files} == {f".{name}"}
        assert all(file.is_file() for file in files)


def test_every_output_writes_a_benchmark_without_runs(tmp_path: Path) -> None:
    for write in OUTPUTS.values():
        write(Benchmark((), {"a": ()}, LIMITS, "now", "1"), tmp_path)


def test_every_output_says_that_it_cannot_write(tmp_path: Path) -> None:
    for write in OUTPUTS.values():
        with pytest.raises(InputError, match="cannot write"):
            write(BENCHMARK, tmp_path / "nowhere")
