"""Data races of the thread that has joined all others, which it has created in a loop: each program
that is proved has wrong ones beside it. NOTE(races-behind-joins)"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.engines.templates import search
from abpress.logic.formula import FALSE
from abpress.modular.templates import joined
from abpress.modular.templates.joined import ChosenThreads
from abpress.proof.races import open_pairs
from tests.engines.templates.test_races import (
    SECONDS,
    accepted,
    certificate,
    check_that_nothing_is_accepted,
    claims_of,
    compared,
    found,
    loaded,
    worked,
)
from tests.sampling import examples, sample

ADD = "LOCK(m) data++; UNLOCK(m)"
ANY = "int n = __VERIFIER_nondet_int(); if (n < 0 || n > 30) abort();"
LOCAL = "pthread_t t[30];"
CREATE = "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0);"
JOIN = "for (int i = 0; i < n; i++) pthread_join(t[i], 0);"
BACK = "for (int i = n - 1; i >= 0; i--) pthread_join(t[i], 0);"
SURE = "for (int i = 0; i < n; i++) if (pthread_join(t[i], 0)) abort();"
LAST = "data = 0;"
LATER = "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, idle, 0);"
IDLE = "void *idle(void *a) { return 0; }\n"


def idle(text: str) -> str:
    """A program with threads that do nothing, too."""
    return text.replace(" void *work", IDLE + "void *work", 1)


ALL = worked(ADD, ANY + LOCAL + CREATE + JOIN + LAST)
OF_PROGRAM = worked(ADD, ANY + CREATE + BACK + LAST).replace(
    "int held", "pthread_t t[30]; int held"
)
CHECKED = worked(ADD, ANY + LOCAL + CREATE + SURE + LAST)
EACH = "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, &part[i]);"
ROUND = "for (int i = 0; i < n; i++) { pthread_join(t[i], 0); data += part[i]; }"
IN_ROUND = worked("int *p = a; *p = 1;", ANY + LOCAL + EACH + ROUND).replace(
    "int held", "int part[30]; int held"
)
RIGHT = {
    "all of them": ALL,
    "each in the round of its join": IN_ROUND,
    "handles of the program, backwards": OF_PROGRAM,
    "joins that are checked": CHECKED,
}
ONE_MORE = "{ pthread_t one; pthread_create(&one, 0, work, 0); }"
WRONG = {
    "all but one": (ALL, JOIN, JOIN.replace("i < n", "i < n - 1")),
    "all but the first one": (ALL, JOIN, JOIN.replace("i = 0", "i = 1")),
    "one of them twice": (ALL, "pthread_join(t[i]", "pthread_join(t[i ? i - 1 : 0]"),
    "always the first one": (ALL, "pthread_join(t[i]", "pthread_join(t[0]"),
    "one by one": (ALL, JOIN + LAST, JOIN.replace(", 0);", ", 0), data++;")),
    "a handle that is lost": (ALL, CREATE, CREATE.replace("&t[i]", "&t[i / 2]")),
    "a handle that is written again": (
        ALL, JOIN, "if (n > 1) pthread_create(&t[1], 0, work, 0);" + JOIN),
    "a handle that is copied": (ALL, JOIN, "if (n > 1) t[1] = t[0];" + JOIN),
    "detached": (ALL, "pthread_join(t[i], 0)", "pthread_detach(t[i])"),
    "created again": (ALL, LAST, "pthread_create(&t[0], 0, work, 0);" + LAST),
    "all created again": (ALL, LAST, CREATE + LAST),
    "another one": (ALL, CREATE, CREATE + ONE_MORE),
    "if there are many": (ALL, JOIN, f"if (n > 2) {JOIN}"),
    "until some number": (ALL, JOIN, JOIN.replace("i++", "i += 2")),
    "the next one": (IN_ROUND, "part[i]; }", "part[(i + 1) % n]; }"),
    "each before its join": (
        IN_ROUND, ROUND, "for (int i = 0; i < n; i++) { data += part[i]; pthread_join(t[i], 0); }"),
    "elements that two have": (IN_ROUND, "&part[i]", "&part[i / 2]"),
    "backwards, but for the first one": (OF_PROGRAM, "i >= 0", "i > 0"),
}  # fmt: skip


@pytest.mark.parametrize("name", sample(tuple(RIGHT), 3))
def test_what_is_right_is_proved(name: str) -> None:
    assert open_pairs(certificate(RIGHT[name]).claimed.claims)
    assert accepted(loaded(RIGHT[name]), certificate(RIGHT[name]))


@pytest.mark.parametrize("name", sample(tuple(WRONG), 8, 2))
def test_nothing_is_accepted_of_what_is_wrong(name: str) -> None:
    """Neither what the engine finds, nor what is true of the right program, nor its mutants."""
    check_that_nothing_is_accepted(*WRONG[name], name)


# -- each condition is needed ----------------------------------------------------------------------


def whatever_came_first(_: Any) -> Any:
    return FALSE


def of_any_template(_: str, steps: Any) -> frozenset[str]:
    return frozenset(b.template for its in steps.values() for step in its for b in step.spawned)


def of_all_arrays(chosen: ChosenThreads, template: str) -> Any:
    return (array for array in chosen._arrays.values() if array.template == template)


OTHERS = "pthread_t o; pthread_create(&o, 0, idle, 0); pthread_join(o, 0);"
TWICE = LATER + "pthread_create(&t[0], 0, work, 0);"
ONE_TWICE = idle(worked(ADD, ANY.replace("< 0", "< 1") + LOCAL + TWICE + OTHERS + LAST))
NOT_STORED = idle(ALL.replace(JOIN, ONE_MORE + JOIN + OTHERS))
ONE_AHEAD = idle(
    worked(
        "int i = (int)(long)a; if (i > 0) { ATOMIC(held[i - 1] = 1;) }",
        "int n = __VERIFIER_nondet_int(); if (n < 0 || n > 8) abort(); pthread_t t[10];"
        + CREATE.replace("work, 0", "work, (void *)(long)i")
        + "pthread_create(&t[n], 0, work, (void *)(long)n);"
        + JOIN
        + OTHERS
        + "for (int i = 0; i < n; i++) held[i] = 2;",
    )
)
LATE = "void *late(void *a) { data++; return 0; }\n" + IDLE
TOO_LATE = worked(
    "ATOMIC(alive--;)",
    "alive = 8; pthread_t t[10]; for (int i = 2; i < 10; i++) pthread_create(&t[i], 0, work, 0);"
    + OTHERS
    + "ATOMIC(if (!alive) abort();) pthread_create(&t[0], 0, late, 0); data++;",
).replace(" void *work", LATE + "void *work", 1)
WITHOUT = {
    "another one came first": (
        ONE_TWICE, joined, "_holds_another", whatever_came_first),
    "all ids are stored": (
        NOT_STORED, joined, "_always_stored", of_any_template),
    "the element is chosen for handles alone": (
        ONE_AHEAD, ChosenThreads, "_alone_of", of_all_arrays),
    "created before the last join": (
        TOO_LATE, ChosenThreads, "_before_last", lambda *_: True),
}  # fmt: skip


@pytest.mark.parametrize("name", sample(tuple(WITHOUT), 4))
def test_each_condition_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, where, what, without = WITHOUT[name]
    wrong = loaded(text)
    its = claims_of(wrong)
    monkeypatch.setattr(search.TemplateSearch, "_found", lambda *_: "not asked")
    assert found(wrong, its, SECONDS) is None
    monkeypatch.setattr(where, what, without)
    proof = found(wrong, its, SECONDS)
    assert proof is not None
    assert accepted(wrong, proof)
    monkeypatch.undo()
    assert not accepted(wrong, proof)


# -- random programs -------------------------------------------------------------------------------

HEAD_OF_FEW = """
#include <pthread.h>
_Bool __VERIFIER_nondet_bool(void);
int data, other;
pthread_t t[3];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *idle(void *a) { return 0; }
"""
OWN = "pthread_t t[3];"
NUMBERS = ("2", "3", "1 + __VERIFIER_nondet_bool()", "2 * __VERIFIER_nondet_bool()")
FORWARD, BACKWARD = "for (int i = 0; i < n; i++)", "for (int i = n - 1; i >= 0; i--)"
CREATIONS = ("pthread_create(&t[i], 0, work, 0);", "pthread_create(&t[n - 1 - i], 0, work, 0);")
JOINS = ("pthread_join(t[i], 0);", "if (pthread_join(t[i], 0)) return 1;")
LOOPS_ASTRAY = (
    "for (int i = 0; i < n - 1; i++)",
    "for (int i = 1; i < n; i++)",
    "for (int i = n - 1; i > 0; i--)",
    "for (int i = 0; i < n; i += 2)",
    "if (__VERIFIER_nondet_bool()) " + FORWARD,
)
JOINS_ASTRAY = (
    "pthread_join(t[0], 0);",
    "pthread_join(t[i ? i - 1 : 0], 0);",
    "if (i) pthread_join(t[i], 0);",
    "pthread_join(t[i], 0); data++;",
    "pthread_detach(t[i]);",
    "pthread_join(t[i / 2], 0);",
)
CREATIONS_ASTRAY = (
    "pthread_create(&t[i / 2], 0, work, 0);",
    "pthread_create(&t[0], 0, work, 0);",
    "pthread_create(&t[i], 0, work, 0); pthread_create(&t[i], 0, idle, 0);",
    "pthread_create(&t[i], 0, idle, 0); pthread_create(&t[i], 0, work, 0);",
    "pthread_create(&t[i], 0, i ? work : idle, 0);",
)
BETWEEN = (
    "t[1] = t[0];",
    "t[0] = t[1];",
    "{ pthread_t one = t[0]; t[0] = t[1]; t[1] = one; }",
    "pthread_create(&t[1], 0, work, 0);",
    "{ pthread_t one; pthread_create(&one, 0, work, 0); }",
    "{ pthread_t one; pthread_create(&one, 0, idle, 0); pthread_join(one, 0); }",
    "{ pthread_t one; pthread_create(&one, 0, work, 0); pthread_join(one, 0); }",
    "data = 1;",
    "pthread_join(t[0], 0);",
    FORWARD + " pthread_create(&t[i], 0, idle, 0);",
)
WORKS = (
    "pthread_mutex_lock(&m); data++; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); data++; pthread_mutex_unlock(&m); other = 1;",
    "pthread_mutex_lock(&m); int d = data; pthread_mutex_unlock(&m);",
)
LASTS = ("data = 2;", "return data;", "pthread_mutex_lock(&m); data++; pthread_mutex_unlock(&m);")


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Programs that join the threads that a loop creates, rightly or but for one thing."""
    order = st.sampled_from((FORWARD, BACKWARD))
    created, joined = draw(st.sampled_from(CREATIONS)), draw(st.sampled_from(JOINS))
    first, last = draw(order), draw(order)
    between = behind = ""
    match draw(st.sampled_from("cljbann")):
        case "c":
            created = draw(st.sampled_from(CREATIONS_ASTRAY))
        case "l":
            last = draw(st.sampled_from(LOOPS_ASTRAY))
        case "j":
            joined = draw(st.sampled_from(JOINS_ASTRAY))
        case "b":
            between = draw(st.sampled_from(BETWEEN))
        case "a":
            behind = draw(st.sampled_from(BETWEEN))
        case _:
            pass
    own = draw(st.booleans())
    return (
        f"{HEAD_OF_FEW}void *work(void *a) {{ {draw(st.sampled_from(WORKS))} return 0; }}\n"
        f"int main(void) {{\n  int n = {draw(st.sampled_from(NUMBERS))};\n  {OWN if own else ''}\n"
        f"  {first} {{ {created} }}\n  {between}\n  {last} {{ {joined} }}\n  {behind}\n"
        f"  {draw(st.sampled_from(LASTS))}\n  return 0;\n}}\n"
    )


@settings(max_examples=examples(1, whole=3), deadline=None)
@given(texts())
def test_no_race_is_met_that_is_excluded(tmp_path_factory, text: str) -> None:
    compared(text, tmp_path_factory.mktemp("joins"), 1.0)
