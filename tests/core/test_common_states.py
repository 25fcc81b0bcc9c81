"""Searches of the native core that have their states in common: NOTE(common-states)."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.core import common_states
from abpress.core.build import find_compiler
from abpress.engines.answer import Explored
from abpress.engines.explicit import explore
from abpress.result import Verdict
from abpress.search.limits import Interrupt, Limits
from abpress.verify.load import load
from tests.engines.test_shared_levels import COUNTED, IGNORING, LARGE, PROGRAM
from tests.parallel.mutants import broken

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no compiler")


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches take turns, and look for work, without waiting."""
    monkeypatch.setattr(common_states, "SLICE", 16)
    monkeypatch.setattr(common_states, "_IDLE", 0)


def asked(file: Path, workers: int, limits: Limits | None = None, **options: object) -> Explored:
    given = {"engine": "explicit", "por": "s-por", "core": "native", **options}
    config = Config.of(file, workers=workers, **given)
    return explore(load(config).program, config, limits or Limits())


def program_in(folder: Path, wrong: str) -> Path:
    file = folder / "program.c"
    file.write_text(PROGRAM.replace("WRONG", wrong).replace("MANY", "1"))
    return file


@pytest.mark.parametrize("por", ["none", "s-por", "heap-reach", "heap-reach+fields"])
def test_the_numbers_of_one_search(por: str, tmp_path: Path) -> None:
    for wrong, verdict in (("0", Verdict.TRUE), ("x < 3", Verdict.FALSE)):
        file = program_in(tmp_path, wrong)
        one, three = (asked(file, workers, por=por, keep_going=True) for workers in (1, 3))
        assert one.result.verdict is three.result.verdict is verdict
        assert set(one.violations) == set(three.violations)
        assert three.result.statistics["core"] == "native"
        for name in COUNTED:
            assert one.result.statistics[name] == three.result.statistics[name]


def test_an_execution_that_violates_ends_all(tmp_path: Path) -> None:
    found = asked(program_in(tmp_path, "x < 3"), 2)
    assert found.result.verdict is Verdict.FALSE and not found.exhausted


def test_limits_and_interrupts_end_all() -> None:
    for limits, reason in (
        (Limits(states=2_000), "its share of states is used up"),
        (Limits(time=0.001), "time limit of 0.001 s"),
        (Limits(interrupt=Interrupt(requested=True)), "interrupted"),
    ):
        assert asked(LARGE, 2, limits, por="none").result.reason == reason


def test_a_state_is_explored_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = program_in(tmp_path, "0")
    right = asked(file, 1, por="none").result.statistics["transitions"]
    line = "    enum added found = table_add(&its->states, c->row);"
    instead = f"{line}\n    if (found == KNOWN && c->steps % 7 == 0) found = ADDED;"
    broken(tmp_path, monkeypatch, "common.c", line, instead)
    wrong = asked(file, 2, Limits(states=5_000), por="none").result.statistics["transitions"]
    assert isinstance(wrong, int) and isinstance(right, int) and wrong > right


UNDEFINED = """
#include <pthread.h>
extern void reach_error(void);
int x;
void *spin(void *arg) {
    int k = 0;
    while (1) {
        k = (k + 1) % 3;
        int twice = 6 / (2 - k);
        k = twice ? k : 0;
    }
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    x = 1;
    if (x == 2) reach_error();
    return 0;
}
"""


def test_what_a_look_around_a_cycle_meets_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "undefined.c"
    file.write_text(UNDEFINED)
    assert "division by zero" in asked(file, 2).result.reason
    line = "    if (!in_turn(c)) return; /* first"
    broken(tmp_path, monkeypatch, "machine.c", line, f"    if (c->silent) return;\n{line}")
    assert asked(file, 2).result.verdict is Verdict.TRUE  # wrong


def test_nobody_is_put_off_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked(IGNORING, 2).result.verdict is Verdict.FALSE
    line = "        asks = there != 0 && all[there].component == all[here].component;"
    broken(tmp_path, monkeypatch, "returning.c", line, "        asks = there != 0 && all == NULL;")
    assert asked(IGNORING, 2).result.verdict is Verdict.TRUE  # wrong without NOTE(returning)
