"""Numbers that threads find in memory that has no cells: what is written there is known.

Takes NOTE(written-numbers) at its word: each wrong program has another number where the right one
has what was written, or none at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.config import Config
from abpress.ir.expr import Expr
from abpress.ir.program import Effect, Program
from abpress.ir.reader import parse_program
from abpress.modular.bounds.analysis import find
from abpress.modular.bounds.members import Member
from abpress.modular.bounds.memory import AccessMemory
from abpress.modular.bounds.number_members import WrittenAddresses, WrittenAt
from abpress.modular.bounds.written import NumberSteps
from abpress.proof.bounds.certificate import BoundsStand
from abpress.proof.bounds.check import check_bounds
from abpress.proof.bounds.write import bounds_certificate
from abpress.proof.certificate import Rejected, program_digest
from abpress.verify.load import load
from tests.proof.test_bounds import certified
from tests.proof.test_indexed_pointers import changed

TEXT = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
struct part { int from, to; long sum; };
int data[100], k;
pthread_t t[4];
struct part all[4];
struct part *g;
void *work(void *a) { struct part *p = a; WORK return 0; }
BETWEEN
int main(void) { struct part parts[4]; MAIN return 0; }
"""
USE = "for (int i = p->from; i < p->to; i++) p->sum += data[i];"
COPIED = (
    "int lo = p->from, hi = p->to; long s = 0;"
    " for (int i = lo; i < hi; i++) s += data[i]; p->sum = s;"
)
EACH = "for (int i = 0; i < 4; i++) "
FILL = "parts[i].from = 25 * i; parts[i].to = 25 * (i + 1);"
CREATE = "pthread_create(&t[i], 0, work, &parts[i]);"
EACH_PART = EACH + "{ " + FILL + CREATE + " }"
OWN = (
    "struct part *q = malloc(sizeof *q); if (!q) abort(); q->from = 25 * i; q->to = q->from + 25;"
    " pthread_create(&t[i], 0, work, q);"
)
RIGHT = {
    "parts of the first thread": (USE, EACH_PART),
    "copied into variables first": (COPIED, EACH_PART),
    "copied, and given on": (
        "struct part own[1]; own[0].from = p->from; own[0].to = p->to; p = own;" + COPIED,
        EACH_PART,
    ),
    "filled before": (
        USE,
        "parts[0].from = 3; parts[0].to = 100; pthread_create(&t[0], 0, work, &parts[0]);",
    ),
    "parts that begin with zero": (
        USE,
        EACH + "all[i].to = 25 * (i + 1); pthread_create(&t[0], 0, work, &all[0]);",
    ),
    "one that is allocated": (USE, EACH + "{ " + OWN.replace("q->from + 25", "25 * i + 25") + " }"),
    "one that begins with zero": (
        USE,
        "struct part *q = calloc(1, sizeof *q); if (!q) abort(); q->to = 7;"
        " pthread_create(&t[0], 0, work, q);",
    ),
    "by another pointer": (
        USE,
        EACH + "{ struct part *q = &parts[i]; q->from = 0; q->to = 100;"
        " pthread_create(&t[i], 0, work, q); }",
    ),
    "handed on": (
        "if (p->to < 0) return 0; for (int i = p->from; i < 25 && i < p->to; i++) data[i] = 1;"
        " p++; p--; for (int i = p->from; i < p->to; i++) data[i] = 1;",
        EACH_PART,
    ),
    "beside a variable of its own": (
        "int own[4]; own[k & 3] = 1; k = own[k & 3];" + USE,
        EACH_PART,
    ),
}
WRONG = {
    "parts of the first thread": ("i + 1)", "i + 1) + 1"),
    "copied into variables first": ("lo = p->from", "lo = p->from - 1"),
    "copied, and given on": ("own[0].to = p->to", "own[0].to = p->sum"),
    "filled before": ("parts[0].from = 3;", "parts[1].from = 3;"),
    "parts that begin with zero": ("25 * (i + 1)", "26 * (i + 1)"),
    "one that is allocated": ("q->from = 25 * i;", "if (i < 3) q->from = 25 * i;"),
    "one that begins with zero": ("calloc(1, sizeof *q)", "malloc(sizeof *q)"),
    "by another pointer": ("q->from = 0;", "q++; q->from = 0; q--; q--; q++;"),
    "handed on": ("p--;", "p->from = -1; p--;"),
    "beside a variable of its own": ("&parts[i]", "&parts[(i + 1) % 4]"),
}


def program_of(work: str, main: str, folder: Path, between: str = "") -> Program:
    file = folder / "program.c"
    file.write_text(TEXT.replace("WORK", work).replace("MAIN", main).replace("BETWEEN", between))
    return load(Config.of(file)).program


def require_open(program: Program) -> None:
    with pytest.raises(Rejected):
        check_bounds(program, certified(program))


@pytest.mark.parametrize("name", RIGHT)
def test_numbers_that_were_written_are_known(name: str, tmp_path: Path) -> None:
    """Of the wrong program neither its own certificate is accepted nor the right one's."""
    work, main = RIGHT[name]
    right = program_of(work, main, tmp_path)
    certificate = certified(right)
    check_bounds(right, certificate)
    old, new = WRONG[name]
    assert (old in work) is not (old in main)
    wrong = program_of(work.replace(old, new), main.replace(old, new), tmp_path)
    require_open(wrong)
    with pytest.raises(Rejected):
        check_bounds(wrong, replace(certificate, program=program_digest(wrong)))


UNWRITTEN = {
    "written when the thread is there": EACH + "{ " + CREATE + FILL + " }",
    "with another element": EACH + "{ " + FILL + " i = (i + 1) % 4;" + CREATE + " }",
    "a number without a value": EACH
    + "{ int n; parts[i].from = n; parts[i].to = 9;"
    + CREATE
    + "}",
    "computed of one": EACH + "{ int n; parts[i].from = n + 1; parts[i].to = 9;" + CREATE + "}",
    "through a pointer that may be another": "int *q = k ? &parts[2].from : &parts[2].to;"
    " *q = 5; pthread_create(&t[0], 0, work, &parts[2]);",
    "at an index that others change": "pthread_create(&t[0], 0, work, &all[0]);"
    " parts[k & 3].from = 1; parts[k & 3].to = 9; pthread_create(&t[1], 0, work, &parts[k & 3]);",
    "of one that begins anew": EACH + "{ struct part one; if (i == 0) { one.from = 0; one.to = 9; }"
    " pthread_create(&t[i], 0, work, &one); }",
    "read in the next round": EACH + "{ struct part one; if (i == 0) { one.from = 0; one.to = 9;"
    " pthread_create(&t[i], 0, work, &one); } else pthread_join(t[0], 0); }",
    "allocated again": EACH + "{ struct part *q = malloc(sizeof *q); if (!q) abort(); if (i == 0)"
    " { q->from = 0; q->to = 9; } data[q->from] = 1; free(q); }",
    "freed": "struct part *q = malloc(sizeof *q), *p = q; if (!q) abort(); p->from = 1; free(q);"
    " q = malloc(sizeof *q); if (!q) abort(); data[p->from] = 1;",
    "reallocated": "struct part *q = malloc(sizeof *q); if (!q) abort(); q->from = 1;"
    " q = realloc(q, 2 * sizeof *q); if (!q) abort(); data[q[1].from] = 1;",
}
"""Of the first thread: what others read may not have been written."""

OTHERWISE = {
    "bytes": "((char *)&parts[1].from)[3] = k;",
    "any bytes": "((char *)parts)[k & 63] = 1;",
    "two at once": "*(long *)&parts[1].from = -1;",
    "half": "*(short *)&parts[1].to = 1000;",
    "without a sign": "*(unsigned *)&parts[1].from = -1u;",
    "a float": "*(float *)&parts[1].from = -1;",
    "the one beside": "*(&parts[k & 3].from + 1) = 1000;",
    "copied": "struct part more; more.from = 0; more.to = 1000; memcpy(&parts[1], &more, 8);",
    "assigned": "struct part more = {0, 1000}; struct part *q = &parts[k & 3]; *q = more;",
    "set": "memset(&parts[1], k, sizeof parts[1]);",
    "added to": "__atomic_fetch_add(&parts[1].to, 1000, __ATOMIC_SEQ_CST);",
    "exchanged": "int e = 25; __atomic_compare_exchange_n(&parts[1].from, &e, -5, 0, 0, 0);",
    "counted": "for (int i = 0; i < 4; i++) parts[i].to++;",
    "greater": "parts[k & 3].to = 101;",
}
"""How elements are written that threads read meanwhile."""

OWN = "struct part own; if (%s) { own.from = 0; own.to = 9; }"
AGAIN = (
    "if (p) { " + USE + " } for (int i = 0; i < 2; i++) { " + OWN % "i == 0" + "THEN }",
    "pthread_create(&t[0], 0, work, 0);",
    "",
)
FUNCTION = "void f(int n) { " + OWN % "n == 2" + " THEN }"
HAND = "pthread_create(&t[i], 0, work, &own);"
WAIT = "if (i == 0) " + HAND + " else pthread_join(t[0], 0);"
ANOTHER_LIFE = {
    "of a thread alike": (AGAIN, HAND),
    "of a thread alike, in the next round": (AGAIN, WAIT),
    "of a function": ((USE, "f(2); f(1);", FUNCTION), HAND.replace("i", "n")),
    "of a function in a loop": (
        (USE, "for (int i = 2; i > 0; i--) f(i);", FUNCTION),
        "if (n == 2) pthread_create(&t[0], 0, work, &own); else pthread_join(t[0], 0);",
    ),
    "of a recursive function": (
        (USE, "f(2);", FUNCTION),
        "pthread_create(&t[n], 0, work, &own); if (n) f(n - 1); pthread_join(t[n], 0);",
    ),
    "of one of several threads": (
        (
            "for (int i = 0; i < 2; i++) { struct part own; g = &own; struct part *q = g;"
            " q->from = 0; data[q->from] = 1; }",
            "pthread_create(&t[0], 0, work, 0); pthread_create(&t[1], 0, work, 0);",
            "",
        ),
        "",
    ),
    "of the first thread": (
        (
            "p = g; if (p) { p->from = 0; k = 1; data[p->from] = 1; }",
            EACH + "{ struct part own; g = &own;"
            " if (i == 0) pthread_create(&t[0], 0, work, 0); else pthread_join(t[0], 0); }",
            "",
        ),
        "",
    ),
}
"""Local objects that begin anew, or that other threads have, too."""


@pytest.mark.parametrize("name", UNWRITTEN)
def test_numbers_that_may_not_be_written_are_not(name: str, tmp_path: Path) -> None:
    require_open(program_of(USE, UNWRITTEN[name], tmp_path))


@pytest.mark.parametrize("name", OTHERWISE)
def test_all_that_is_written_counts(name: str, tmp_path: Path) -> None:
    require_open(program_of(USE, EACH_PART + OTHERWISE[name], tmp_path))


@pytest.mark.parametrize("name", ANOTHER_LIFE)
def test_another_life_of_an_object_is_not_told(name: str, tmp_path: Path) -> None:
    (work, main, between), then = ANOTHER_LIFE[name]
    text = (it.replace("THEN", then) for it in (work, main, between))
    work, main, between = text
    require_open(program_of(work, main, tmp_path, between))


def more(stand: BoundsStand) -> Iterator[BoundsStand]:
    for at in (("$arg", 8), ("$arg", 0), ("&parts", 0), ("&no such object", 0)):
        if at not in stand.written:
            yield replace(stand, written=(*stand.written, at))


def test_more_than_is_written_is_rejected(tmp_path: Path) -> None:
    program = program_of(*RIGHT["parts of the first thread"], tmp_path)
    certificate = certified(program)
    wrong = list(changed(certificate, more))
    assert len(wrong) > 8
    for one in wrong[:: max(1, len(wrong) // 8)]:
        with pytest.raises(Rejected):
            check_bounds(program, one)


def test_closer_contents_are_rejected(tmp_path: Path) -> None:
    """Also where a member of a static object begins with what it may not hold."""
    for name, members in (("parts of the first thread", 2), ("parts that begin with zero", 2)):
        program = program_of(*RIGHT[name], tmp_path)
        certificate = certified(program)
        contents = {
            cell: its
            for cell, its in certificate.always.items()
            if cell.startswith(("main:parts@", "all@")) and isinstance(its, tuple)
        }
        assert len(contents) == members
        for cell, (low, high) in contents.items():
            for its in ((low + 1, high), (low, high - 1)):
                always = {**certificate.always, cell: its}
                with pytest.raises(Rejected):
                    check_bounds(program, replace(certificate, always=always))


def _keeps_all(
    self: WrittenAddresses, template: str, written: frozenset[WrittenAt], effect: Effect
) -> frozenset[WrittenAt]:
    return written | BEHIND(self, template, written, effect)


def _all_of_it(self: NumberSteps, m: Member, address: Expr) -> bool:
    return True


def _tells_nothing(self: NumberSteps, address: Expr, value: Expr, known: bool) -> None:
    for m in self.memory.numbers.at(self.template, address, value.type.size).members:
        self.tell(m.name, (0, 9))


BEHIND = WrittenAddresses.behind

BROKEN: dict[str, tuple[type, str, Callable[..., object], str]] = {
    "what begins with anything is written": (
        NumberSteps,
        "_is_set",
        _all_of_it,
        "written when the thread is there",
    ),
    "all writes are told": (NumberSteps, "store", _tells_nothing, "a number without a value"),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_each_rule_is_needed_and_checked(
    rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a rule the analysis finds a wrong program right, and the checker does not."""
    where, name, instead, wrong = BROKEN[rule]
    program = program_of(USE, UNWRITTEN[wrong], tmp_path)
    monkeypatch.setattr(where, name, instead)
    found = find(program, Facts.of(program))
    assert not found.alarms
    with pytest.raises(Rejected):
        check_bounds(program, bounds_certificate(program, found))


ANEW = (
    "int j = k & 1, first = 1; while (__VERIFIER_nondet_int())"
    " { int own[2]; if (first) own[j] = 3; first = 0; data[own[j]] = 1; }"
)


@pytest.mark.parametrize(
    ("work", "main"),
    [(USE, UNWRITTEN["with another element"]), (ANEW, "pthread_create(&t[0], 0, work, 0);")],
    ids=["a register changes", "an object begins anew"],
)
def test_addresses_are_forgotten(
    work: str, main: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What depends on a register that changes, or is in an object that begins anew, may be another
    address, or not be written: else wrong programs have proofs."""
    program = program_of(work, main, tmp_path)
    require_open(program)
    monkeypatch.setattr(WrittenAddresses, "behind", _keeps_all)
    check_bounds(program, certified(program))


def test_copies_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
program pointer 4 overflow end
object parts {2 * {8: 0 i32 ".a", 4 i32 ".b"}} = 4 * 0
object raw {8: 0 i32, 4 i32} = 2 * ?
object data {4 * {4: 0 i32}} = 4 * 0
template main entry L0
  register i: i32
  register j: i32
  L0:
    i := any "i" [0, 1] -> L1
  L1:
    *(&parts + (i64(i) * 8i64)) := 3 -> L2
  L2:
    COPY -> L3
  L3:
    j := *(&parts + (i64(i) * 8i64)) -> L4
  L4:
    *(&data + (i64(j) * 4i64)) := 1 -> L5
  L5:
    exit "end" -> L5
"""
    right = parse_program(text.replace("COPY", ""), "program.abp")
    check_bounds(right, certified(right))
    wrong = parse_program(text.replace("COPY", "copy *&parts := *&raw, 8"), "program.abp")
    require_open(wrong)
    with pytest.raises(Rejected, match="may be copied to"):
        check_bounds(wrong, replace(certified(right), program=program_digest(wrong)))
    monkeypatch.setattr(NumberSteps, "copy", lambda self, target: None)
    with pytest.raises(Rejected, match="may be copied to"):
        check_bounds(wrong, certified(wrong))


LIFE = """
program pointer 4 overflow end
object data {4 * {4: 0 i32}} = 4 * 0
object g {4: 0 ptr4} = 0ptr4
template main entry L0
  register t: u32
  local x {4: 0 i32} = ?
  L0: enter x -> L1
  L1: *&x := 1 -> L2
  L2: *&g := &x -> L3
  L3: t := spawn w ARGUMENT -> NEXT
  L4: exit "end" -> L4
template w entry L0
  register $arg: ptr4
  register p: ptr4
  register j: i32
  L0: POINTER
  L1:
      when p == 0ptr4 -> L4
      when p != 0ptr4 WRITE -> L2
  L2: j := *p -> L3
  L3: *(&data + (i64(j) * 4i64)) := 1 -> L4
  L4: finish 0ptr4 -> L4
"""
GIVEN = {"ARGUMENT": "&x", "POINTER": "p := $arg -> L1", "WRITE": ""}
FOUND = {"ARGUMENT": "0ptr4", "POINTER": "p := *&g -> L1", "WRITE": "do *p := 2"}


def life(how: dict[str, str], then: str) -> Program:
    text = LIFE.replace("NEXT", then)
    for name, its in how.items():
        text = text.replace(name, its)
    return parse_program(text, "program.abp")


@pytest.mark.parametrize("how", [GIVEN, FOUND], ids=["given", "found"])
def test_objects_that_begin_once_are_told_of(
    how: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the object of another thread began anew, nobody would say so: by the condition that
    counts, no number of it is known."""
    right = life(how, "L4")
    check_bounds(right, certified(right))
    wrong = life(how, "L0")
    require_open(wrong)
    monkeypatch.setattr(WrittenAddresses, "_begins_once", lambda self, o: True)
    check_bounds(wrong, certified(wrong))


ONE_PATH = """
program pointer 4 overflow end
object parts {2 * {4: 0 i32}} = 2 * 7
object data {4 * {4: 0 i32}} = 4 * 0
template main entry L0
  register c: i32
  register j: i32
  register k: i32
  L0: c := any "c" [0, 1] -> L1
  L1: WHEN
  L2: j := k -> L3
  L3: when j == 0 -> L4
  L4: *(&data + (i64(k) * 4i64)) := 1 -> L5
  L5: exit "end" -> L5
"""
READ = "k := *(&parts + (i64(c) * 4i64)) -> L2"


def test_copies_of_what_one_path_reads_may_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """A register that is loaded on one path only may have no value: its copy is another number."""
    right = parse_program(ONE_PATH.replace("WHEN", READ), "program.abp")
    check_bounds(right, certified(right))
    paths = f"\n      when c == 0 do {READ}\n      when c != 0 -> L2"
    wrong = parse_program(ONE_PATH.replace("WHEN", paths), "program.abp")
    require_open(wrong)
    monkeypatch.setattr(AccessMemory, "_wild", lambda self, template: frozenset())
    check_bounds(wrong, certified(wrong))


def test_addresses_without_a_value_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use = "int n; parts[n & 3].from = 1; data[parts[n & 3].from] = 1;"
    program = program_of("", use, tmp_path)
    require_open(program)
    monkeypatch.setattr(WrittenAddresses, "_is_kept", lambda self, template, base: True)
    check_bounds(program, certified(program))
