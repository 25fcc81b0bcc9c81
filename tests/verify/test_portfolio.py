"""Engines side by side: answers, news, contradictions, workers that die, limits."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from abpress.cli.main import perform
from abpress.config import Config
from abpress.engines.table import ENGINES, Engine, EngineKind
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.parallel.crew import Crew, Gone, Line
from abpress.result import Result, Soundness, Verdict, proved, undecided, violated
from abpress.search import limits as limits_module
from abpress.search.limits import Interrupt, Limits, Watch, resident_memory
from abpress.search.statistics import Statistics
from abpress.verify.account import ContradictionError
from abpress.verify.certify import check_proof
from abpress.verify.load import Programs
from abpress.verify.parts import PARTS, WHOLE, parts_of
from abpress.verify.portfolio import NO_MORE, decide_together
from abpress.verify.run import verify
from abpress.verify.turn import ASKED_ANEW, Decision
from tests.engines.programs import counter
from tests.verify.test_alarms import LOCKED, UNLOCKED, written
from tests.verify.test_turns import Same, engine

Say = Callable[[str, Config, Limits, Callable[[Statistics], None]], Result]
"""What a forged engine says of a property."""

BOTH = ("unreach-call", "no-deadlock")


def forged(name: str, closed: bool, say: Say) -> Engine:
    def search(
        program: Program,
        config: Config,
        limits: Limits,
        progress: Callable[[Statistics], None],
        soundness: Soundness,
    ) -> dict[str, Result]:
        return {n: say(n, config, limits, progress) for n in config.question.properties}

    return replace(engine(name, lambda *_: undecided("", ""), closed), search=search)


def true(name: str, *_: object) -> Result:
    return proved(name, Soundness(), True, {"n": 1})


def false(name: str, *_: object) -> Result:
    return violated(name, Soundness(), "because", "a trace", {"n": 2})


def unknown(name: str, *_: object) -> Result:
    return undecided(name, "no idea")


def deaf(*_: object) -> Result:
    """Never comes to an end by itself."""
    while True:
        sleep(0.01)


def late(say: Say, seconds: float = 0.3) -> Say:
    def its(*arguments: Any) -> Result:
        sleep(seconds)
        return say(*arguments)

    return its


def beginning(begun: Path, say: Say) -> Say:
    """Lets others know that it is asked."""

    def its(*arguments: Any) -> Result:
        begun.touch()
        return say(*arguments)

    return its


def after(begun: Path, say: Say) -> Say:
    """Says nothing before another one is asked."""

    def its(*arguments: Any) -> Result:
        while not begun.exists():
            sleep(0.01)
        return say(*arguments)

    return its


def side_by_side(folder: Path, one: Say, other: Say) -> tuple[Say, Say]:
    """Neither says anything before both are asked."""
    its, others = folder / "one", folder / "other"
    return beginning(its, after(others, one)), beginning(others, after(its, other))


def only(first: str, say: Say) -> Say:
    """Says nothing of other properties."""
    return lambda name, *rest: say(name, *rest) if name == first else unknown(name)


def run(
    states: Say,
    tree: Say,
    *names: str,
    limits: Limits | None = None,
    more: Sequence[Engine] = (),
) -> dict[str, Decision]:
    """The decisions of two workers, one of which asks `states` and the other one `tree`."""
    engines = (*more, forged("states", True, states), forged("tree", False, tree))
    config = Config.of(Path(), properties=names or ("unreach-call",), workers=2)
    limits = Limits() if limits is None else limits
    found = decide_together(engines, Same(counter(1)), config, limits, lambda _: None)
    assert children() == []
    return found


def one(states: Say, tree: Say, **options: Any) -> Decision:
    return run(states, tree, **options)["unreach-call"]


def children() -> list[int]:
    """The processes that this one has started in the test, and that are there."""
    return sorted(_all_children() - _OTHERS)


def _all_children() -> set[int]:
    tasks = Path(f"/proc/{os.getpid()}/task")
    if not tasks.is_dir():
        pytest.skip("there is no /proc")
    return {int(p) for task in tasks.iterdir() for p in (task / "children").read_text().split()}


_OTHERS: set[int] = set()
"""Processes of other tests, which may stay: multiprocessing has one that tracks resources."""


@pytest.fixture(autouse=True)
def _others() -> None:
    _OTHERS.clear()
    _OTHERS.update(_all_children())


# -- who asks what ------------------------------------------------------------------------------


def test_every_engine_of_auto_is_asked_by_somebody() -> None:
    for workers, parts in PARTS.items():
        assert len(parts) == workers
        assert {kind for part in parts for kind in part.asks} == set(EngineKind)
        assert all(part.options or part.searches or part.hunts_first for part in parts)
        seeds = [part.seeds for part in parts if EngineKind.HUNT in part.asks]
        assert len(set(seeds)) == len(seeds)


def test_more_workers_hunt() -> None:
    engines = tuple(e for e in ENGINES.values() if e.auto)
    parts = parts_of(8, engines)
    assert [part.searches for part in parts[-4:]] == [False] * 4
    assert len({part.seeds for part in parts}) == 8
    assert parts_of(1, engines) == (WHOLE,)


def test_parts_that_nobody_can_take_are_left_out() -> None:
    assert [part.name for part in parts_of(3, [ENGINES["explicit"]])] == ["states"]


# -- answers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("say", "verdict"), [(true, Verdict.TRUE), (false, Verdict.FALSE)])
def test_the_first_answer_ends_the_others(say: Say, verdict: Verdict, tmp_path: Path) -> None:
    one_begun, other_begun = tmp_path / "one", tmp_path / "other"
    for answer in (
        one(after(one_begun, say), beginning(one_begun, deaf)),
        one(beginning(other_begun, deaf), after(other_begun, say)),
    ):
        assert answer.result.verdict is verdict
        assert answer.result.statistics["workers"] == 2
        assert NO_MORE in str(answer.result.statistics["engines"])
    assert [one(say, deaf).engine, one(deaf, say).engine] == ["states", "tree"]


def test_who_gives_up_leaves_the_others_alone() -> None:
    assert one(unknown, late(true)).engine == "tree"
    assert one(late(true), unknown).engine == "states"


def test_nobody_knows() -> None:
    answer = one(unknown, late(lambda name, *_: undecided(name, "too hard"), 0.1))
    assert answer.engine is None
    assert set(answer.result.reason.split("; ")) == {"states: no idea", "tree: too hard"}


def test_nobody_supports_it() -> None:
    def unsupported(*_: object) -> Result:
        raise UnsupportedError("construct: not supported")

    with pytest.raises(UnsupportedError, match="construct"):
        run(unsupported, unsupported)
    assert one(unsupported, late(true)).engine == "tree"


def test_each_property_has_the_first_answer() -> None:
    found = run(only(BOTH[0], true), only(BOTH[1], false), *BOTH)
    assert [(found[n].engine, found[n].result.verdict) for n in BOTH] == [
        ("states", Verdict.TRUE),
        ("tree", Verdict.FALSE),
    ]


def test_what_is_settled_is_asked_no_more_where_that_is_less_to_do(tmp_path: Path) -> None:
    lead, other, begun = "valid-memtrack", "no-deadlock", tmp_path / "begun"

    def polls(name: str, config: Config, limits: Limits, progress: Any) -> Result:
        if lead not in config.question.properties:
            return proved(name, Soundness(), True, {"asked": config.question.named})
        watch = Watch(limits, progress)
        while (stop := watch(Statistics())) is None:
            sleep(0.01)
        return undecided(name, stop.text)

    found = run(after(begun, only(lead, true)), beginning(begun, polls), lead, other)
    assert found[lead].engine == "states"
    assert found[other].result.statistics["asked"] == other
    assert ASKED_ANEW in str(found[other].result.statistics["engines"])


# -- contradictions -----------------------------------------------------------------------------


@pytest.mark.parametrize(("states", "tree"), [(false, true), (true, false)])
def test_a_contradiction_is_loud(states: Say, tree: Say, tmp_path: Path) -> None:
    name = BOTH[0]
    both = side_by_side(tmp_path, only(name, states), only(name, tree))
    with pytest.raises(ContradictionError, match=f"{name}: .* says .*, and .* says"):
        run(*both, *BOTH)
    assert children() == []


def test_a_contradiction_is_an_internal_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "program.c"
    file.write_text("void reach_error(void); int main(void) { reach_error(); return 0; }")
    both = side_by_side(tmp_path, only(BOTH[0], false), late(only(BOTH[0], true)))
    for name, its in zip(("explicit", "abpress"), both, strict=True):
        engine = forged(name, name == "explicit", its)
        monkeypatch.setitem(ENGINES, name, engine)  # type: ignore[arg-type]
    for name in ("static", "horn", "hunt"):  # else the false answer is told before the tree begins
        monkeypatch.delitem(ENGINES, name)  # type: ignore[arg-type]
    names = [f"--property={name}" for name in BOTH]
    status = perform(["verify", str(file), *names, "--workers=2", "--time-limit=50", "--quiet"])
    said = capsys.readouterr()
    assert status == 4
    assert "internal error" in said.err
    assert "abpress says true" in said.err
    assert "unknown (internal error" in said.out
    assert "false(" not in said.out, "what is contradicted is not told"


# -- workers that die or fail ---------------------------------------------------------------------


def dies(*_: object) -> Result:
    os.kill(os.getpid(), signal.SIGKILL)
    return deaf()


def test_a_worker_that_dies_is_a_reason() -> None:
    assert one(dies, late(true)).engine == "tree"
    answer = one(dies, unknown)
    assert answer.result.verdict is Verdict.UNKNOWN
    assert "states: its worker is gone: it was ended by SIGKILL" in answer.result.reason
    both = one(dies, dies)
    assert both.result.reason == "its worker is gone: it was ended by SIGKILL"


def test_a_worker_that_fails_is_an_internal_error() -> None:
    def wrong(*_: object) -> Result:
        raise AssertionError("this cannot be")

    with pytest.raises(AssertionError, match="this cannot be") as raised:
        run(wrong, deaf)
    assert "in wrong" in "".join(raised.value.__notes__)
    assert children() == []


@pytest.mark.parametrize(
    ("error", "why"), [(MemoryError, "out of memory"), (RecursionError, "nested too deeply")]
)
def test_a_lack_of_memory_or_stack_is_a_reason(error: type[Exception], why: str) -> None:
    def lacks(*_: object) -> Result:
        raise error

    assert one(lacks, late(true)).engine == "tree"
    assert why in one(lacks, unknown).result.reason


def test_workers_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    forks = os.fork

    def fork() -> int:
        monkeypatch.setattr(os, "fork", forks)
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", fork)
    answer = one(unknown, true)
    assert (
        answer.result.reason == "proof: its worker is gone: it cannot be started; states: no idea"
    )


# -- limits ---------------------------------------------------------------------------------------


def test_the_time_is_that_of_the_whole_run() -> None:
    answer = one(deaf, deaf, limits=Limits(time=1.0))
    assert answer.result.reason == "time limit of 1 s"


def test_an_interrupt_ends_all() -> None:
    interrupt = Interrupt()
    timer = threading.Timer(0.5, lambda: setattr(interrupt, "requested", True))
    timer.start()
    answer = one(deaf, deaf, limits=Limits(interrupt=interrupt))
    assert answer.result.reason == "interrupted"


def test_memory_is_divided() -> None:
    """Who takes more than its part is ended, and the other one answers."""

    def hoards(name: str, config: Config, limits: Limits, progress: Any) -> Result:
        assert limits.memory is not None
        assert limits.memory < most / 2
        kept = []
        while resident_memory() < 1.15 * limits.memory:
            kept.append(bytes(range(256)) * 65536)
        return deaf()

    own = resident_memory()  # of which workers have their part from the beginning
    most = own + 2 * (own + 100)
    limits = Limits(memory=most)
    assert one(hoards, late(true), limits=limits).engine == "tree"
    reason = one(hoards, unknown, limits=limits).result.reason
    assert "states: memory limit of" in reason or "states: out of memory" in reason


# -- real engines -------------------------------------------------------------------------------

WIDE = """
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *p) { pthread_mutex_lock(&m); x = x < LIMIT ? x + 1 : x; pthread_mutex_unlock(&m);
  return 0; }
int main(void) {
  pthread_t h;
  x = __VERIFIER_nondet_int();
  int before = x;
  pthread_create(&h, 0, t, 0);
  pthread_join(h, 0);
  assert(x >= before CHECK);
  return 0; }
"""


LOCKED_ONLY = """
#include <assert.h>
#include <pthread.h>
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t h;
  pthread_create(&h, 0, t, 0);
  pthread_mutex_lock(&m); x++; assert(x > 0); pthread_mutex_unlock(&m);
  return 0; }
"""


def program(folder: Path, check: str) -> Path:
    file = folder / "wide.c"
    file.write_text(WIDE.replace("LIMIT", "2147483647").replace("CHECK", check))
    return file


@pytest.mark.parametrize(("check", "verdict"), [("", Verdict.TRUE), ("&& x < 5", Verdict.FALSE)])
@pytest.mark.parametrize("workers", [2, 4])
def test_answers_are_those_of_the_engines(
    check: str, verdict: Verdict, workers: int, tmp_path: Path
) -> None:
    config = Config.of(program(tmp_path, check), workers=workers, certificate=True)
    for _ in range(2):
        report = verify(config)
        assert report.result.verdict is verdict
        if verdict is Verdict.TRUE:
            assert report.engine in ("abpress", "horn")
            assert report.certificate is not None
            check_proof(config, report.certificate)
        else:
            assert report.result.trace.steps
    assert children() == []


@pytest.mark.parametrize(("words", "verdict"), [(LOCKED, "true"), (UNLOCKED, "false")])
def test_several_properties(words: dict[str, str], verdict: str, tmp_path: Path) -> None:
    names = ("no-data-race", "no-misuse")
    config = Config.of(written(tmp_path, words), properties=names)
    for workers in (2, 3):
        answers = verify(config.but(workers=workers)).answers
        found = {a.result.property: a.result.verdict.value for a in answers}
        assert found == {"no-data-race": verdict, "no-misuse": "true"}


@pytest.mark.parametrize("takes", [True, False])
def test_alarms_are_handed_to_who_takes_them(takes: bool, tmp_path: Path) -> None:
    over = tmp_path / "facts are over"

    def waits(name: str, config: Config, limits: Limits, progress: Any) -> Result:
        if config.question.alarms:
            return undecided(name, f"{len(config.question.alarms[0].places)} alarms")
        watch, end = Watch(limits, progress), inf
        while (stop := watch(Statistics())) is None and monotonic() < end:
            sleep(0.01)
            if over.exists() and not takes:
                end = min(end, monotonic() + 0.5)
        return undecided(name, "no alarms" if stop is None else stop.text)

    def next_one(name: str, *_: object) -> Result:
        over.touch()
        return unknown(name)

    config = Config.of(written(tmp_path, LOCKED), property="no-data-race", workers=2)
    states = forged("states", True, waits)
    states = replace(states, takes=ENGINES["explicit"].takes if takes else frozenset())
    engines = (ENGINES["static"], states, forged("tree", False, next_one))
    answer = decide_together(engines, Programs(config), config, Limits(), lambda _: None)
    reason = answer["no-data-race"].result.reason
    assert ("states: 2 alarms" if takes else "states: no alarms") in reason


def test_what_needs_no_interleaving_is_handed_on(tmp_path: Path) -> None:
    def waits(name: str, config: Config, limits: Limits, progress: Any) -> Result:
        if config.question.synchronised is not None:
            return undecided(name, f"{len(config.question.synchronised.places)} places")
        watch = Watch(limits, progress)
        while (stop := watch(Statistics())) is None:
            sleep(0.01)
        return undecided(name, stop.text)

    names = ("no-data-race", "unreach-call")
    file = tmp_path / "program.c"
    file.write_text(LOCKED_ONLY)
    config = Config.of(file, properties=names, workers=2)
    states = replace(
        ENGINES["explicit"],
        name="states",
        search=forged("states", True, waits).search,
        explore=None,
    )
    facts = replace(ENGINES["static"], proves=frozenset({"no-data-race"}))
    engines = (facts, states, forged("tree", False, unknown))
    found = decide_together(engines, Programs(config), config, Limits(), lambda _: None)
    assert found["no-data-race"].engine == "static"
    assert re.search(r"states: [1-9]\d* places", found["unreach-call"].result.reason)


def test_a_named_engine_that_searches_alone(tmp_path: Path) -> None:
    file = program(tmp_path, "")
    for name in ("abpress", "hunt", "static"):
        config = Config.of(file, engine=name, workers=2, property="no-data-race")
        with pytest.raises(UnsupportedError, match=f"engine {name}.* searches alone"):
            verify(config)
    config = Config.of(file, engine="stateless", por="source", workers=2)
    assert verify(config).result.statistics["workers"] == 2


def test_progress_is_of_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both search until that has been told."""
    monkeypatch.setattr(limits_module, "PROGRESS_INTERVAL", 0.01)
    enough = tmp_path / "enough"

    def counts(name: str, config: Config, limits: Limits, progress: Any) -> Result:
        while not enough.exists():
            progress(Statistics(states=10))
            sleep(0.02)
        return unknown(name)

    def told(its: Statistics) -> None:
        if its.states == 20 and its.as_dict()["at work"] == "tree, states":
            enough.touch()

    config = Config.of(Path(), workers=2)
    engines = (forged("states", True, counts), forged("tree", False, counts))
    decide_together(engines, Same(counter(1)), config, Limits(time=60.0), told)
    assert enough.exists()


# -- processes ----------------------------------------------------------------------------------


def test_a_crew_hears_each_worker_to_its_end() -> None:
    def echo(line: Line) -> None:
        while True:
            for message in line.heard():
                line.tell(message)
                if message == "end":
                    return
            sleep(0.001)

    with Crew([echo, echo]) as crew:
        for worker in (0, 1):
            for message in (worker, "end"):
                crew.tell(worker, message)
        heard: dict[int, list[object]] = {0: [], 1: []}
        while crew.processes:
            for worker, message in crew.came(0.1):
                heard[worker].append(message)
    assert heard == {0: [0, "end", Gone(0)], 1: [1, "end", Gone(0)]}
    assert children() == []
