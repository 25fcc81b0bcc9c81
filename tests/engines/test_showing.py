"""What is found is shown in time: a verdict is not lost because its trace is made readable."""

from __future__ import annotations

from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from abpress.config import Config
from abpress.engines import answer
from abpress.engines.answer import expiry
from abpress.engines.hunt import search
from abpress.engines.table import ENGINES
from abpress.result import Verdict
from abpress.search import limits
from abpress.search.limits import Limits, Watch
from abpress.search.statistics import Statistics
from abpress.verify import share, turn
from abpress.verify.load import load
from abpress.verify.share import Share
from abpress.verify.turn import KnownFacts, take
from abpress.witness.build import build_trace
from tests.search.test_hunt import LOST_UPDATE, written


def test_half_of_what_the_run_has_left_is_for_the_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    for module in (limits, share):
        monkeypatch.setattr(module, "monotonic", lambda: now)
    its = Share(Limits(60.0, started=100.0), lambda _: None, time=1.0).limits
    now = 120.0
    watch: Watch[Statistics] = Watch(its)
    assert watch(Statistics()) is not None and its.in_force is its
    assert expiry(watch, Statistics(), found=False)() and its.in_force is its
    over = expiry(watch, Statistics())
    assert its.in_force is its.of_run is not its
    now = 139.0
    assert not over()
    now = 141.0
    assert over()


def test_without_a_limit_of_time_it_is_never_over() -> None:
    assert not expiry(Watch(Limits()), Statistics())()


@pytest.mark.parametrize("engine", ["hunt", "explicit", "stateless", "abpress"])
def test_what_is_found_at_the_end_of_a_turn_is_not_lost(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The watchdog ends a turn that overruns, but not one that has found what decides."""
    config = Config.of(written(tmp_path, LOST_UPDATE, WRONG="3"), engine=engine)
    program = load(config)

    def slowly(*its: Any) -> object:
        end = monotonic() + 1.2
        while monotonic() < end:
            sleep(0.005)
        return build_trace(*its)

    monkeypatch.setattr(answer, "_TRACE", slowly)
    monkeypatch.setattr(turn, "_GRACE", 0.0)
    for whole, verdict in ((60.0, Verdict.FALSE), (1.0, Verdict.UNKNOWN)):
        share = Share(Limits(whole), lambda _: None, time=1.0)
        its = take(ENGINES[engine], lambda: program, config, share, KnownFacts())
        assert its.answers["unreach-call"].result.verdict is verdict


def test_a_cause_is_looked_for_while_there_is_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config.of(written(tmp_path, LOST_UPDATE, WRONG="3"), engine="hunt")
    program = load(config).program
    told = search(program, config, Limits())["unreach-call"]
    assert told.trace is not None and told.trace.diagnosis is not None
    monkeypatch.setattr("abpress.engines.hunt.expiry", lambda *_: lambda: True)
    hurried = search(program, config, Limits())["unreach-call"]
    assert hurried.verdict is Verdict.FALSE
    assert hurried.trace is not None and hurried.trace.diagnosis is None
