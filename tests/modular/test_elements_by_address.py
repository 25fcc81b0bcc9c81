"""A lock in one of many objects guards that one, whichever it is. NOTE(elements-by-address)"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from abpress.config import Config
from abpress.modular import beside
from abpress.modular.addresses import AddressedCell, NamedAddress
from abpress.modular.analysis import analyse
from abpress.modular.beside import Beside
from abpress.modular.claims import Claims, claimed, read, written
from abpress.modular.elements import Overwriting
from abpress.modular.interference import Interference
from abpress.modular.memory import MemorySteps
from abpress.modular.pairs import pairs
from abpress.modular.spots import Aimed, Spot
from abpress.modular.standing import Detail
from abpress.modular.state import Known
from abpress.modular.values import Origin
from abpress.proof.certificate import Rejected
from abpress.proof.modular import check_claims
from abpress.verify.load import load
from tests.modular.test_pairs import HEAD, alarms
from tests.sampling import sample

OBJECTS = """
struct acc { pthread_mutex_t lock, other; int n; } *accs[40];
void *f(void *p) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i >= 40) return 0;
  struct acc *a = accs[i], *b = accs[0];
  BODY
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 40; i++) {
    accs[i] = malloc(sizeof(struct acc));
    pthread_mutex_init(&accs[i]->lock, 0);
    pthread_mutex_init(&accs[i]->other, 0);
    accs[i]->n = 0;
  }
  for (int i = 0; i < 9; i++) pthread_create(&t, 0, f, 0);
}
"""
LOCKED = "pthread_mutex_lock(&a->lock); a->n++; pthread_mutex_unlock(&a->lock);"
GIVEN = """
struct dev { int n; int link; pthread_mutex_t lock; };
void *f(void *p) {
  struct dev *d = (struct dev *)((char *)p - offsetof(struct dev, link));
  BODY
  return 0;
}
int main(void) {
  for (;;) {
    pthread_t t;
    struct dev *d = malloc(sizeof *d);
    pthread_mutex_init(&d->lock, 0);
    pthread_create(&t, 0, f, &d->link);
    pthread_create(&t, 0, f, &d->link);
  }
}
"""
OF_DEV = "pthread_mutex_lock(&d->lock); d->n++; pthread_mutex_unlock(&d->lock);"
ELEMENTS = """
struct acc { pthread_mutex_t lock; int n; } *accs;
void *f(void *p) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i >= 40) return 0;
  BODY
  return 0;
}
int main(void) {
  pthread_t t;
  accs = malloc(40 * sizeof *accs);
  for (int i = 0; i < 40; i++) pthread_mutex_init(&accs[i].lock, 0);
  for (int i = 0; i < 9; i++) pthread_create(&t, 0, f, 0);
}
"""
OF_ELEMENT = "pthread_mutex_lock(&accs[i].lock); accs[i].n++; pthread_mutex_unlock(&accs[i].lock);"

KIND = (
    "int main(void) { pthread_mutexattr_t kind; pthread_mutexattr_init(&kind);"
    " pthread_mutexattr_settype(&kind, %s);"
)


def of_kind(kind: str) -> str:
    """The elements, with mutexes of a kind."""
    text = ELEMENTS.replace("int main(void) {", KIND % f"PTHREAD_MUTEX_{kind}")
    return text.replace("lock, 0)", "lock, &kind)")


TWICE = (
    "pthread_mutex_lock(&accs[i].lock); pthread_mutex_lock(&accs[i].lock); accs[i].n++;"
    " pthread_mutex_unlock(&accs[i].lock); pthread_mutex_unlock(&accs[i].lock);"
)

RIGHT = {
    "behind an array of pointers": (OBJECTS, LOCKED),
    "two locks": (
        OBJECTS,
        "pthread_mutex_lock(&a->lock); pthread_mutex_lock(&b->lock); a->n++;"
        "pthread_mutex_unlock(&a->lock); pthread_mutex_unlock(&b->lock);",
    ),
    "by a member": (GIVEN, OF_DEV),
    "in an array on the heap": (ELEMENTS, OF_ELEMENT),
    "recursive, taken twice": (of_kind("RECURSIVE"), TWICE),
    "checked for errors": (of_kind("ERRORCHECK"), OF_ELEMENT),
}
WRONG = {
    "another lock of the object": (
        OBJECTS,
        f"if (i % 2) {{ {LOCKED} }} else {{ {LOCKED.replace('a->lock', 'a->other')} }}",
    ),
    "another object": (OBJECTS, LOCKED.replace("a->n++", "b->n++")),
    "another pointer meanwhile": (
        OBJECTS,
        LOCKED.replace("a->n++;", "a = b; a->n++;"),
    ),
    "released by another name": (
        OBJECTS,
        LOCKED.replace("a->n++", "pthread_mutex_unlock(&b->lock); a->n++"),
    ),
    "behind the lock": (GIVEN, OF_DEV.replace("d->n++; ", "") + "d->n++;"),
    "initialised again": (GIVEN, "pthread_mutex_init(&d->lock, 0);" + OF_DEV),
    "another element": (ELEMENTS, OF_ELEMENT.replace("].n++", " / 2].n++")),
    "a pointer that moves on meanwhile": (
        ELEMENTS,
        "struct acc *a = accs + i; pthread_mutex_lock(&a->lock); a = accs + i / 2; a->n++;"
        "a = accs + i; pthread_mutex_unlock(&a->lock);",
    ),
    "recursive, released as often as taken": (
        of_kind("RECURSIVE"),
        TWICE.replace(" accs[i].n++;", "") + " accs[i].n++;",
    ),
    "recursive, released once too often": (
        of_kind("RECURSIVE"),
        OF_ELEMENT.replace(" accs", " pthread_mutex_unlock(&accs[i].lock); accs", 1),
    ),
    "recursive, of another element": (of_kind("RECURSIVE"), TWICE.replace("].n++", " / 2].n++")),
    "checked for errors, released by another": (
        of_kind("ERRORCHECK"),
        f"if (i % 2) {{ {OF_ELEMENT} }}"
        " else { pthread_mutex_unlock(&accs[i + 1].lock); accs[i + 1].n++; }",
    ),
    "another index meanwhile": (
        ELEMENTS,
        OF_ELEMENT.replace(" accs[i].n++", " i = i / 2; accs[i].n++"),
    ),
}


def text(program: tuple[str, str]) -> str:
    return "#include <stddef.h>\n" + program[0].replace("BODY", program[1])


@pytest.mark.parametrize("name", RIGHT)
def test_a_lock_in_an_object_guards_it(tmp_path: Path, name: str) -> None:
    assert alarms(tmp_path, text(RIGHT[name]), Detail()) == []


@pytest.mark.parametrize("name", sample(tuple(WRONG), 2))
def test_no_lock_of_another_object_does(tmp_path: Path, name: str) -> None:
    assert alarms(tmp_path, text(WRONG[name]), Detail())


OVERWRITE = MemorySteps._overwrite
RULES: tuple[tuple[str, Any, str, Callable[..., Any], str], ...] = (
    (
        "a register that gets another value names nothing any more",
        Known,
        "changed",
        lambda its, _: its,
        "another index meanwhile",
    ),
    (
        "who writes what may be the cell changes it",
        Overwriting,
        "changes",
        lambda its, _: iter(() if its.at is None else [(its.at, its.new)]),
        "released by another name",
    ),
    (
        "others change what is known by addresses",
        Interference,
        "_of_element",
        lambda *_: iter(()),
        "initialised again",
    ),
    (
        "all writes are told",
        MemorySteps,
        "_overwrite",
        lambda its, point, key, *rest: OVERWRITE(its, point, None, *rest),
        "initialised again",
    ),
    (
        "what is beside the accesses is as far from both as these are apart",
        beside.Encounter,
        "_shows",
        lambda _, __, ___, ____, mine, _____, its: bool(mine) and bool(its),
        "another lock of the object",
    ),
)


@pytest.mark.parametrize("rule", RULES, ids=[rule[0] for rule in RULES])
def test_each_rule_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rule: tuple[str, Any, str, Any, str]
) -> None:
    _, where, function, instead, program = rule
    monkeypatch.setattr(where, function, instead)
    assert alarms(tmp_path, text(WRONG[program]), Detail()) == []


def test_names_end_all_at_once() -> None:
    """A write to the pointer in `cell`, or to what is behind it: `next` is copied no more, though
    the address of what was behind `cell` has another name, as `q` holds it."""
    cell = Spot(Origin("static", -1, "list"), 0)
    behind = AddressedCell(NamedAddress(cell, 8), 8, frozenset({cell}))
    known = Known(copies={"next": behind, "q": cell})
    assert not known.changed({cell, behind}).copies
    assert known.changed({cell}).copies == {
        "next": AddressedCell(NamedAddress("q", 8), 8, frozenset({cell}))
    }


def test_parts_of_cells_have_no_name(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(HEAD + text((ELEMENTS, OF_ELEMENT)))
    solution = analyse(load(Config.of(file), every_access=True).program, Detail())
    assert solution is not None
    (heap,) = {spot.origin for spot in solution.globals.summaries if spot.origin.kind == "heap"}
    covers = solution.spots.covers
    size = solution.spots.period(heap)
    assert covers(Aimed(heap, 0, size, False), 8)
    assert not covers(Aimed(heap, 0, 4, False), 8)


def _claims(tmp_path: Path, program: tuple[str, str]) -> tuple[Any, Claims]:
    file = tmp_path / "program.c"
    file.write_text(HEAD + text(program))
    its = load(Config.of(file), every_access=True).program
    solution = analyse(its, Detail())
    assert solution is not None
    return its, claimed(solution, pairs(solution))


@pytest.mark.parametrize("name", sample(tuple(RIGHT), 2, 1))
def test_the_checker_accepts_what_is_written(tmp_path: Path, name: str) -> None:
    program, claims = _claims(tmp_path, RIGHT[name])
    assert read(written(claims)) == claims
    assert not check_claims(program, claims).doubts


def test_the_checker_rejects_what_is_not_so(tmp_path: Path) -> None:
    program, claims = _claims(tmp_path, RIGHT["by a member"])
    moved = {
        pair: tuple(Beside(r.first + 4, r.second) if isinstance(r, Beside) else r for r in its)
        for pair, its in claims.reasons.items()
    }
    assert moved != claims.reasons
    with pytest.raises(Rejected):
        check_claims(program, replace(claims, reasons=moved))
    (place, held), *_ = (
        (place, known)
        for place, its in claims.known.items()
        for known in its
        if known.values.elements
    )
    element = next(iter(held.values.elements))
    elsewhere = AddressedCell(element.address.moved(8), element.size, element.spots)
    values = held.values.but([(element, None), (elsewhere, held.get(element))])
    wrong = tuple(replace(k, values=values) if k is held else k for k in claims.known[place])
    with pytest.raises(Rejected):
        check_claims(program, replace(claims, known={**claims.known, place: wrong}))
