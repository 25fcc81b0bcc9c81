"""Handles in what is allocated: who has joined all of them meets none of the threads. Each program
that is proved has wrong ones beside it. NOTE(races-behind-joins), NOTE(joined-threads)"""

from __future__ import annotations

import pytest

from abpress.engines.templates import search
from abpress.modular.templates import handle_arrays
from abpress.proof.races import open_pairs
from tests.engines.templates.test_races import SECONDS, accepted, claims_of, found, loaded, worked
from tests.engines.templates.test_races_behind_joins import ANY, CREATE, JOIN, LAST, idle
from tests.sampling import sample

ADD = "ATOMIC(data++;)"
ALLOCATE = "pthread_t *t = malloc(n * sizeof *t);"
ALLOCATED = "struct part *w = calloc(n, sizeof *w);"
FIVE = "int n = 5;"
OTHER_WAY = "for (int i = 0; i < n; i++) pthread_create(t + i, 0, work, 0);"


def all_joined(*parts: str) -> str:
    return worked(ADD, "".join((ANY, *parts)))


def of_members(text: str) -> str:
    """The same program, with handles that are members."""
    with_parts = text.replace("int held", "struct part { int n; pthread_t its; } part; int held")
    return with_parts.replace("t[i]", "w[i].its").replace(ALLOCATE, ALLOCATED)


ALL = all_joined(ALLOCATE, CREATE, JOIN, "free(t);", LAST)
OF_MEMBERS = of_members(all_joined(ALLOCATE, CREATE, JOIN, LAST))
OTHERS = "void *others(void *a) { ATOMIC(data++;) return 0; }\n"
JOIN_OTHERS = JOIN.replace("t[i]", "s[i]")
TWO = all_joined(
    ALLOCATE, ALLOCATE.replace("*t", "*s", 1), CREATE,
    CREATE.replace("&t[i]", "&s[i]").replace("work", "others"), JOIN, JOIN_OTHERS, LAST,
).replace(" void *work", OTHERS + "void *work", 1)  # fmt: skip
RIGHT = {
    "all of them": ALL,
    "zeroed, of a number that is known": worked(
        ADD, f"{FIVE} pthread_t *t = calloc(5, sizeof *t); {CREATE} {JOIN} {LAST}"),
    "members of what is allocated": OF_MEMBERS,
    "a pointer of the program": ALL.replace("pthread_t *t =", "t =").replace(
        "int held", "pthread_t *t; int held"),
    "members of elements": OF_MEMBERS.replace(ALLOCATED, "struct part w[30];"),
    "two arrays": TWO,
    "behind a pointer": all_joined(ALLOCATE, OTHER_WAY, JOIN, LAST),
}  # fmt: skip
WRONG = {
    "all but one": (JOIN, JOIN.replace("i < n", "i < n - 1")),
    "always the first one": ("pthread_join(t[i]", "pthread_join(t[0]"),
    "one of them twice": ("pthread_join(t[i]", "pthread_join(t[i ? i - 1 : 0]"),
    "the next ones": ("pthread_join(t[i]", "pthread_join((t + 1)[i]"),
    "handles that are lost": ("&t[i]", "&t[i / 2]"),
    "another array": (JOIN, ALLOCATE.replace("pthread_t *", "") + JOIN),
    "a handle that is copied": (JOIN, "if (n > 1) t[1] = t[0];" + JOIN),
    "ids that are moved": (JOIN, "if (n > 1) memcpy(&t[1], t, sizeof *t);" + JOIN),
    "created again": (LAST, "pthread_create(&t[0], 0, work, 0);" + LAST),
    "read before": (JOIN, "data++;" + JOIN),
}
WRONG_MEMBERS = {
    "all but one": (JOIN, JOIN.replace("i < n", "i < n - 1")),
    "the next ones": ("pthread_join(w[i]", "pthread_join((w + 1)[i]"),
    "elements that are copied": (JOIN, "if (n > 1) w[1] = w[0];" + JOIN),
    "copied by number": (JOIN, "if (n > 1) w[1].its = w[0].its;" + JOIN),
    "detached": ("pthread_join(w[i].its, 0)", "pthread_detach(w[i].its)"),
}
WRONG_OTHERS = {
    **{
        f"members: {name}": (OF_MEMBERS, *(part.replace("t[i]", "w[i].its") for part in parts))
        for name, parts in WRONG_MEMBERS.items()
    },
    "all but one of the first array": (TWO, JOIN, JOIN.replace("i < n", "i < n - 1")),
    "all but one of the second array": (
        TWO,
        JOIN_OTHERS,
        JOIN_OTHERS.replace("i < n", "i < n - 1"),
    ),
}


@pytest.fixture(autouse=True)
def _by_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guesses of single threads are enough."""
    monkeypatch.setattr(search.TemplateSearch, "_found", lambda *_: "not asked")


def is_proved(text: str) -> bool:
    """Whether the engine finds a proof that the checker accepts."""
    program = loaded(text)
    its = claims_of(program)
    assert open_pairs(its.claims)
    proof = found(program, its, SECONDS)
    return proof is not None and accepted(program, proof)


@pytest.mark.parametrize("name", sample(tuple(RIGHT), 3))
def test_what_is_right_is_proved(name: str) -> None:
    assert is_proved(RIGHT[name])


@pytest.mark.parametrize("name", sample(tuple(WRONG), 9, 1))
def test_what_is_wrong_is_not_proved(name: str) -> None:
    old, new = WRONG[name]
    assert old in ALL
    assert not is_proved(
        ALL.replace(old, new).replace("<stdlib.h>", "<stdlib.h>\n#include <string.h>")
    )


@pytest.mark.parametrize("name", sample(tuple(WRONG_OTHERS), 7, 2))
def test_what_is_wrong_with_others_is_not_proved(name: str) -> None:
    text, old, new = WRONG_OTHERS[name]
    assert old in text
    assert not is_proved(text.replace(old, new))


# -- each condition is needed ----------------------------------------------------------------------

ONE_MORE = "pthread_create(&o, 0, idle, 0);"
TWICE = f"""
pthread_t *t, o; {ONE_MORE}
for (int k = 0; k < 2; k++) {{
  t = malloc(2 * sizeof *t);
  if (k) pthread_create(&t[k], 0, idle, 0); else pthread_create(&t[k], 0, work, 0);
}}
"""
PUTS = "pthread_t *t; void *put(void *id) { t[0] = *(pthread_t *)id; return 0; }\n"
PUT = f"pthread_t p, o; {ONE_MORE} pthread_create(&p, 0, put, &o); pthread_join(p, 0);"
SHARED = ALLOCATE.replace("pthread_t *", "")
SOME = ANY.replace("< 0", "< 1")
WITHOUT = {
    "one object": (
        idle(worked(ADD, TWICE + JOIN.replace("< n", "< 2") + LAST)),
        handle_arrays, "_is_one", lambda *_: True),
    "no others write them": (
        idle(worked(ADD, FIVE + SHARED + CREATE + PUT + JOIN + LAST).replace(
            " void *work", PUTS + " void *work", 1)),
        handle_arrays, "_has_handles", lambda *_: True),
    "all elements": (
        worked(ADD, SOME + ALLOCATE + CREATE + JOIN.replace("i < n", "i < 1") + LAST),
        handle_arrays, "_size", lambda *_: 8),
}  # fmt: skip


@pytest.mark.parametrize("name", sample(tuple(WITHOUT), 2))
def test_each_condition_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, where, what, without = WITHOUT[name]
    wrong = loaded(text)
    monkeypatch.setattr(where, what, without)
    proof = found(wrong, claims_of(wrong), SECONDS)
    assert proof is not None
    assert accepted(wrong, proof)
    monkeypatch.undo()
    assert not accepted(wrong, proof)
