"""A fresh object that a thread is given where it begins is its own if its creator keeps no address
of it, and only then. NOTE(handed-over)"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.modular.analysis import analyse
from abpress.modular.claims import claimed
from abpress.modular.pairs import pairs
from abpress.modular.standing import Detail
from abpress.modular.state import Known
from abpress.modular.transfer import ClassTransfer
from abpress.modular.values import AddressOf
from abpress.proof.certificate import Rejected
from abpress.proof.modular import check_claims
from abpress.verify.load import load
from tests.modular.test_pairs import HEAD, alarms

TASKS = """
struct task { int n; struct task *next; } *last;
void *h(void *p) { ((struct task *)p)->n++; return 0; }
void *f(void *p) { struct task *a = p; a->n++; BODY return 0; }
int main(void) {
  pthread_t t;
  struct task *before = 0;
  for (;;) {
    struct task *a = malloc(sizeof *a), *other = a;
    a->n = 1;
    BEFORE
    pthread_create(&t, 0, f, a);
    AFTER
  }
}
"""
HAND_ON = "pthread_t u; pthread_create(&u, 0, h, a);"


def tasks(before: str = "", after: str = "", body: str = "") -> str:
    text = TASKS.replace("BEFORE", before).replace("AFTER", after)
    return text.replace("BODY", body)


@pytest.mark.parametrize(
    "text",
    [
        tasks(),
        tasks(body="free(a);"),
        tasks("a = malloc(sizeof *a); a->n = 2;"),
        tasks(body=HAND_ON),
        tasks("other = 0;").replace("f, a)", "f, &a->n)"),
    ],
    ids=["given", "freed by the thread", "the newer one", "given twice", "a member's address"],
)
def test_what_is_handed_over_is_the_thread_s_own(tmp_path: Path, text: str) -> None:
    assert alarms(tmp_path, text, Detail()) == []


@pytest.mark.parametrize(
    "text",
    [
        tasks(after="a->n = 2;"),
        tasks(after="other->n = 2;"),
        tasks(after="if (before) before->n = 3; before = a;"),
        tasks("int *n = &a->n;", "*n = 4;"),
        tasks("long n = (long)a ^ 40;", "*(int *)(n ^ 40) = 4;"),
        tasks("long n = (long)a * 3;", "*(int *)(n / 3) = 4;"),
        tasks("last = a;", "if (last) last->n = 1;"),
        tasks("a->next = a;", body="a->next->n++;"),
        tasks(after="pthread_create(&t, 0, f, a);"),
        tasks(body=HAND_ON + "a->n++;"),
        tasks(body=HAND_ON + "pthread_create(&u, 0, h, a);"),
        tasks("if (last) last->n++;", body="last = a; a->n++;"),
    ],
    ids=[
        "it is used by the creator",
        "by another pointer",
        "in the next round",
        "by the address of a member",
        "by a number of which nothing is known",
        "by a multiple of a number",
        "memory had it",
        "it has itself",
        "given to two threads",
        "used when it was given on",
        "given on twice",
        "published by the thread",
    ],
)
def test_what_others_may_find_is_an_alarm(tmp_path: Path, text: str) -> None:
    assert alarms(tmp_path, text, Detail()) != []


def test_an_object_of_the_creator_s_frame_is_not_handed_over(tmp_path: Path) -> None:
    text = "\n" + tasks().replace("malloc(sizeof *a)", "__builtin_alloca(sizeof *a)")
    file = tmp_path / "program.c"
    file.write_text(HEAD + text)
    solution = analyse(load(Config.of(file), every_access=True).program)
    assert solution is not None
    its = [entry.get("$arg") for cls, entry in solution.globals.entries.items() if cls]
    assert its
    assert not any(isinstance(a, AddressOf) and a.fresh for value in its for a in value or ())


def test_each_register_of_the_creator_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ClassTransfer, "_reached", lambda *_: set())
    assert alarms(tmp_path, tasks(after="a->n = 2;"), Detail()) == []


def given_anew(known: Known) -> Known:
    value = known.get("$arg")
    if value is None:
        return known
    fresh = (replace(a, fresh=True) if isinstance(a, AddressOf) else a for a in value)
    return known.refined([("$arg", frozenset(fresh))])


def test_a_claim_that_it_was_handed_over_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(HEAD + tasks(after="a->n = 2;"))
    program = load(Config.of(file), every_access=True).program
    solution = analyse(program, Detail())
    assert solution is not None
    claims = claimed(solution, pairs(solution))
    changed = replace(
        claims,
        entries={cls: given_anew(entry) for cls, entry in claims.entries.items()},
        known={place: tuple(map(given_anew, its)) for place, its in claims.known.items()},
    )
    assert changed != claims
    with pytest.raises(Rejected, match="begin otherwise"):
        check_claims(program, changed)
