"""The pause of the first hunt: others are asked while it waits, and nothing begins anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import process_time

import pytest

from abpress.config import Config
from abpress.engines.hunt import search as hunt
from abpress.engines.table import Engine
from abpress.ir.program import Program
from abpress.result import Result, Soundness, undecided, violated
from abpress.search.limits import Limits, Watch
from abpress.search.statistics import Statistics
from abpress.verify import turns
from abpress.verify.choice import SOON, ProgramFeatures, Rule, chosen
from abpress.verify.share import SearchPause, Share
from tests.engines.programs import code, counter, program
from tests.verify.test_turns import (
    ASKED,
    CONFIG,
    WIDE,
    Clock,
    Counting,
    clock_of_turns,
    engine,
    run,
    unsupported,
)

STEP = 0.005
"""Seconds of a step of what counts."""


class Hunting(Counting):
    """As a hunt: after so many steps it finds a violation, and after others where it is asked
    `besides`. Mutable: remembers how far it came, and what its limits had left at the end."""

    def __init__(self, needed: float, clock: Clock, besides: float = 1e9) -> None:
        super().__init__(needed, clock.pause)
        self.besides = besides
        self.left: list[float] = []

    def __call__(
        self,
        program: Program,
        config: Config,
        limits: Limits,
        progress: Callable[[Statistics], None],
        soundness: Soundness,
    ) -> Result:
        statistics, watch = Statistics(), Watch(limits)
        number = len(self.reached)
        self.reached.append(0)
        second = config.search.seed == CONFIG.search.seed + turns._BESIDES
        while statistics.states < (self.besides if second else self.needed):
            statistics.states += 1
            self.reached[number] = statistics.states
            progress(statistics)
            self.pause(STEP)
            if (stop := watch(statistics)) is not None:
                self.left.append(limits.left)
                return undecided(ASKED, stop.text)
        self.left.append(limits.left)
        return violated(ASKED, soundness, "because", "a trace", {})


def prover(needed: float, clock: Clock) -> tuple[Counting, Engine]:
    """What proves without a search, and is asked late."""
    its = Counting(needed, clock.pause)
    facts = replace(engine("facts", its), families=(), proves=frozenset({ASKED}))
    return its, replace(facts, late=frozenset({ASKED}))


def hunter(its: Counting) -> Engine:
    return replace(engine("hunter", its), families=(), hunts=True)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    rule = Rule("soon", lambda _: True, 0.5, 0.0, soon=SOON)
    monkeypatch.setattr(turns, "chosen", lambda _: rule)
    return clock_of_turns(monkeypatch)


def test_who_proves_soon_ends_the_hunt(clock: Clock) -> None:
    hunts = Hunting(1e9, clock)
    facts, proves = prover(100, clock)
    tree = engine("tree", unsupported, closed=False)
    answer = run(tree, proves, hunter(hunts), p=WIDE, limits=Limits(time=40.0, started=clock()))
    assert (answer.engine, facts.reached) == ("facts", [100])
    assert hunts.reached == [pytest.approx(turns._BEFORE_PAUSE / STEP, abs=2)]
    told = answer.result.statistics
    assert str(told["engines"]).startswith("facts true, hunter unknown (another engine has found")
    assert told["engines_s"] == "0.5, 0.1"


@pytest.mark.parametrize("needed", [25, 60])
def test_a_hunt_goes_on_where_it_has_waited(needed: int, clock: Clock) -> None:
    """The time of the others is not its own: it has as much as without a pause."""
    hunts = Hunting(needed, clock)
    facts, proves = prover(1e9, clock)
    tree = engine("tree", unsupported, closed=False)
    limits = Limits(time=40.0, started=clock())
    answer = run(tree, proves, hunter(hunts), p=WIDE, limits=limits)
    assert (answer.engine, hunts.reached[0]) == ("hunter", needed)
    assert facts.reached == [pytest.approx(SOON.most / STEP, abs=2)]
    seconds = turns._FIRST_TURN_SHARE * 40.0
    assert hunts.left[-1] == pytest.approx(seconds - needed * STEP, abs=0.02)
    told = f"{turns._BESIDES_SECONDS:.1f}, {SOON.most:.1f}, {needed * STEP:.1f}"
    assert answer.result.statistics["engines_s"] == told


def test_who_proves_for_long_waits_for_another_hunt(clock: Clock) -> None:
    """And what that finds ends both."""
    hunts = Hunting(1e9, clock, besides=50)
    facts, proves = prover(1e9, clock)
    tree = engine("tree", unsupported, closed=False)
    limits = Limits(time=40.0, started=clock())
    answer = run(tree, proves, hunter(hunts), p=WIDE, limits=limits)
    assert answer.engine == "hunter"
    assert hunts.reached == [pytest.approx(turns._BEFORE_PAUSE / STEP, abs=2), 50]
    assert facts.reached == [pytest.approx(turns._BEFORE_SECOND / STEP, abs=2)]


def test_in_its_pause_a_turn_is_not_over(clock: Clock) -> None:
    """Nor just behind it: a watchdog looks at the limits before the pause is counted."""
    left: list[float] = []

    def ask() -> None:
        clock.pause(100.0)
        left.append(limits.left)

    whole = Limits(time=1000.0, started=clock())
    share = Share(whole, lambda _: None, 3.0, processor=True, pause=SearchPause(0.1, ask))
    limits = share.limits
    clock.pause(0.2)
    share.listen(Statistics())
    assert left[0] > 3.0
    assert (share.used, limits.left) == (pytest.approx(0.2), pytest.approx(2.8))


def test_nobody_waits_for_a_hunt_that_is_quick(clock: Clock) -> None:
    hunts = Hunting(15, clock)
    facts, proves = prover(1, clock)
    tree = engine("tree", unsupported, closed=False)
    limits = Limits(time=40.0, started=clock())
    answer = run(tree, proves, hunter(hunts), p=WIDE, limits=limits)
    assert (answer.engine, facts.reached) == ("hunter", [])


def test_a_hunt_waits_once_and_for_nobody_without_a_rule(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "chosen", lambda _: Rule("late", lambda _: True, 0.5, 0.0))
    hunts = Hunting(500, clock)
    facts, proves = prover(1, clock)
    tree = engine("tree", unsupported, closed=False)
    limits = Limits(time=40.0, started=clock())
    answer = run(tree, proves, hunter(hunts), p=WIDE, limits=limits)
    assert (answer.engine, facts.reached) == ("hunter", [])


def test_states_that_take_long_are_not_waited_for(clock: Clock) -> None:
    states = Counting(1e9, lambda _: clock.pause(0.01 if len(states.reached) == 2 else 0.0))
    hunts = Hunting(60, clock)
    tree = engine("tree", unsupported, closed=False)
    engines = engine("states", states), tree, hunter(hunts)
    answer = run(*engines, p=counter(1), limits=Limits(time=40.0, started=clock()))
    assert (answer.engine, hunts.reached) == ("hunter", [60])
    assert states.reached[1] == pytest.approx(turns._SLICE_SECONDS / 0.01, abs=2)


def test_what_looks_finite_is_enumerated_further_while_a_hunt_waits(clock: Clock) -> None:
    needed = turns._SLICE + 1000
    hunts, states = Hunting(1e9, clock), Counting(needed, lambda _: None)
    tree = engine("tree", unsupported, closed=False)
    engines = engine("states", states), tree, hunter(hunts)
    answer = run(*engines, p=counter(1), limits=Limits(time=40.0, started=clock()))
    assert (answer.engine, states.reached) == ("states", [turns._SLICE, needed])
    assert hunts.reached == [pytest.approx(turns._BEFORE_PAUSE / STEP, abs=2)]


def test_a_real_hunt_that_has_waited_finds_what_it_finds_without() -> None:
    """It goes on with the same executions, and what it waited for is no part of its seconds."""
    p = program(
        code("main", 'r := any "in"', "assume (r % 3) == 5", 'fail "unreach-call" "end"', r="i32")
    )
    asked = Config.of(Path()).but(engine="hunt", hunt_steps=2_000, hunt_seconds=0.5, core="python")
    without = hunt(p, asked, Limits())[ASKED].statistics["hunt"]
    limits = Limits()

    def waits(_: Statistics) -> None:
        began = process_time()
        while process_time() < began + 0.6:
            pass
        limits.extension.seconds += process_time() - began

    found = hunt(p, asked, limits, waits)[ASKED]
    assert limits.extension.seconds >= 0.6
    assert found.statistics["hunt"] == without


@pytest.mark.parametrize(
    ("created", "threads", "finite", "waits"),
    [
        (None, None, False, True),
        (10_000, None, False, True),
        (10_000, None, True, True),
        (5, None, False, False),
        (5, None, True, False),
        (None, 3, False, False),
    ],
)
def test_for_which_programs_the_hunt_waits_for_facts(
    created: int | None, threads: int | None, finite: bool, waits: bool
) -> None:
    features = ProgramFeatures(finite, True, 1, 0, threads, created)
    assert (chosen(features).soon is not None) is waits
