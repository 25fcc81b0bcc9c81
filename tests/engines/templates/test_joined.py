"""What a thread knows behind its joins, of any number of threads: what each of them has left, and
what all of them together have. NOTE(joined-threads)

What is wrong is not proved, whatever is guessed; and each condition is needed: without it something
wrong is, and the checker, which has the same rules then, accepts it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from abpress.analysis.facts import Facts
from abpress.engines.templates import search
from abpress.logic.formula import Formula, conj, conjuncts, disj, format_formula, neg
from abpress.modular.templates import joined
from abpress.modular.templates.joined import ChosenThreads
from abpress.modular.templates.steps import TemplateSteps
from tests.engines.templates.test_any_number import loaded, proved
from tests.sampling import sample

CREATE = "for (int i = 0; i < 9; i++) pthread_create(&t[i], 0, work, (void *)(long)i);"
JOIN = "for (int i = 0; i < 9; i++) pthread_join(t[i], 0);"
WRITE_AND_JOIN = "x = 9; pthread_join(t[0], 0); x = 8; assert(x == 8);"
SAME = JOIN.replace("t[i]", "t[0]")
FEW = JOIN.replace("< 9", "< 8")
INPUT = "int n = __VERIFIER_nondet_int(); if (n < 0 || n > 9) abort();"
ADDS = "ATOMIC(x++;)"
FILLS = "a[(int)(long)number] = 1;"
RETURNS = "int i = (int)(long)number; a[i] = 1; a[i] = 0;"
CLEAR = "for (int i = 0; i < 9; i++) assert(a[i] == 0);"


def joins(work: str, main: str, before: str = "int a[9]; pthread_t t[9];") -> str:
    """A program of threads that work, and of the first thread."""
    return f"{before} void *work(void *number) {{ {work} return 0; }} int main(void) {{ {main} }}"


PAIRS = {
    "what all have added": (
        joins(ADDS, CREATE + JOIN + "assert(x == 9);"),
        joins(ADDS, CREATE + FEW + "assert(x == 9);")),
    "as many as an input": (
        joins(ADDS, (INPUT + CREATE + JOIN).replace("< 9", "< n") + "assert(x == n);"),
        joins(ADDS, INPUT + CREATE.replace("< 9", "< n") + JOIN.replace("< 9", "< n - 1")
              + "assert(x == n);")),
    "what each has left": (
        joins(FILLS, CREATE + JOIN + CLEAR.replace("== 0", "== 1")),
        joins(FILLS, CREATE + JOIN + CLEAR.replace("== 0", "== 1").replace("< 9", "< 10"),
              "int a[10]; pthread_t t[9];")),
    "handles of the first thread": (
        joins(ADDS, f"pthread_t t[9]; {CREATE} {JOIN} assert(x == 9);", ""),
        joins(ADDS, f"pthread_t t[9]; {CREATE} {SAME} assert(x == 9);", "")),
    "what is over": (
        joins(RETURNS, CREATE + JOIN + CLEAR), joins(RETURNS, CREATE + FEW + CLEAR)),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few guesses of single threads are enough."""
    monkeypatch.setattr(search.TemplateSearch, "_found", lambda *_: "not asked")
    monkeypatch.setattr(search.TemplateSearch, "_guessed", lambda *_: None)


@pytest.mark.parametrize("name", sample(tuple(PAIRS), 2))
def test_what_is_right_is_proved(name: str, tmp_path: Path) -> None:
    assert proved(loaded(PAIRS[name][0], tmp_path))


@pytest.mark.parametrize("name", sample(tuple(PAIRS), 5, 4))
def test_what_is_wrong_is_not_proved(name: str, tmp_path: Path) -> None:
    assert not proved(loaded(PAIRS[name][1], tmp_path))


def test_a_join_behind_what_others_notice_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = joins(ADDS, CREATE + WRITE_AND_JOIN)
    program = loaded(text, tmp_path)

    def are_joined() -> bool:
        steps = TemplateSteps(program, Facts(program), groups=(("t",),))
        begin, _, *others = steps.cuts("main")
        cuts = begin, *others
        return any(step.joined for i in cuts for step in steps.steps("main", i, cuts))

    monkeypatch.setattr(TemplateSteps, "_leads_on", lambda *_: True)
    assert not are_joined()
    monkeypatch.setattr(TemplateSteps, "_goes_on_behind", lambda *_: False)
    assert are_joined()


# -- each condition is needed ----------------------------------------------------------------------


def speaks_of_holding(f: Formula) -> bool:
    return "held" in format_formula(f)


def whatever_is_held(chosen: ChosenThreads, *asked: Any) -> Any:
    """Whose id an element holds is said to be the chosen thread, whoever was that."""
    for array, where in JOINED(chosen, *asked):
        yield array, conj(f for f in conjuncts(where) if not speaks_of_holding(f))


def of_any_counter(_: ChosenThreads, __: str, where: Any, counters: Any) -> Any:
    return (disj((neg(where), joined._is_zero(count))) for count in counters)


def whatever_came_first(chosen: ChosenThreads, *asked: Any) -> Any:
    for f in CHOICES(chosen, *asked):
        yield disj(part for part in f.parts if not speaks_of_holding(part))


def of_any_template(_: str, steps: Any) -> frozenset[str]:
    return frozenset(b.template for its in steps.values() for step in its for b in step.spawned)


JOINED, CHOICES = ChosenThreads.joined, ChosenThreads.choices
IDLE = "void *idle(void *a) { return 0; }"
CREATE_AGAIN = """
pthread_create(&t[0], 0, work, 0);
pthread_t last; pthread_create(&last, 0, idle, 0); pthread_join(last, 0);
"""
OTHER = "pthread_t other; pthread_create(&other, 0, work, 0);"
ONE_MORE = joins(ADDS, CREATE + OTHER + JOIN + "assert(x == 10);")

WITHOUT = {
    "the element still holds it": (
        IDLE + joins(RETURNS, CREATE + CREATE.replace("work", "idle") + JOIN + CLEAR),
        ChosenThreads, "joined", whatever_is_held),
    "others may be there": (
        ONE_MORE, ChosenThreads, "nobody_chosen", of_any_counter),
    "another one came first": (
        IDLE + joins(ADDS, CREATE + JOIN + CREATE_AGAIN + "assert(x == 10);"),
        ChosenThreads, "choices", whatever_came_first),
    "all ids are stored": (
        ONE_MORE, joined, "_always_stored", of_any_template),
}  # fmt: skip


@pytest.mark.parametrize("name", sample(tuple(WITHOUT), 4))
def test_each_condition_is_needed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, where, what, without = WITHOUT[name]
    assert not proved(loaded(text, tmp_path))
    monkeypatch.setattr(where, what, without)
    assert proved(loaded(text, tmp_path))
