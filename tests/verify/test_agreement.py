"""The engines never contradict each other, nor what is known, on the tasks of the benchmark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from abpress.config import Config
from abpress.engines.table import ENGINES
from abpress.result import Verdict
from abpress.verify.run import verify
from tests.sampling import sample

ROOT = Path(__file__).resolve().parent.parent.parent
TASKS = sorted((ROOT / "benchmarks" / "svcomp").rglob("*.yml"))
EVERY = 80
SECONDS = 1.0


def expected(task: Path) -> Verdict | None:
    """The verdict about reachability, if the task asks for it."""
    for entry in yaml.safe_load(task.read_text(encoding="utf-8"))["properties"]:
        if "unreach-call" in entry["property_file"]:
            return Verdict.TRUE if entry["expected_verdict"] else Verdict.FALSE
    return None


@pytest.mark.parametrize("task", sample(TASKS, EVERY), ids=lambda task: task.stem)
def test_no_contradiction(task: Path) -> None:
    right = expected(task)
    if right is None:
        pytest.skip("no question about reachability")
    for engine in ("auto", *(name for name, engine in ENGINES.items() if not engine.proves)):
        config = Config.of(task.with_suffix(".c"), engine=engine, time_limit=SECONDS)
        verdict = verify(config).result.verdict
        assert verdict in (right, Verdict.UNKNOWN), engine


def test_a_deadlock_of_few_states_is_found_at_once() -> None:
    file = ROOT / "benchmarks" / "svcomp" / "deadlock" / "self_deadlock.c"
    report = verify(Config.of(file, property="no-deadlock"))
    assert report.result.verdict is Verdict.FALSE
    assert report.engine in ("explicit", "hunt")


def test_a_certificate_is_for_the_tree() -> None:
    file = ROOT / "benchmarks" / "svcomp" / "pthread-inputs" / "wide_swap_safe.c"
    report = verify(Config.of(file, certificate=True))
    assert (report.engine, report.result.verdict) == ("abpress", Verdict.TRUE)
    assert report.certificate is not None


def test_auto_tells_what_ran() -> None:
    file = ROOT / "benchmarks" / "svcomp" / "pthread-inputs" / "wide_swap_safe.c"
    report = verify(Config.of(file))
    assert (report.engine, report.result.verdict) == ("abpress", Verdict.TRUE)
    assert re.match(r"hunt .*, abpress ", str(report.result.statistics["engines"]))
    assert re.match(r"[\d,]+ executions of [\d,]+ steps$", str(report.result.statistics["hunt"]))
