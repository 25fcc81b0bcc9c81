"""Verdicts of the explicit engine on small programs, with every reduction."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.explicit import search
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.properties import Preserved
from abpress.reductions.entry import Family
from abpress.reductions.table import REDUCTIONS, STATIC
from abpress.result import Result, Soundness, Verdict
from abpress.search.limits import INTERRUPTED, Interrupt, Limits
from abpress.verify.load import load
from tests.engines.programs import (
    INT,
    MAIN_RETURNS,
    MUTEX,
    THREAD_ENDS,
    code,
    counter,
    lock,
    main,
    program,
    unlock,
)

EVERY = pytest.mark.parametrize("por", STATIC)
LOCKING = {"o": "u32", "$tid": "u32"}


def run(
    program: Program,
    por: str,
    property: str = "unreach-call",
    limits: Limits | None = None,
    soundness: Soundness | None = None,
) -> Result:
    config = Config.of(Path("p.c"), property=property, por=por)
    return search(program, config, limits or Limits(), soundness=soundness)


def check(condition: str, n: int) -> str:
    """A location that fails unless the condition over registers holds; the failure is at n."""
    wrong = {"==": "!=", ">=": "<", "!=": "=="}
    left, operator, right = condition.split()
    return f"when {condition} -> L{n + 1}\nwhen {left} {wrong[operator]} {right} -> L{n}"


FAIL = 'fail "unreach-call" "reach_error"'


def increments(protected: bool) -> Program:
    """Two threads increment x; main checks that it is 2 in the end."""
    guard = (lock("m"), unlock("m")) if protected else ((), ())
    worker = code(
        "w", *guard[0], "r := *&x", "*&x := r + 1", *guard[1], THREAD_ENDS, r="i32", **LOCKING
    )
    boss = code(
        "main",
        "a := spawn w 0ptr4",
        "b := spawn w 0ptr4",
        "p := join a",
        "p := join b",
        "r := *&x",
        check("r == 2", 6),
        FAIL,
        MAIN_RETURNS,
        a="u32",
        b="u32",
        p="ptr4",
        r="i32",
    )
    return program(boss, worker, x=INT, m=MUTEX)


@EVERY
def test_lost_update(por: str) -> None:
    result = run(increments(protected=False), por)
    assert result.verdict is Verdict.FALSE
    trace = result.trace
    assert trace.context_switches == 4
    assert set(trace.threads) == {"main", "main.1", "main.2"}
    assert result.statistics["threads"] == 3


@EVERY
def test_protected_update(por: str) -> None:
    result = run(increments(protected=True), por)
    assert result.verdict is Verdict.TRUE
    assert result.statistics["deadlocked_executions"] == 0


def philosophers(ordered: bool) -> Program:
    """Two threads that take two locks, in the same order or crosswise."""
    second = ("m", "n") if ordered else ("n", "m")
    workers = [
        code(
            name,
            *lock(a),
            *lock(b),
            *unlock(b),
            *unlock(a),
            THREAD_ENDS,
            **LOCKING,
        )
        for name, (a, b) in (("w", ("m", "n")), ("v", second))
    ]
    return program(main("w", "v"), *workers, m=MUTEX, n=MUTEX)


@EVERY
def test_deadlock(por: str) -> None:
    assert run(philosophers(ordered=True), por, "no-deadlock").verdict is Verdict.TRUE
    assert run(philosophers(ordered=False), por, "unreach-call").verdict is Verdict.TRUE
    result = run(philosophers(ordered=False), por, "no-deadlock")
    assert result.verdict is Verdict.FALSE
    assert result.reason == "deadlock"
    blocked = {b.thread: b.text for b in result.trace.blocked}
    assert blocked == {
        "main": "waits for the end of main.1",
        "main.1": "waits for n, held by main.2",
        "main.2": "waits for m, held by main.1",
    }
    lines = {b.thread: b.position.line for b in result.trace.blocked}
    assert lines == {"main": 4 + 2, "main.1": 3 + 6, "main.2": 3 + 6}
    assert result.trace.context_switches <= 3


@EVERY
def test_waiting_at_an_assume_is_no_deadlock(por: str) -> None:
    worker = code("w", "r := *&x", "assume r == 1", THREAD_ENDS, r="i32")
    result = run(program(main("w"), worker, x=INT), por, "no-deadlock")
    assert result.verdict is Verdict.TRUE
    assert result.statistics["blocked_executions"] == 1


@EVERY
def test_a_write_before_a_false_assumption_is_seen(por: str) -> None:
    """The execution up to an assumption exists, also where the assumption fails."""
    worker = code("w", "*&x := 1", "r := 0", "assume r == 1", THREAD_ENDS, r="i32")
    reader = code("v", "r := *&x", check("r == 0", 2), FAIL, THREAD_ENDS, r="i32")
    assert run(program(main("w", "v"), worker, reader, x=INT), por).verdict is Verdict.FALSE


@EVERY
@pytest.mark.parametrize(
    "spin",
    [
        code("w", "i := 0", "i := 1 - i -> L1", i="i32"),
        code("w", "i := 0", "when i == i -> L1", i="i32"),
        code("w", "i := 0", 'i := any "b" [0, 1]', "i := i + 0 -> L1", i="i32"),
    ],
)
def test_a_spinning_thread_does_not_hide_the_others(por: str, spin: str) -> None:
    failing = code("v", "r := 0", FAIL, r="i32")
    assert run(program(main("w", "v", join=False), spin, failing), por).verdict is Verdict.FALSE
    late = code("main", "t := spawn w 0ptr4", "t := 0u32", FAIL, t="u32")
    assert run(program(late, spin), por).verdict is Verdict.FALSE


@EVERY
def test_errors_of_threads_that_main_outlives(por: str) -> None:
    worker = code("w", "r := 1", "r := r + 1", FAIL, r="i32")
    assert run(program(main("w", join=False), worker), por).verdict is Verdict.FALSE


@EVERY
def test_undefined_behaviour_withholds_true_but_not_false(por: str) -> None:
    faulty = code("w", 'fault "nonsense"')
    result = run(program(main("w"), faulty), por)
    assert result.verdict is Verdict.UNKNOWN
    assert "nonsense" in result.reason
    failing = code("v", FAIL)
    assert run(program(main("w", "v"), faulty, failing), por).verdict is Verdict.FALSE


@EVERY
def test_what_the_frontend_lost_withholds_true(por: str) -> None:
    soundness = Soundness()
    soundness.lose("first")
    soundness.lose("second")
    soundness.lose("third")
    result = run(counter(1), por, soundness=soundness)
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason == "first and 2 more"


@EVERY
def test_limits_are_reasons(por: str) -> None:
    interrupted = run(counter(30), por, limits=Limits(interrupt=Interrupt(True)))
    assert interrupted.verdict is Verdict.UNKNOWN
    assert interrupted.reason == INTERRUPTED.text
    assert interrupted.statistics["states"]
    late = run(counter(30), por, limits=Limits(time=0))
    assert late.reason == "time limit of 0 s"
    large = run(counter(30), por, limits=Limits(memory=1))
    assert large.reason == "memory limit of 1.049 MB"


@EVERY
def test_the_same_twice(por: str) -> None:
    first, second = (run(increments(protected=False), por) for _ in range(2))
    assert first.statistics == second.statistics
    assert first.trace == second.trace


def test_a_reduction_that_loses_deadlocks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    lossy = replace(STATIC["none"], preserves=Preserved.VIOLATIONS)
    monkeypatch.setitem(REDUCTIONS, (Family.STATIC, "none"), lossy)
    with pytest.raises(UnsupportedError, match="deadlock"):
        run(counter(1), "none", "no-deadlock")


MANY = """
#include <assert.h>
#include <pthread.h>
pthread_t ids[N];
int moved;
void *worker(void *argument) { moved = 1; return 0; }
int main(void) {
  for (int i = 0; i < N; i++) pthread_create(&ids[i], 0, worker, 0);
  assert(moved);
}
"""


@pytest.mark.parametrize("n", [10, 1500])
@pytest.mark.parametrize("por", ["none", "s-por"])
def test_thousands_of_threads(tmp_path: Path, n: int, por: str) -> None:
    """No bound of threads ends the execution before the assertion; a state with many is large."""
    file = tmp_path / "many.c"
    file.write_text(MANY)
    config = Config.of(file, defines=(f"N={n}",), por=por)
    result = search(load(config).program, config, Limits())
    assert result.verdict is Verdict.FALSE
    assert result.statistics["threads"] == n + 1
    assert result.statistics["states"] == n + 3
    bounded = config.but(max_threads=n)
    if n == 10:
        result = search(load(config).program, bounded, Limits())
        assert result.verdict is Verdict.UNKNOWN
        assert result.reason == "more than 10 threads"


def test_threads_without_end_come_to_a_limit(tmp_path: Path) -> None:
    file = tmp_path / "endless.c"
    file.write_text(MANY.replace("i < N", "1").replace("ids[i]", "ids[0]").replace("N", "1"))
    config = Config.of(file, por="s-por")
    result = search(load(config).program, config, Limits(time=1.0))
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason == "time limit of 1 s"
    config = config.but(max_threads=3, time_limit=None)
    assert "more than 3 threads" in str(search(load(config).program, config, Limits()).reason)
