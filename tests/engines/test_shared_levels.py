"""Several workers that store states give the answer of one search."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines import levels
from abpress.engines.answer import Explored
from abpress.engines.explicit import explore
from abpress.errors import UnsupportedError
from abpress.parallel.levels import LevelWorker
from abpress.reductions.static.returning import Returning
from abpress.reductions.table import STATEFUL, STATIC
from abpress.result import Verdict
from abpress.search.limits import Interrupt, Limits
from abpress.verify.load import load
from tests.reading import program_of

PROGRAM = """
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
struct node { int value; struct node *next; } *list;
int x, many[MANY];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *add(void *arg) {
    struct node *mine = malloc(sizeof *mine);
    mine->value = many[MANY - 1]++;
    pthread_mutex_lock(&m);
    mine->next = list;
    list = mine;
    pthread_mutex_unlock(&m);
    return arg;
}

void *note(void *arg) {
    x++;
    return arg;
}

void *both(void *arg) {
    pthread_t t;
    pthread_create(&t, 0, arg ? note : add, 0);
    note(0);
    pthread_join(t, 0);
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, both, 0);
    pthread_create(&t[1], 0, both, t);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    if (!list || WRONG) reach_error();
    return 0;
}
"""

ROOT = Path(__file__).parent.parent.parent
LARGE = ROOT / "benchmarks/svcomp/pthread/fib_bench_5_safe.c"

COUNTED = ("states", "transitions", "executions", "complete_executions", "threads")


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers begin as soon as there are a few states."""
    monkeypatch.setattr(levels, "_WIDE", 3)


def config_of(folder: Path, wrong: str = "0", many: int = 1, **options: object) -> Config:
    file = folder / "program.c"
    file.write_text(PROGRAM.replace("WRONG", wrong).replace("MANY", str(many)))
    return Config.of(file, **{"engine": "explicit", "por": "s-por", "core": "python", **options})


def asked(config: Config, limits: Limits | None = None) -> Explored:
    return explore(program_of(config), config, limits or Limits())


@pytest.mark.parametrize("por", STATIC)
def test_the_same_numbers(por: str, tmp_path: Path) -> None:
    one = asked(config_of(tmp_path, por=por))
    three = asked(config_of(tmp_path, por=por, workers=3))
    assert one.result.verdict is three.result.verdict is Verdict.TRUE
    assert one.exhausted and three.exhausted
    for name in COUNTED:
        assert one.result.statistics[name] == three.result.statistics[name]
    assert three.result.statistics["workers"] == 3
    stored = str(three.result.statistics["states_by_worker"]).split(", ")
    assert len(stored) == 3 and "0" not in stored


def test_states_of_many_components(tmp_path: Path) -> None:
    one, two = (asked(config_of(tmp_path, many=1100, workers=workers)) for workers in (1, 2))
    assert one.result.verdict is two.result.verdict is Verdict.TRUE
    for name in COUNTED:
        assert one.result.statistics[name] == two.result.statistics[name]


@pytest.mark.parametrize("keep_going", [False, True])
def test_a_violation_is_replayed(keep_going: bool, tmp_path: Path) -> None:
    one, two, three = (
        asked(config_of(tmp_path, "x < 3", workers=workers, keep_going=keep_going))
        for workers in (1, 2, 3)
    )
    assert one.result.verdict is two.result.verdict is Verdict.FALSE
    assert set(one.violations) == set(two.violations) != set()
    assert two.result.trace.schedule == three.result.trace.schedule
    assert len(two.result.trace.schedule) <= len(one.result.trace.schedule)
    for name in COUNTED:
        assert two.result.statistics[name] == three.result.statistics[name]
    assert three.exhausted is keep_going


@pytest.mark.parametrize(
    "properties", [("no-data-race",), ("valid-deref", "no-deadlock", "valid-memtrack")]
)
def test_other_properties(properties: tuple[str, ...], tmp_path: Path) -> None:
    one, two, three = (
        asked(config_of(tmp_path, properties=properties, keep_going=True, workers=workers))
        for workers in (1, 2, 3)
    )
    assert bool(one.violations) == bool(two.violations)
    assert two.violations == three.violations
    for name, result in one.results.items():
        assert two.results[name].verdict is result.verdict
    assert one.result.statistics["states"] == two.result.statistics["states"]


def test_limits_and_interrupts_end_all_workers() -> None:
    config = Config.of(LARGE, engine="explicit", por="none", workers=2, core="python")
    program = load(config).program
    found = explore(program, config, Limits(states=2_000))
    assert found.result.verdict is Verdict.UNKNOWN
    assert found.result.reason == "its share of states is used up"
    found = explore(program, config, Limits(time=0.3))
    assert (found.result.verdict, found.result.reason) == (Verdict.UNKNOWN, "time limit of 0.3 s")
    found = explore(program, config, Limits(interrupt=Interrupt(requested=True)))
    assert (found.result.verdict, found.result.reason) == (Verdict.UNKNOWN, "interrupted")


@pytest.mark.parametrize("name", STATEFUL)
def test_other_algorithms_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="--workers"):
        asked(config_of(tmp_path, por=name, workers=2))


def test_a_random_order_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="not at random"):
        asked(config_of(tmp_path, order="random", workers=2))


@pytest.mark.parametrize("times", [1, 100])
def test_a_worker_that_is_killed(
    times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All begin again; if that happens again and again, nothing is known."""
    one = asked(config_of(tmp_path))
    level = LevelWorker._level

    def mortal(self: LevelWorker) -> None:
        level(self)
        killed = len(list(tmp_path.glob("killed *")))
        if self._number == 1 and self._search.level > 20 and killed < times:
            (tmp_path / f"killed {killed}").touch()
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(LevelWorker, "_level", mortal)
    three = asked(config_of(tmp_path, workers=3))
    assert list(tmp_path.glob("killed *"))
    if times == 1:
        assert three.result.verdict is Verdict.TRUE
        for name in COUNTED:
            assert three.result.statistics[name] == one.result.statistics[name]
    else:
        assert three.result.verdict is Verdict.UNKNOWN
        assert three.result.reason == "worker 1 has died, 3 times"


IGNORING = ROOT / "tests/programs/litmus/ignoring.c"


def test_nobody_is_put_off_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config.of(IGNORING, engine="explicit", por="s-por", workers=2, core="python")
    assert asked(config).result.verdict is Verdict.FALSE
    monkeypatch.setattr(Returning, "asks_for_all", lambda *_: False)
    assert asked(config).result.verdict is Verdict.TRUE  # wrong without NOTE(returning)
