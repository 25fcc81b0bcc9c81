"""Data races of the thread that has joined all others, which it has created in a loop: each program
that is proved has wrong ones beside it. NOTE(races-behind-joins)"""

from __future__ import annotations

from typing import Any

import pytest

from abpress.engines.templates import engine
from abpress.logic.formula import FALSE
from abpress.modular.templates import joined
from abpress.modular.templates.joined import ChosenThreads
from abpress.proof.races import PairsExcluded, RacesProof, open_pairs
from tests.engines.templates.test_races import (
    _said,
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
LAST = "data++;"
LATER = "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, idle, 0);"
IDLE = "void *idle(void *a) { return 0; }\n"


def idle(text: str) -> str:
    """A program with threads that do nothing, too."""
    return text.replace(" void *work", IDLE + "void *work", 1)


ALL = worked(ADD, ANY + LOCAL + CREATE + JOIN + LAST)
OF_PROGRAM = worked(ADD, ANY + CREATE + BACK + LAST).replace("int held", "pthread_t t[30]; int held")
CHECKED = worked(ADD, ANY + LOCAL + CREATE + SURE + LAST)
GROUPS = worked(
    ADD,
    ANY
    + LOCAL
    + "pthread_t u[30];"
    + CREATE
    + CREATE.replace("t[i]", "u[i]")
    + JOIN
    + JOIN.replace("t[i]", "u[i]")
    + LAST,
)
RIGHT = {
    "all of them": ALL,
    "handles of the program, backwards": OF_PROGRAM,
    "joins that are checked": CHECKED,
    "two groups": GROUPS,
}
ONE_MORE = "pthread_t o; pthread_create(&o, 0, work, 0);"
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
    "only if they are joined": (CHECKED, SURE, SURE.replace("abort()", "break").replace("n;", "9;")),
    "one group": (GROUPS, JOIN, ""),
    "one group twice": (GROUPS, "pthread_join(u[i]", "pthread_join(t[i]"),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_proved(name: str) -> None:
    assert open_pairs(certificate(RIGHT[name]).claimed.claims)
    assert accepted(loaded(RIGHT[name]), certificate(RIGHT[name]))


@pytest.mark.parametrize("name", sample(tuple(WRONG), 6))
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


OF_THE_NEXT = (
    worked(
        "int i = (int)(long)a; held[(i + 1) % 10] = 1;",
        "pthread_t t[10];"
        + CREATE.replace("i < n", "i < 10").replace("work, 0", "work, (void *)(long)i")
        + "for (int i = 0; i < 10; i++) { pthread_join(t[i], 0); held[i] = 2; }",
    )
)
LATE = idle(
    worked(
        "ATOMIC(data++;)",
        "pthread_t t[9], o; for (int i = 1; i < 9; i++) pthread_create(&t[i], 0, work, 0);"
        "pthread_create(&o, 0, idle, 0); pthread_join(o, 0);"
        "ATOMIC(int r = data;) if (r != 8) { pthread_create(&t[0], 0, late, 0); alive++; }",
    )
).replace("void *idle", "void *late(void *a) { alive++; return 0; } void *idle")
WITHOUT = {
    "another one came first": (
        idle(ALL.replace(CREATE, LATER + CREATE).replace(JOIN, "")),
        joined, "_holds_another", whatever_came_first),
    "all ids are stored": (
        ALL.replace(CREATE, CREATE + ONE_MORE), joined, "_always_stored", of_any_template),
    "the element is chosen for handles alone": (
        OF_THE_NEXT, ChosenThreads, "_alone_of", of_all_arrays),
    "created before the last join": (
        LATE, ChosenThreads, "_before_last", lambda *_: True),
}  # fmt: skip


@pytest.mark.parametrize("name", WITHOUT)
def test_each_condition_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, where, what, without = WITHOUT[name]
    wrong = loaded(text)
    its = claims_of(wrong)
    monkeypatch.setattr(engine._Search, "_found", lambda *_: "not asked")
    assert found(wrong, its, 60.0) is None
    monkeypatch.setattr(where, what, without)
    proof = found(wrong, its, 60.0)
    assert proof is not None
    assert accepted(wrong, proof)
    monkeypatch.undo()
    assert not accepted(wrong, proof)
