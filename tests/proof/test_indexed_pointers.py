"""Certificates of accesses by pointers that loops move. NOTE(indexed-pointers)

Each wrong program differs from a right one in a number, an operator, or an object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.modular.bounds.analysis import find
from abpress.modular.bounds.memory import AccessMemory
from abpress.modular.bounds.places import ANYWHERE, index_of, minus
from abpress.proof.bounds import walk
from abpress.proof.bounds.certificate import BoundsCertificate, BoundsStand
from abpress.proof.bounds.check import bounds_left_open, check_bounds
from abpress.proof.bounds.write import bounds_certificate
from abpress.proof.certificate import Rejected
from tests.proof.test_bounds import certified, program_of
from tests.sampling import sample

TEXT = """
int buffer[8], mat[4][5];
struct item { int key; int *at; } items[10];
void fill(int *from, int *to) { while (from != to) *from++ = 0; }
void *work(void *arg) {
  int n = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(), other[8], *a;
  assume(n > 0 && n < 1000);
  %s
  return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); return 0; }
"""
MADE = "a = malloc(sizeof *a * n); if (!a) return 0; "

RIGHT = {
    "below an end": "for (int *p = buffer; p < buffer + 8; p++) *p = 1;",
    "up to an end": "for (int *p = buffer; p != buffer + 8; p++) *p = 1;",
    "by a function": "fill(buffer, buffer + 8);",
    "downwards": "for (int *p = buffer + 8; p > buffer;) *--p = 1;",
    "downwards with a test first": "int *p = buffer + 8; while (p-- != buffer) *p = 1;",
    "below an end on the heap": MADE + "for (int *p = a; p < a + n; p++) *p = 1;",
    "up to an end on the heap": MADE + "int *e = a + n; for (int *p = a; p != e; p++) *p = 1;",
    "of structures": "for (struct item *p = items; p < items + 10; p++) p->at = &p->key;",
    "of two objects": "int *q = other; for (int *p = buffer; p < buffer + 8;) *q++ = *p++;",
    "by a member": "struct { int *p; } s = {buffer}; while (s.p < buffer + 8) *s.p++ = 1;",
    "an array of arrays": "for (int i = 0; i < 4; i++) for (int j = 0; j < 5; j++) mat[i][j] = i;",
    "counted up": "int *p = buffer; for (int k = 0; k < 8; k++) *p++ = 1;",
    "counted down": "int *p = buffer, k = 8; while (k--) *p++ = 1;",
    "counted down, with a size": "int *p = buffer; size_t k = 8; while (k-- > 0) *p++ = 1;",
    "in steps of two": "for (int *p = buffer; p < buffer + 8; p += 2) p[1] = 1;",
}

WRONG = {
    "below an end": ("buffer + 8;", "buffer + 9;"),
    "up to an end": ("buffer + 8;", "buffer + 9;"),
    "by a function": ("buffer + 8", "buffer + 9"),
    "downwards": ("p > buffer", "p >= buffer"),
    "downwards with a test first": ("buffer + 8", "buffer + 9"),
    "below an end on the heap": ("p < a", "p <= a"),
    "up to an end on the heap": ("a + n;", "a + n + 1;"),
    "of structures": ("items + 10", "items + 11"),
    "of two objects": ("*q = other", "*q = other + 1"),
    "by a member": ("{buffer}", "{buffer - 1}"),
    "an array of arrays": ("i < 4", "i < 5"),
    "counted up": ("k < 8", "k <= 8"),
    "counted down": ("k = 8", "k = 9"),
    "counted down, with a size": ("k-- > 0", "k-- >= 0"),
    "in steps of two": ("p[1]", "p[2]"),
}

TWO = "int *e = 0; a = 0; for (int k = 0; k < 2; k++) { a = e; e = malloc(4); } "
OPEN = {
    "an end in another object": "for (int *p = buffer; p != other + 8; p++) *p = 1;",
    "an end in another object of the place": TWO
    + "if (!a || !e) return 0; for (int *p = a; p != e + 1; p++) *p = 1;",
    "an end that wraps around": "assume(x >= 1 << 30 && x < (1 << 30) + 4);"
    " int *p = buffer + 8; if (p >= buffer + x) *p = 1;",
    "a pointer that may be null": "int *p = x ? buffer : 0; if (x < 2) while (p < buffer + 8)"
    " *p++ = 1;",
}


def text_of(name: str, wrong: bool = False) -> str:
    text = RIGHT[name]
    if wrong:
        assert WRONG[name][0] in text
        text = text.replace(*WRONG[name], 1)
    return TEXT % text


@pytest.mark.parametrize("name", RIGHT)
def test_right_programs_are_proved(name: str, tmp_path: Path) -> None:
    program = program_of(text_of(name), tmp_path)
    assert not find(program, Facts.of(program)).alarms
    assert check_bounds(program, certified(program)).property == "valid-deref"


@pytest.mark.parametrize(
    "text", [*(text_of(name, True) for name in WRONG), *(TEXT % text for text in OPEN.values())]
)
def test_wrong_programs_are_not(text: str, tmp_path: Path) -> None:
    program = program_of(text, tmp_path)
    assert find(program, Facts.of(program)).alarms
    with pytest.raises(Rejected, match="may be invalid"):
        check_bounds(program, certified(program))


def changed(
    certificate: BoundsCertificate, change: Callable[[BoundsStand], Iterator[BoundsStand]]
) -> Iterator[BoundsCertificate]:
    """The certificate with one stand changed, in each way."""
    for at, (first, *others) in certificate.stands.items():
        for its in change(first):
            yield replace(certificate, stands={**certificate.stands, at: (its, *others)})


def closer(stand: BoundsStand) -> Iterator[BoundsStand]:
    for k, (x, y, c) in enumerate(stand.differences):
        if minus("k") in (x, y) and x != index_of("p"):
            continue  # what is said of `k` implies it
        its = (*stand.differences[:k], (x, y, c - 1), *stand.differences[k + 1 :])
        yield replace(stand, differences=its)
    for name, places in stand.pointers.items():
        for o, low, high in places if index_of(name) in stand.numbers() else ():
            yield replace(stand, rests=((index_of(name), 2, 1),))
            for its in ((o, 8, max(8, high)), (o, -4, -4), ("items", low, high)):
                yield replace(stand, pointers={**stand.pointers, name: frozenset({its})})
            if low != high:
                yield replace(stand, rests=((index_of(name), 2, 0),))


def farther(stand: BoundsStand) -> Iterator[BoundsStand]:
    """Claims that may not be made, whether they are true or not."""
    for name, places in stand.pointers.items():
        for o, *_ in places:
            for its in ((o, ANYWHERE[0] - 1, 0), (o, 0, 1 << 31), (o, 1, 0), (o, 0, 1 << 70)):
                yield replace(stand, pointers={**stand.pointers, name: frozenset({its})})
        unknown = {n: p for n, p in stand.pointers.items() if n != name}
        null = {**stand.pointers, name: places | {("null", 0, 0)}}
        steps = ((index_of(name), "", 1 << 20),)
        yield replace(stand, pointers=unknown, differences=steps)
        yield replace(stand, pointers=null, differences=steps)
    yield replace(stand, differences=((index_of("n"), "", 1 << 20),))
    for name in (index_of("none"), minus("none"), minus(index_of("p")), minus(minus("k"))):
        yield replace(stand, differences=((name, "", 1 << 20),))
    yield replace(stand, rests=((minus("k"), 2, 0),))


@pytest.mark.parametrize("name", ["below an end on the heap", "in steps of two", "counted down"])
def test_stronger_claims_are_rejected(name: str, tmp_path: Path) -> None:
    program = program_of(text_of(name), tmp_path)
    certificate = certified(program)
    wrong = [*changed(certificate, closer), *changed(certificate, farther)]
    assert len(wrong) > 40
    for one in sample(wrong, 5):
        with pytest.raises(Rejected):
            check_bounds(program, one)


def test_offsets_in_two_objects_are_one_number(tmp_path: Path) -> None:
    """What is said of them is the same for both: the certificate follows from itself."""
    text = "int *q = buffer; for (int *p = other; p != other + 2; p++) q = p; n = q < a;"
    program = program_of(TEXT % text, tmp_path)
    found = find(program, Facts.of(program))
    bounds_left_open(program, bounds_certificate(program, found))


def test_places_of_cells_are_offsets(tmp_path: Path) -> None:
    program = program_of(TEXT.replace("int buffer", "int *g, buffer") % "g = buffer;", tmp_path)
    certificate = certified(program)
    for its in (("buffer", 0, 1 << 40), ("buffer", -1 << 33, 0)):
        always = {**certificate.always, "g@0": frozenset({its, ("null", 0, 0)})}
        with pytest.raises(Rejected, match="no pointer is where"):
            check_bounds(program, replace(certificate, always=always))


def test_each_rule_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it a wrong program is proved, or an edge that is taken needs no stand."""
    two = program_of(TEXT % OPEN["an end in another object of the place"], tmp_path)
    with monkeypatch.context() as rules:
        rules.setattr(AccessMemory, "is_one_object", lambda *_: True)
        assert check_bounds(two, certified(two))
    wraps = program_of(TEXT % OPEN["an end that wraps around"], tmp_path)
    certificate = certified(wraps)
    behind = next(
        (name, edge.target)
        for name, i in certificate.stands
        for edge in wraps.templates[name].locations[i].edges
        if "buffer" in str(edge.guard) and ">=" in str(edge.guard)
    )
    unreached = {at: its for at, its in certificate.stands.items() if at != behind}
    with pytest.raises(Rejected, match="nothing that is said"):
        check_bounds(wraps, replace(certificate, stands=unreached))
    monkeypatch.setattr(walk, "is_offset", lambda _: walk.TRUE)
    assert check_bounds(wraps, replace(certificate, stands=unreached))
