"""Contradictions between configurations, and what counts as a regression."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from abpress.bench.compare import Contradiction, compare, contradictions
from abpress.bench.judge import judge
from abpress.bench.record import Category, Run

from .fakes import a_job, a_task
from .test_store import a_run


def run(verdict: str, expected: str | None = "true", **changes: Any) -> Run:
    category, score = judge(verdict, expected)
    base = a_run(a_job(a_task(expected=expected)), verdict=verdict, category=category, score=score)
    return replace(base, **changes)


def test_contradictions() -> None:
    runs = [
        run("true", None, config="a"),
        run("unknown", None, config="b"),
        run("false", None, config="c"),
        run("false(valid-free)", None, config="d"),
        run("true", None, config="a", task="other"),
        run("unknown", None, config="b", task="other"),
        run("true", None, config="c", task="other"),
        run("false", None, config="a", task="other", property="no-deadlock"),
        run("false", None, config="a", task="third"),
        run("false(valid-free)", None, config="b", task="third"),
    ]
    assert contradictions(runs) == [Contradiction("t", "unreach-call", ("a",), ("c", "d"))]
    assert contradictions(runs[:2]) == []


ERROR = {"category": Category.ERROR}
TIMEOUT = {"category": Category.TIMEOUT}


@pytest.mark.parametrize(
    ("old", "new", "worse"),
    [
        (run("true"), run("true"), None),
        (run("true"), run("unknown"), True),
        (run("true"), run("unknown", **TIMEOUT), True),
        (run("true"), run("unknown", **ERROR), True),
        (run("true"), run("false"), True),
        (run("true", None), run("false", None), True),
        (run("unknown"), run("true"), False),
        (run("unknown"), run("false"), True),
        (run("unknown"), run("unknown"), None),
        (run("unknown"), run("unknown", **TIMEOUT), False),
        (run("unknown"), run("unknown", **ERROR), True),
        (run("unknown", **ERROR), run("unknown", **ERROR), None),
        (run("unknown", **ERROR), run("unknown"), False),
        (run("false"), run("true"), False),
        (run("false"), run("unknown"), False),
        (run("false"), run("false"), None),
        (run("true", None), run("true"), False),
    ],
)
def test_changes(old: Run, new: Run, worse: bool | None) -> None:
    comparison = compare([old], [new])
    assert comparison.compared == 1
    assert [change.worse for change in comparison.changes] == ([] if worse is None else [worse])
    assert comparison.worse == bool(worse)


def test_regressions_come_first() -> None:
    old = [run("unknown", task="a"), run("true", task="b")]
    new = [run("true", task="a"), run("unknown", task="b")]
    assert [change.new.task for change in compare(old, new).changes] == ["b", "a"]


def test_only_what_both_have_is_compared() -> None:
    old = [run("true", task="a"), run("true", task="b"), run("true", config="x")]
    new = [run("true", task="a"), run("unknown", task="c"), run("unknown", property="no-deadlock")]
    comparison = compare(old, new)
    assert (comparison.compared, comparison.missing, comparison.changes) == (1, 2, ())


@pytest.mark.parametrize(
    ("factors", "worse"),
    [((1.0, 1.0, 50.0), False), ((2.5, 2.1, 1.0), True), ((2.0, 2.0), False), ((9.0,), True)],
)
@pytest.mark.parametrize("quantity", ["time", "nodes"])
def test_the_median_decides(factors: tuple[float, ...], worse: bool, quantity: str) -> None:
    old, new = [], []
    for number, factor in enumerate(factors):
        before = run("true", task=str(number), cpu_s=1.0, statistics={"nodes": 1000, "states": 1})
        after = (
            replace(before, cpu_s=factor)
            if quantity == "time"
            else replace(before, statistics={"nodes": int(1000 * factor), "states": 1})
        )
        old.append(before)
        new.append(after)
    comparison = compare(old, new)
    ratio = next(ratio for ratio in comparison.ratios if ratio.quantity == quantity)
    other = next(ratio for ratio in comparison.ratios if ratio.quantity != quantity)
    assert (ratio.runs, ratio.worse, comparison.worse) == (len(factors), worse, worse)
    assert (other.median, other.worse) == (1.0, False)
    assert comparison.ratios[0].worse == worse


def test_short_times_and_lost_verdicts_are_not_compared() -> None:
    quick = compare([run("true", cpu_s=0.001)], [run("true", cpu_s=0.09)])
    assert [(ratio.quantity, ratio.median) for ratio in quick.ratios] == [
        ("time", 1.0),
        ("nodes", 1.0),
    ]
    lost = compare([run("true", cpu_s=1.0)], [run("unknown", cpu_s=60.0)])
    assert lost.ratios == ()


def test_configurations_are_compared_apart() -> None:
    old = [run("true", config="a", cpu_s=1.0), run("true", config="b", cpu_s=1.0)]
    new = [run("true", config="a", cpu_s=1.0), run("true", config="b", cpu_s=3.0)]
    told = [(r.config, r.median, r.worse) for r in compare(old, new).ratios if r.quantity == "time"]
    assert told == [("b", 3.0, True), ("a", 1.0, False)]
