"""Certificates of accesses that rest on what pointers on the heap and in arrays may be.

Takes NOTE(members) at its word: each program that is open breaks a rule of it, and in most of them
an access is invalid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.analysis.points_to import Heap, name_of
from abpress.ir.expr import Expr
from abpress.ir.program import Alloc, Program
from abpress.modular.analysis import analyse
from abpress.modular.bounds.analysis import find
from abpress.modular.bounds.members import FRESH, Member
from abpress.modular.bounds.places import Pointees
from abpress.modular.bounds.pointers import PointerSteps
from abpress.modular.bounds.values import Sum
from abpress.proof.bounds.certificate import BoundsCertificate, BoundsStand, Places
from abpress.proof.bounds.check import bounds_left_open, check_bounds
from abpress.proof.bounds.write import bounds_certificate
from abpress.proof.certificate import Rejected
from tests.proof.test_bounds import program_of
from tests.proof.test_locks import accesses
from tests.sampling import sample

LIST = """
struct node { int value; struct node *next; } *first, *other, end;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
struct node *fresh(void) {
  struct node *n = malloc(sizeof *n);
  n->value = 0;
  %s
  return n;
}
void insert(struct node *n) {
  pthread_mutex_lock(&lock);
  struct node *next = first->next;
  first->next = n;
  n->next = next;
  pthread_mutex_unlock(&lock);
}
void *work(void *arg) { %s return 0; }
int main(void) {
  pthread_t t[3];
  first = fresh();
  %s
  for (int k = 0; k < 3; k++) pthread_create(&t[k], 0, work, 0);
  %s
  return 0;
}
"""


def nodes(
    work: str, before: str = "", beside: str = "", begun: str = "n->next = 0;", head: str = ""
) -> str:
    return head + LIST % (begun, work, before, beside)


WALK = (
    "pthread_mutex_lock(&lock); struct node *p = first;"
    " while (p->next && __VERIFIER_nondet_int()) p = p->next;"
    " pthread_mutex_unlock(&lock); p->value++;"
)
ARRAY = """
struct node { int value; struct node *next; } *slots[4];
struct { struct node *slots[4]; int marks[4]; } both;
int k;
struct node *fresh(void) { struct node *n = malloc(sizeof *n); n->next = 0; return n; }
void *work(void *arg) { %s return 0; }
int main(void) {
  pthread_t t;
  %s
  pthread_create(&t, 0, work, 0);
  %s
  pthread_join(t, 0);
  return 0;
}
"""


def slots(work: str, before: str, beside: str = "") -> str:
    return ARRAY % (work, before, beside)


FILL = "for (int j = 0; j < 4; j++) slots[j] = fresh();"
USE = "int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 4) slots[i]->value = 1;"

SAFE = {
    "one that is walked under a lock": nodes(WALK, "", "insert(fresh());"),
    "any number that insert": nodes("insert(fresh());" + WALK),
    "one of two ends": nodes("struct node *p = first->next; if (p) p->value = 1;"),
    "a ring": nodes("first->next->value = 1;", "", "insert(fresh());", "n->next = n;"),
    "made to point elsewhere first": nodes(
        "struct node *n = malloc(sizeof *n); n->next = &end; first->next = n; n->next->value = 1;",
        "first->next = &end;",
    ),
    "one that is zeroed": nodes(
        "struct node *n = calloc(1, sizeof *n); first->next = n; if (n->next) n->next->value = 1;"
    ),
    "one without others": nodes("", "first->next = fresh(); first->next->value = 1;"),
    "an array that is filled": slots(USE, FILL),
    "an array that is filled, beside others": slots(
        USE.replace("slots", "both.slots") + "if (i >= 0 && i < 4) both.marks[i] = 1;",
        FILL.replace("slots", "both.slots"),
    ),
    "an array whose elements are tested": slots(
        "int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0;"
        " struct node *p = slots[i]; if (p) p->value = 1;",
        "slots[1] = fresh();",
        "slots[2] = fresh();",
    ),
}

INVALID = {
    "one that is walked under no lock": nodes(
        WALK.replace("pthread_mutex_lock(&lock);", "").replace("pthread_mutex_unlock(&lock);", ""),
        "insert(fresh());",
        "first->next = 0;",
    ),
    "one that is walked under another lock": nodes(
        WALK.replace("&lock", "&second"),
        "insert(fresh());",
        "pthread_mutex_lock(&lock); first->next = 0; pthread_mutex_unlock(&lock);",
    ),
    "one that is told before it is set": nodes(
        "struct node *n = malloc(sizeof *n); first->next = n; n->next = &end;"
        " first->next->next->value = 1;",
        "first->next = first;",
    ),
    "one of which nothing is set": nodes("first->next->value = 1;", "", "", ""),
    "an end": nodes("first->next->value = 1;"),
    "another end": nodes(
        "struct node *p = first->next; if (p) p->next->value = 1;", "", "insert(fresh());"
    ),
    "tested and read again": nodes(
        "if (first->next) first->next->value = 1;", "insert(fresh());", "first->next = 0;"
    ),
    "tested, written and read again": nodes(
        "pthread_mutex_lock(&lock); struct node *p = first, *q = first;"
        " if (p->next) { q->next = 0; struct node *r = p->next; r->value = 1; }"
        " pthread_mutex_unlock(&lock);",
        "insert(fresh());",
    ),
    "told by the other that is made there": nodes(
        "struct node *o = 0; while (1) { struct node *n = malloc(sizeof *n);"
        " if (o) { n->next = &end; o->next->value = 1; break; } o = n; }",
    ),
    "told in an integer": nodes(
        "struct node *n = malloc(sizeof *n); place = (unsigned long)n; n->next = &end;"
        " struct node *m = (struct node *)place; first->next = m;",
        "",
        "struct node *q = (struct node *)place; if (q) q->next->value = 1;",
        head="unsigned long place;",
    ),
    "told to a thread": nodes(
        "",
        "",
        "struct node *n = malloc(sizeof *n); pthread_create(&t[0], 0, more, n); n->next = 0;",
    ).replace(
        "int main",
        "void *more(void *a) { ((struct node *)a)->next->value = 1; return 0; }\nint main",
    ),
    "a copy of what is not set": nodes(
        "struct node *n = malloc(sizeof *n), *m = malloc(sizeof *m); n->next = &end;"
        " *n = *m; n->next->value = 1;"
    ),
    "an array that is not filled": slots(USE, FILL.replace("j < 4", "j < 3")),
    "an array that is filled from the second one": slots(USE, FILL.replace("j = 0", "j = 1")),
    "an array of which every second is filled": slots(USE, FILL.replace("j++", "j += 2")),
    "an array that is filled beside": slots(USE, "", FILL),
    "an array that is filled and emptied": slots(USE, FILL, "slots[k] = 0;"),
    "an array that is filled with null": slots(
        USE, FILL.replace("fresh()", "j == 2 ? 0 : fresh()")
    ),
    "an array that is filled at two places": slots(USE, FILL.replace("slots[j]", "slots[j & 1]")),
    "what is written beside the array": slots(
        USE.replace("slots", "both.slots"),
        FILL.replace("slots", "both.slots"),
        "int j = __VERIFIER_nondet_int(); if (j >= -4 && j < 4) both.marks[j] = 0;",
    ),
}


def certificates(program: Program) -> Iterator[BoundsCertificate]:
    """What is found, with and without what single threads know, each with an alarm."""
    found = find(program, Facts.of(program))
    assert found.alarms
    yield replace(bounds_certificate(program, found), alarms=())
    certificate, alarms = best(program)
    assert alarms
    yield certificate


def best(program: Program) -> tuple[BoundsCertificate, int]:
    """A certificate with what single threads know, if that is usable; and the number of alarms."""
    solution = analyse(program)
    if solution is not None and not solution.doubts:
        return accesses(program)
    found = find(program, Facts.of(program))
    return replace(bounds_certificate(program, found), alarms=()), len(found.alarms)


@pytest.mark.parametrize("name", SAFE)
def test_safe_programs_are_proved(name: str, tmp_path: Path) -> None:
    program = program_of(SAFE[name], tmp_path)
    certificate, alarms = accesses(program)
    assert not alarms
    assert check_bounds(program, certificate).property == "valid-deref"


@pytest.mark.parametrize("name", sample(tuple(INVALID), 2))
def test_programs_with_invalid_accesses_are_not(name: str, tmp_path: Path) -> None:
    """Neither the analysis nor the checker says that they are valid."""
    program = program_of(INVALID[name], tmp_path)
    for certificate in certificates(program):
        with pytest.raises(Rejected, match="may be invalid"):
            check_bounds(program, certificate)


def _without_null(places: Places) -> Places:
    return frozenset(place for place in places if place[0] != "null")


def _less(contents: Mapping[str, object]) -> Iterator[dict[str, Places]]:
    """One of the contents less, or without null."""
    for name, places in contents.items():
        if isinstance(places, frozenset):
            for gone in sorted(places):
                yield {name: places - {gone}}
            yield {name: _without_null(places)}


def _weakened(certificate: BoundsCertificate) -> Iterator[BoundsCertificate]:
    """Others that say more of members, of what is behind registers, and of who knows what."""
    for changed in _less(certificate.always):
        yield replace(certificate, always={**certificate.always, **changed})
    for at, its in certificate.stands.items():
        for k, stand in enumerate(its):
            for other in _others(stand):
                stands = (*its[:k], other, *its[k + 1 :])
                yield replace(certificate, stands={**certificate.stands, at: stands})


def _others(stand: BoundsStand) -> Iterator[BoundsStand]:
    for site in stand.fresh:
        yield replace(stand, fresh=tuple(s for s in stand.fresh if s != site))
    for changed in _less(stand.pointers):
        yield replace(stand, pointers={**stand.pointers, **changed})
    for register in stand.same:
        yield replace(stand, same={**stand.same, register: "*p+0"})


@pytest.mark.parametrize(
    ("name", "every"),
    [
        ("one that is walked under a lock", 25),
        ("one without others", 12),
        ("an array that is filled", 6),
    ],
)
def test_claims_that_are_stronger_are_rejected(name: str, every: int, tmp_path: Path) -> None:
    """Each claim is as strong as it can be, but for those that nobody has to keep."""
    program = program_of(SAFE[name], tmp_path)
    certificate, _ = accesses(program)
    accepted = []
    total = 0
    for other in sample([c for c in _weakened(certificate) if c != certificate], every):
        total += 1
        try:
            check_bounds(program, other)
        except Rejected:
            continue
        accepted.append(other)
    assert total > 2
    assert not accepted


KNOWN_OTHERWISE = """
struct node { int value; struct node *next; long word; } *first;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int g;
void *work(void *arg) {
  struct node *own = malloc(sizeof *own), *n = malloc(sizeof *n);
  own->next = own; own->value = 0; own->word = 0;
  n->value = 0; n->word = 0;
  %s
  pthread_mutex_lock(&lock); first = n; pthread_mutex_unlock(&lock);
  struct node *next = own->next;
  g = next->value;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&lock);
  if (first) { struct node *its = %s; if (its) its->next = 0; }
  pthread_mutex_unlock(&lock);
  return 0;
}
"""


@pytest.mark.parametrize(
    ("tells", "found"),
    [
        ("n->next = 0; n->word = (long)own;", "(struct node *)first->word"),
        ("n->next = 0; *(int **)&n->word = &own->value;", "*(struct node **)&first->word"),
        ("if (g) n->next = own;", "first->next"),
        ("n->next = own;", "first->next"),
    ],
    ids=["a number", "not where a pointer is", "maybe", "a member"],
)
def test_what_leads_to_an_object_makes_it_known(tells: str, found: str, tmp_path: Path) -> None:
    """The access is left open, also where the other thread's write through the pointer is."""
    program = program_of(KNOWN_OTHERWISE % (tells, found), tmp_path)
    facts = find(program, Facts.of(program))
    here = {
        (template, location, k)
        for template, location, k in facts.alarms
        if "next->value" in _line(program, (template, location, k), tmp_path)
    }
    assert here
    others = tuple(place for place in facts.alarms if place not in here)
    certificate = replace(bounds_certificate(program, facts), alarms=others)
    with pytest.raises(Rejected, match="may be invalid"):
        bounds_left_open(program, certificate)


def _line(program: Program, place: tuple[str, int, int], folder: Path) -> str:
    template, location, k = place
    position = program.templates[template].locations[location].edges[k].position.origin
    return Path(position.file).read_text().splitlines()[position.line - 1]


def test_all_writes_count_that_others_may_see(tmp_path: Path) -> None:
    """Places at which a shared object is written cannot be said to be of one thread."""
    program = program_of(SAFE["one that is walked under a lock"], tmp_path)
    certificate, _ = accesses(program)
    everywhere = frozenset((name, i) for name, i in certificate.stands)
    with pytest.raises(Rejected, match="others may know what is written"):
        check_bounds(program, replace(certificate, private=everywhere))


def test_what_only_one_thread_knows_is_in_no_content(tmp_path: Path) -> None:
    program = program_of(SAFE["one without others"], tmp_path)
    certificate, _ = accesses(program)
    name = next(name for name, content in certificate.always.items() if ":" in name and content)
    content = certificate.always[name]
    assert isinstance(content, frozenset)
    (object, *_) = name.rpartition("@")
    more = content | {(f"{object}!", 0, 0)}
    with pytest.raises(Rejected, match="others do not know"):
        check_bounds(program, replace(certificate, always={**certificate.always, name: more}))


def _tells_nothing(self: PointerSteps, name: str, places: Pointees | None) -> None:
    pass


def _fills_with_any(self: PointerSteps, m: Member, address: Expr) -> None:
    self.state.zone.shift(m.filled, 1)


def _takes_all_as_filled(self: PointerSteps, m: Member, index: Sum) -> int:
    return 1


def _forgets_no_members(self: PointerSteps, members: Iterable[Member]) -> None:
    pass


def _forgets_nothing(self: PointerSteps, location: int) -> None:
    pass


def _takes_the_older_for_the_new(self: PointerSteps, effect: Alloc, site: Heap) -> str:
    name = name_of(site)
    self.state.fresh.add(name)
    return f"{name}{FRESH}"


BROKEN: dict[str, tuple[str, Callable[..., object], str]] = {
    "what is written is told": ("_tell", _tells_nothing, "an end"),
    "what is not set is told": ("_tell", _tells_nothing, "one of which nothing is set"),
    "the next element is filled": (
        "_fill",
        _fills_with_any,
        "an array that is filled at two places",
    ),
    "so many are filled": ("_least", _takes_all_as_filled, "an array that is not filled"),
    "own writes change it": (
        "_forget_behind",
        _forgets_no_members,
        "tested, written and read again",
    ),
    "others may write it": (
        "forget_unkept",
        _forgets_nothing,
        "one that is walked under another lock",
    ),
    "one is new": (
        "allocate",
        _takes_the_older_for_the_new,
        "told by the other that is made there",
    ),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_each_rule_is_needed_and_checked(
    rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a rule a wrong program has a proof, which the checker does not accept."""
    name, instead, wrong = BROKEN[rule]
    program = program_of(INVALID[wrong], tmp_path)
    monkeypatch.setattr(PointerSteps, name, instead)
    certificate, alarms = best(program)
    assert not alarms
    with pytest.raises(Rejected):
        check_bounds(program, certificate)
