"""Engines in turn: who begins, who stops when, and what is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from abpress.config import Config
from abpress.engines.table import Engine
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.proof.write import TreeView
from abpress.properties import Aspect, Variant
from abpress.reductions.entry import Family, Insight
from abpress.result import Result, Soundness, Verdict, proved, undecided, violated
from abpress.search import limits as limits_module
from abpress.search.limits import Interrupt, Limits, Watch
from abpress.search.statistics import MOST_THREADS, Statistics
from abpress.verify import rations, turn, turns, watchdog
from abpress.verify import share as share_module
from abpress.verify.choice import CROWDS, RULES, FactsShare, ProgramFeatures, Rule, chosen
from abpress.verify.load import Loaded
from abpress.verify.turn import Decision
from abpress.verify.turns import decide
from tests.engines.programs import code, counter, program

CONFIG = Config.of(Path())
WIDE = program(code("main", 'r := any "in"', 'exit "end"', r="i32"))

Search = Callable[[Program, Config, Limits, Callable[[Statistics], None], Soundness], Result]


ASKED = CONFIG.question.named


def engine(name: str, search: Search, closed: bool = True, turn: int = 10) -> Engine:
    def each(*arguments: Any) -> dict[str, Result]:
        return {ASKED: search(*arguments)}

    everything = frozenset(Aspect), frozenset(Insight)
    return Engine(name, "", each, *everything, (Family.STATIC,), turn, closed, "none")


class Same:
    """One program, whatever is asked of it."""

    def __init__(self, program: Program, assumptions: tuple[str, ...] = ()) -> None:
        self.loaded = Loaded(program, {}, assumptions)

    def of(self, names: Sequence[str], *, lean: bool = False) -> Loaded:
        return self.loaded

    def variant(self, names: Sequence[str]) -> Variant:
        return Variant()

    def together(self, a: str, b: str) -> bool:
        return True


def says(verdict: Verdict) -> Search:
    def search(
        program: Program,
        config: Config,
        limits: Limits,
        progress: Callable[[Statistics], None],
        soundness: Soundness,
    ) -> Result:
        if verdict is Verdict.TRUE:
            return proved(ASKED, soundness, True, {"n": 1})
        if verdict is Verdict.FALSE:
            return violated(ASKED, soundness, "because", "a trace", {"n": 2})
        return undecided(ASKED, "no idea", {"n": 3})

    return search


def unsupported(*_: object) -> Result:
    raise UnsupportedError("construct: not supported")


class Counting:
    """Explores a state per poll, and proves at a given number of them. Mutable."""

    def __init__(self, needed: float, pause: Callable[[float], None] = sleep) -> None:
        self.needed = needed
        self.pause = pause
        self.reached: list[int] = []

    def __call__(
        self,
        program: Program,
        config: Config,
        limits: Limits,
        progress: Callable[[Statistics], None],
        soundness: Soundness,
    ) -> Result:
        soundness.lose("this search has lost something")
        statistics = Statistics()
        watch = Watch(limits)
        self.reached.append(0)
        while statistics.states < self.needed:
            statistics.states += 1
            self.reached[-1] = statistics.states
            progress(statistics)
            if limits.time is not None:
                self.pause(0.005)
            if (stop := watch(statistics)) is not None:
                return undecided(ASKED, stop.text)
        return proved(ASKED, Soundness(), True, {})


def run(*engines: Engine, p: Program | None = None, limits: Limits | None = None) -> Decision:
    limits = Limits() if limits is None else limits
    programs = Same(p or counter(1), ("a",))
    return decide(engines, programs, CONFIG, limits, lambda _: None)[ASKED]


@pytest.mark.parametrize(("p", "first"), [(counter(1), "tables"), (WIDE, "trees")])
def test_the_engine_made_for_the_program_begins(p: Program, first: str) -> None:
    tables = engine("tables", says(Verdict.TRUE), closed=True)
    trees = engine("trees", says(Verdict.TRUE), closed=False)
    for order in ((tables, trees), (trees, tables)):
        assert run(*order, p=p).engine == first


@pytest.mark.parametrize("verdict", [Verdict.TRUE, Verdict.FALSE])
@pytest.mark.parametrize("other", [says(Verdict.UNKNOWN), unsupported])
def test_the_next_engine_decides(verdict: Verdict, other: Search) -> None:
    answer = run(engine("a", other), engine("b", says(verdict)))
    assert (answer.engine, answer.result.verdict) == ("b", verdict)
    account = answer.result.statistics["engines"]
    assert isinstance(account, str)
    why = "construct: not supported" if other is unsupported else "no idea"
    assert account == f"a unknown ({why}), b {verdict.value}"
    assert re.fullmatch(r"\d+\.\d, \d+\.\d", str(answer.result.statistics["engines_s"]))
    assert answer.result.statistics["n"] == (1 if verdict is Verdict.TRUE else 2)


def test_nobody_knows() -> None:
    answer = run(engine("a", says(Verdict.UNKNOWN)), engine("b", unsupported))
    assert answer.engine is None
    assert answer.result.reason == "a: no idea; b: construct: not supported"


def test_nobody_is_asked_where_all_executions_were_looked_at() -> None:
    def looked(*_: object) -> Result:
        return replace(undecided(ASKED, "undefined behaviour", {}), exhausted=True)

    answer = run(engine("a", looked), engine("b", says(Verdict.FALSE)))
    assert answer.result.verdict is Verdict.UNKNOWN
    assert answer.result.statistics["engines"] == "a unknown (undefined behaviour)"


def test_nobody_supports_it() -> None:
    with pytest.raises(UnsupportedError, match="construct"):
        run(engine("a", unsupported), engine("b", unsupported))
    with pytest.raises(UnsupportedError, match="construct"):
        run(engine("a", unsupported))


def test_a_single_engine_has_no_account() -> None:
    answer = run(engine("a", says(Verdict.UNKNOWN)))
    assert answer.engine == "a"
    assert answer.result == undecided(ASKED, "no idea", {"n": 3})


def test_turns_grow_without_a_limit_of_time() -> None:
    a, b = Counting(500), Counting(10_000)
    answer = run(engine("a", a, turn=10), engine("b", b, turn=20))
    assert (answer.engine, answer.result.verdict) == ("a", Verdict.TRUE)
    assert a.reached == [10, 80, 500]
    assert b.reached == [20, 160]


def test_the_last_engine_that_may_help_has_no_bound() -> None:
    a = Counting(10_000)
    answer = run(engine("a", a, turn=10), engine("b", says(Verdict.UNKNOWN)))
    assert (answer.engine, answer.result.verdict) == ("a", Verdict.TRUE)
    assert a.reached == [10, 10_000]


class Clock:
    """A time that goes on only while somebody pauses. Mutable."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds


def clock_of_turns(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of limits and turns."""
    its = Clock()
    for module in (limits_module, rations, share_module, watchdog):
        monkeypatch.setattr(module, "monotonic", its)
        if module is not watchdog:
            monkeypatch.setattr(module, "processor_time", its)
    return its


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return clock_of_turns(monkeypatch)


def test_shares_of_the_time(clock: Clock) -> None:
    a, b = Counting(1e9, clock.pause), Counting(1e9, clock.pause)
    answer = run(engine("a", a), engine("b", b), limits=Limits(time=1.0, started=clock()))
    assert answer.result.reason == "time limit of 1 s"
    account = str(answer.result.statistics["engines"])
    rule = chosen(ProgramFeatures.of(counter(1), CONFIG.bounds.input_domain))
    share = f"{rule.first:.1f} s"
    assert account.startswith(f"a unknown (its share of {share} is over)"), account
    assert (len(a.reached), len(b.reached)) == (1, 1)


def test_the_first_engine_has_the_time_that_the_second_leaves(clock: Clock) -> None:
    a = Counting(1e9, clock.pause)
    limits = Limits(time=3.0, started=clock())
    answer = run(engine("a", a), engine("b", unsupported), limits=limits)
    assert answer.result.reason == "time limit of 3 s"
    assert len(a.reached) == 2


@pytest.mark.parametrize("needed", [60, 1e9])
def test_late_facts_may_take_a_part_of_what_was_used(
    needed: float, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are not asked before the others, as nothing was used yet."""
    rule = Rule("facts", lambda _: True, 0.35, 0.0, FactsShare(1.0, 0.6))
    monkeypatch.setattr(turns, "chosen", lambda _: rule)
    facts, states = Counting(needed, clock.pause), Counting(1e9, clock.pause)
    its = replace(engine("facts", facts), families=(), proves=frozenset({ASKED}))
    late = replace(its, late=frozenset({ASKED}))
    limits = Limits(time=40.0, started=clock())
    answer = run(late, engine("states", states), engine("tree", unsupported), limits=limits)
    assert (answer.engine == "facts") is (needed == 60)
    first = facts.reached[0]
    assert first == 60 or 0.2 * states.reached[0] < first <= states.reached[0] + 1


def test_late_facts_have_some_time_where_little_was_used(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = Rule("facts", lambda _: True, 0.0025, 0.0, FactsShare(1.0, 0.6, least=0.8))
    monkeypatch.setattr(turns, "chosen", lambda _: rule)
    facts, states = Counting(1e9, clock.pause), Counting(1e9, clock.pause)
    its = replace(engine("facts", facts), families=(), proves=frozenset({ASKED}))
    late = replace(its, late=frozenset({ASKED}))
    run(late, engine("states", states), limits=Limits(time=40.0, started=clock()))
    assert states.reached[0] == pytest.approx(0.1 / 0.005, abs=2)
    assert facts.reached[0] == pytest.approx(0.8 / 0.005, abs=2)


def test_a_short_turn_has_no_more_seconds(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = Rule("short", lambda _: True, 0.5, 0.0, again=0.5, short=0.8)
    monkeypatch.setattr(turns, "chosen", lambda _: rule)
    tree, states = Counting(1e9, clock.pause), Counting(1e9, clock.pause)
    engines = engine("tree", tree, closed=False), engine("states", states)
    run(*engines, p=WIDE, limits=Limits(time=40.0, started=clock()))
    assert tree.reached[0] == pytest.approx(0.8 / 0.005, abs=2)
    assert tree.reached[1] > 10 * tree.reached[0]


def test_late_facts_are_not_asked_again_for_less_time(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = Rule("facts", lambda _: True, 0.25, 0.0, FactsShare(None, 0.5))
    monkeypatch.setattr(turns, "chosen", lambda _: rule)
    facts, states = Counting(1e9, clock.pause), Counting(1e9, clock.pause)
    its = replace(engine("facts", facts), families=(), proves=frozenset({ASKED}))
    late = replace(its, late=frozenset({ASKED}))
    run(late, engine("a", states), limits=Limits(time=4.0, started=clock()))
    assert len(facts.reached) == 1 < len(states.reached)
    assert facts.reached[0] == pytest.approx(2.0 / 0.005, rel=0.1)


@pytest.mark.parametrize(("threads", "crowd"), [(64, False), (65, True)])
def test_where_a_hunt_meets_a_crowd_the_tree_has_little_time(
    threads: int, crowd: bool, clock: Clock
) -> None:
    """And who solves clauses has none: the next hunt has what they leave."""
    hunted: list[float] = []

    def hunts(program: Program, config: Config, *_: object) -> Result:
        hunted.append(config.search.hunt_seconds or 0.0)
        return undecided(ASKED, "no idea", {MOST_THREADS: threads})

    hunter = replace(engine("hunter", hunts), families=(), hunts=True)
    tree, clauses = Counting(1e9, clock.pause), Counting(1e9, clock.pause)
    solver = replace(
        engine("solver", clauses, closed=False),
        families=(),
        proves=frozenset({ASKED}),
        clauses=True,
    )
    engines = engine("tree", tree, closed=False), engine("states", unsupported), hunter, solver
    run(*engines, p=WIDE, limits=Limits(time=4.0, started=clock()))
    share = CROWDS.first if crowd else RULES[-1].first
    assert tree.reached[0] == pytest.approx(share * 4.0 / 0.005, rel=0.1)
    assert bool(clauses.reached) is not crowd
    assert len(hunted) > 1


def test_a_rule_may_shorten_the_first_hunt(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    hunted: dict[float, float] = {}
    for part in (1.0, 0.25):
        rule = Rule("hunted", lambda _: True, 0.5, 0.0, hunt=part)
        monkeypatch.setattr(turns, "chosen", lambda _, rule=rule: rule)

        def hunts(program: Program, config: Config, *_: object, part: float = part) -> Result:
            hunted.setdefault(part, config.search.hunt_seconds or 0.0)
            return undecided(ASKED, "no idea")

        hunter = replace(engine("hunter", hunts), families=(), hunts=True)
        tree = engine("tree", Counting(10, clock.pause), closed=False)
        states = engine("states", unsupported)
        run(tree, states, hunter, p=WIDE, limits=Limits(time=4.0, started=clock()))
    assert hunted[0.25] == pytest.approx(0.25 * hunted[1.0], rel=0.1)
    assert hunted[1.0] > 0


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (
            Rule("short", lambda _: True, 0.1, 0.5, again=0.75),
            [("tree", 0.1), ("solver", 0.45), ("tree", 0.3375), ("states", 0.1125)],
        ),
        (
            Rule("clauses", lambda _: True, 0.5, 0.6, clauses_first=True),
            [("solver", 0.6), ("tree", 0.2), ("states", 0.2)],
        ),
    ],
    ids=["short first turn", "clauses first"],
)
def test_a_rule_says_who_has_how_much_time_and_when(
    rule: Rule,
    expected: list[tuple[str, float]],
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "chosen", lambda _: rule)
    asked: list[tuple[str, float]] = []

    def uses_all(name: str) -> Search:
        def search(program: Program, config: Config, limits: Limits, *rest: Any) -> Result:
            asked.append((name, limits.left))
            return Counting(1e9, clock.pause)(program, config, limits, *rest)

        return search

    solver = replace(
        engine("solver", uses_all("solver"), closed=False),
        families=(),
        proves=frozenset({ASKED}),
        clauses=True,
    )
    tree = engine("tree", uses_all("tree"), closed=False)
    states = engine("states", uses_all("states"))
    run(tree, states, solver, p=WIDE, limits=Limits(time=10.0, started=clock()))
    assert [name for name, _ in asked] == [name for name, _ in expected]
    had = [seconds for _, seconds in asked]
    assert had == pytest.approx([10.0 * share for _, share in expected], abs=0.2)


def test_a_first_engine_that_gives_up_leaves_its_second_turn_to_the_others(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = Rule("short", lambda _: True, 0.1, 0.5, again=0.5)
    monkeypatch.setattr(turns, "chosen", lambda _: rule)
    tree, states = engine("tree", says(Verdict.UNKNOWN), closed=False), Counting(300, clock.pause)
    run(tree, engine("states", states), p=WIDE, limits=Limits(time=2.0, started=clock()))
    assert states.reached == [300]


def test_late_facts_have_all_the_time_where_nobody_else_is_asked(clock: Clock) -> None:
    facts = Counting(60, clock.pause)
    its = replace(engine("facts", facts), families=(), proves=frozenset({ASKED}))
    late = replace(its, late=frozenset({ASKED}))
    hunter = replace(engine("hunter", says(Verdict.UNKNOWN)), families=(), hunts=True)
    answer = run(late, hunter, limits=Limits(time=40.0, started=clock()))
    assert (answer.engine, facts.reached) == ("facts", [60])


@pytest.mark.parametrize("time", [None, 30.0])
def test_an_interrupt_ends_all(time: float | None) -> None:
    interrupt = Interrupt()
    b = Counting(1e9)

    class Interrupted(Counting):
        def __call__(self, *arguments) -> Result:  # type: ignore[no-untyped-def]
            interrupt.requested = True
            return super().__call__(*arguments)

    limits = Limits(time=time, interrupt=interrupt)
    answer = run(engine("a", Interrupted(1e9)), engine("b", b), limits=limits)
    assert (answer.engine, answer.result.reason) == (None, "interrupted")
    assert b.reached == []


def test_memory_of_one_engine() -> None:
    def large(*_: object) -> Result:
        raise MemoryError

    answer = run(engine("a", large), engine("b", says(Verdict.TRUE)))
    assert answer.engine == "b"
    assert "a unknown (out of memory)" in str(answer.result.statistics["engines"])


@pytest.mark.parametrize(("time", "pause"), [(10.0, 0.0), (2.0, 0.01)])
def test_a_search_that_ignores_its_share_is_ended(
    time: float, pause: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its processor time, or where it uses none by the clock, while others may follow."""
    monkeypatch.setattr(turns, "chosen", lambda _: Rule("short", lambda _: True, 0.05, 0.0))

    def deaf(*_: object) -> Result:
        while True:
            if pause:
                sleep(pause)

    limits = Limits(time=time)
    answer = run(engine("a", deaf), engine("b", says(Verdict.TRUE)), limits=limits)
    assert answer.engine == "b"
    assert limits.left > 0
    used = float(str(answer.result.statistics["engines_s"]).split(",")[0])
    assert used >= 1.0 if pause == 0.0 else used < 0.5


def test_a_busy_machine_shares_out_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the clock three times as much passes, and for each engine still the same."""
    quiet, busy = Clock(), Clock()

    def pause(seconds: float) -> None:
        quiet.pause(seconds)
        busy.pause(3 * seconds)

    for module in (limits_module, rations, share_module):
        monkeypatch.setattr(module, "processor_time", quiet)
    for module in (limits_module, rations, share_module, watchdog):
        monkeypatch.setattr(module, "monotonic", busy)
    monkeypatch.setattr(turns, "chosen", lambda _: Rule("short", lambda _: True, 0.1, 0.0))
    a, b = Counting(1e9, pause), Counting(1e9, pause)
    run(engine("a", a), engine("b", b), limits=Limits(time=4.0, started=busy()))
    assert a.reached[0] == pytest.approx(0.1 * 4.0 / 0.005, rel=0.1)
    assert b.reached[0] > a.reached[0]


def test_a_busy_machine_leaves_time_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is much slower an engine has no more than half of what it leaves them."""
    quiet, busy = Clock(), Clock()

    def pause(seconds: float) -> None:
        quiet.pause(seconds)
        busy.pause(50 * seconds)

    for module in (limits_module, rations, share_module):
        monkeypatch.setattr(module, "processor_time", quiet)
    for module in (limits_module, rations, share_module, watchdog):
        monkeypatch.setattr(module, "monotonic", busy)
    monkeypatch.setattr(turns, "chosen", lambda _: Rule("long", lambda _: True, 0.5, 0.0))
    a, b = Counting(1e9, pause), Counting(1e9, pause)
    run(engine("a", a), engine("b", b), limits=Limits(time=40.0, started=busy()))
    assert a.reached[0] == pytest.approx(0.75 * 40.0 / 0.25, rel=0.1)
    assert b.reached[0] > 0


def test_a_search_that_ignored_its_share_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "chosen", lambda _: Rule("short", lambda _: True, 0.05, 0.0))
    asked = []

    def forgets(*arguments: Any) -> Result:
        asked.append(1)
        while len(asked) == 1:
            sleep(0.01)
        return says(Verdict.TRUE)(*arguments)

    answer = run(engine("a", forgets), engine("b", says(Verdict.UNKNOWN)), limits=Limits(time=30.0))
    assert (answer.engine, len(asked)) == ("a", 2)


def proves(p: Program, config: Config, *rest: object) -> tuple[dict[str, Result], TreeView | None]:
    """A proof with something to be checked."""
    tree: Any = object()
    return {ASKED: proved(ASKED, Soundness(), True, {"n": 1})}, tree


def checks(monkeypatch: pytest.MonkeyPatch, seconds: float, interrupt: Interrupt) -> None:
    """Lets checks of proofs take that long, and lets the user interrupt them."""

    def certified(*_: object) -> str:
        interrupt.requested = True
        for _ in range(round(seconds / 0.01)):
            sleep(0.01)
        return "a certificate"

    monkeypatch.setattr(turn, "certified", certified)


def test_a_check_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    checks(monkeypatch, 10.0, Interrupt())
    prover = replace(engine("a", unsupported), prove=proves)
    answer = run(prover, limits=Limits(time=0.3))
    reason = "time limit of 0.3 s, while the proof was checked"
    assert answer.result == undecided("unreach-call", reason, {"n": 1})


def test_a_check_that_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits()
    checks(monkeypatch, 10.0, limits.interrupt)
    answer = run(replace(engine("a", unsupported), prove=proves), limits=limits)
    reason = "interrupted, while the proof was checked"
    assert answer.result == undecided("unreach-call", reason, {"n": 1})


def test_a_check_may_take_longer_than_the_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "chosen", lambda _: Rule("short", lambda _: True, 0.01, 0.0))
    checks(monkeypatch, 1.0, Interrupt())
    prover = replace(engine("a", unsupported), prove=proves)
    answer = run(prover, engine("b", unsupported), limits=Limits(time=60.0))
    assert (answer.engine, answer.result.verdict) == ("a", Verdict.TRUE)
    assert answer.certificate == "a certificate"


@pytest.mark.parametrize(("asked", "solves"), [(WIDE, True), (counter(1), False)])
def test_clauses_are_solved_when_the_tree_has_had_its_turn(asked: Program, solves: bool) -> None:
    """Only for programs that do not look finite, and before whoever enumerates goes on."""
    order = []

    def named(name: str, verdict: Verdict) -> Search:
        def search(*arguments: Any) -> Result:
            order.append(name)
            return says(verdict)(*arguments)

        return search

    solver = replace(
        engine("solver", named("solver", Verdict.TRUE), closed=False),
        families=(),
        proves=frozenset({ASKED}),
        clauses=True,
    )
    engines = [
        engine("states", named("states", Verdict.UNKNOWN)),
        engine("tree", named("tree", Verdict.UNKNOWN), closed=False),
        solver,
    ]
    found = decide(engines, Same(asked), CONFIG, Limits(time=60.0), lambda _: None)
    decision = found[ASKED]
    if solves:
        assert order == ["tree", "solver"]
        assert (decision.engine, decision.result.verdict) == ("solver", Verdict.TRUE)
    else:
        assert order == ["states", "tree"]
        assert decision.result.verdict is Verdict.UNKNOWN
