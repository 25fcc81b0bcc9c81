"""The native core hunts as Python does: the same draws, the same executions."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.config import Config
from abpress.core import build
from abpress.core import hunt as native_hunt
from abpress.core.hunt import NativeHunt
from abpress.core.reference import CoreRefused
from abpress.engines import hunt
from abpress.ir.program import Program
from abpress.properties import asked
from abpress.result import Result, Soundness, Verdict
from abpress.search.hunt.hunt import Hunt, HuntStatistics
from abpress.search.limits import Limits
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Options
from abpress.verify.load import load
from tests.sampling import sample
from tests.strategies.c_programs import random_program
from tests.strategies.ir_programs import Features, programs

pytestmark = pytest.mark.skipif(build.find_compiler() is None, reason="no C compiler")

QUESTIONS = (
    ("unreach-call",),
    ("unreach-call", "valid-deref", "no-misuse"),
    ("valid-deref", "valid-free", "no-overflow"),
    ("no-deadlock", "no-partial-deadlock", "unreach-call"),
    ("no-data-race",),
    ("no-data-race", "no-deadlock", "valid-memcleanup", "valid-memtrack"),
)
BUDGET = 20_000


def told(program: Program, question: tuple[str, ...], seed: int, native: bool) -> tuple[Any, ...]:
    """All that a hunt tells. Raises CoreRefused."""
    soundness = Soundness()
    losses, leftovers = (f"valid-{name}" in question for name in ("memtrack", "memcleanup"))
    options = Options(max_threads=1 << 20, losses=losses, leftovers=leftovers)
    system = Interpreter(program, options, soundness)
    search = Hunt(system, asked(question), seed, NativeHunt if native else None)
    found = search.search(BUDGET, lambda _: None)
    shown = [(its.violates, its.schedule, its.finding) for its in found.violations]
    fault = None if found.fault is None else (found.fault.schedule, found.fault.finding)
    assert isinstance(found.statistics, HuntStatistics)
    return found.statistics, shown, found.threads, fault, asdict(soundness), search.work


def compare(program: Program, seed: int, question: tuple[str, ...] = QUESTIONS[0]) -> str:
    """Raises AssertionError where the two differ. Returns "same", or why the core refuses."""
    try:
        native = told(program, question, seed, True)
    except CoreRefused as why:
        assert not why.is_news, why
        return str(why)
    assert native == told(program, question, seed, False)
    return "same"


INPUTS = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
int x, *p;
unsigned long u;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *first(void *a) {
    int k = __VERIFIER_nondet_int();
    if (k < 100) abort();
    pthread_mutex_lock(&m); x += k % 3; pthread_mutex_unlock(&m);
    if (__VERIFIER_nondet_bool()) u = __VERIFIER_nondet_ulong();
    return 0;
}
void *second(void *a) {
    for (int i = 0; i < 3; i++) { int t = x; x = t + 1; }
    if (u > 1234567) { p = malloc(4); *p = x; x = *p + 1; free(p); WRONG }
    __VERIFIER_assume(x != 2);
    return 0;
}
int main(void) {
    pthread_t s, t;
    for (int i = 0; i < 2; i++) pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0); pthread_join(t, 0);
    assert(x != 7);
    return 0;
}
"""


def loaded(folder: Path, text: str) -> Program:
    file = folder / "program.c"
    file.write_text(text)
    return load(Config.of(file)).program


@pytest.mark.parametrize("wrong", ["", "*p = 1;", "free(p);", "x = 1 / (x - 5);"])
def test_all_strategies_and_profiles(wrong: str, tmp_path: Path) -> None:
    program = loaded(tmp_path, INPUTS.replace("WRONG", wrong))
    for seed, question in enumerate(QUESTIONS):
        assert compare(program, seed, question) == "same"


@given(program=programs(Features(threads=3, statements=4, overflows=False)), seed=st.integers(0, 9))
@settings(max_examples=5, deadline=None)
def test_random_programs(program: Program, seed: int) -> None:
    assert compare(program, seed, QUESTIONS[seed % len(QUESTIONS)])


@pytest.mark.parametrize("number", sample(range(6), every=3))
def test_random_c_programs(number: int, tmp_path: Path) -> None:
    drawn = random_program(number)
    assert compare(loaded(tmp_path, drawn.text(range(len(drawn.join)))), number)


CROWD = """
#include <assert.h>
#include <pthread.h>
int x;
void *work(void *a) { x++; return 0; }
int main(void) {
    pthread_t t;
    for (int i = 0; i < 70; i++) pthread_create(&t, 0, work, 0);
    assert(x < 68);
}
"""


def answered(folder: Path, text: str, **options: object) -> Result:
    """What engine `hunt` answers."""
    file = folder / "program.c"
    file.write_text(text)
    config = Config.of(file, engine="hunt", **{"hunt_steps": 50_000, **options})
    found = hunt.search(load(config).program, config, Limits())
    return next(iter(found.values()))


def but_for_the_core(result: Result) -> Result:
    statistics = {name: its for name, its in result.statistics.items() if name != "core"}
    return replace(result, statistics=statistics)


@pytest.mark.parametrize("wrong", ["", "x = 7; assert(0);"])
def test_the_answer_says_who_has_hunted(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hunt, "HAND_OVER", 1)
    text = INPUTS.replace("WRONG", wrong).replace("x != 7", "x != 99")
    by = {core: answered(tmp_path, text, core=core) for core in ("python", "native", "auto")}
    assert [its.statistics["core"] for its in by.values()] == ["python", "native", "native"]
    assert all(its.verdict is (Verdict.FALSE if wrong else Verdict.UNKNOWN) for its in by.values())
    python, *others = map(but_for_the_core, by.values())
    assert others == [python, python]


def test_crowds_are_left_to_python(tmp_path: Path) -> None:
    found = answered(tmp_path, CROWD, core="native")
    assert str(found.statistics["core"]).startswith("python (more than 63 threads")
    assert but_for_the_core(found) == but_for_the_core(answered(tmp_path, CROWD, core="python"))


WAITING = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *first(void *a) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m); pthread_mutex_lock(&n); x++;
        pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);
    }
    return 0;
}
void *second(void *a) {
    pthread_mutex_lock(&ONE); pthread_mutex_lock(&OTHER); x += 2;
    pthread_mutex_unlock(&OTHER); pthread_mutex_unlock(&ONE);
    y = 1;
    return 0;
}
void *third(void *a) {
    while (!y) ;
    y = 2;
    return 0;
}
int main(void) {
    pthread_t s, t, u;
    pthread_create(&s, 0, first, 0); pthread_create(&t, 0, second, 0);
    pthread_create(&u, 0, third, 0);
    pthread_join(s, 0); pthread_join(t, 0);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("one", "other", "question", "found"),
    [
        ("n", "m", ("no-deadlock",), True),
        ("n", "m", ("no-partial-deadlock", "unreach-call"), True),
        ("n", "m", ("no-data-race", "no-partial-deadlock"), True),
        ("m", "n", ("no-deadlock", "no-partial-deadlock"), False),
        ("m", "n", ("no-data-race",), True),
    ],
)
def test_what_states_show(
    one: str, other: str, question: tuple[str, ...], found: bool, tmp_path: Path
) -> None:
    """Each fails where the core does not ask the reference of a state, or draws for that."""
    text = WAITING.replace("ONE", one).replace("OTHER", other)
    if question == ("no-deadlock",):
        text = text.replace("while (!y) ;", "")  # else that thread can always move
    program = loaded(tmp_path, text)
    for seed in range(2):
        assert compare(program, seed, question) == "same"
    assert bool(told(program, question, 0, True)[1]) is found


def test_many_states_are_left_to_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_hunt, "_FEW_FOLLOWED", 10)
    monkeypatch.setattr(native_hunt, "_FOLLOWING", 1_000)
    text = WAITING.replace("ONE", "n").replace("OTHER", "m")
    found = answered(tmp_path, text, core="native", properties=("no-partial-deadlock",))
    assert "many states have to be looked at" in str(found.statistics["core"])
    assert found.verdict is Verdict.FALSE
