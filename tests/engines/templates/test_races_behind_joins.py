"""Data races of the thread that has joined all others, which it has created in a loop: each program
that is proved has wrong ones beside it. NOTE(races-behind-joins)"""

from __future__ import annotations

from typing import Any

import pytest

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
    found,
    loaded,
    worked,
)
from tests.sampling import sample

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
RIGHT = {
    "all of them": ALL,
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


@pytest.mark.parametrize("name", sample(tuple(WITHOUT), 3))
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
