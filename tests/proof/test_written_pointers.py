"""Pointers that threads find in memory where they were written, NOTE(written-numbers): in arrays of
records, whichever of them it is, also where others begin with null or with anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.config import Config
from abpress.ir.program import Load, Program, Store
from abpress.ir.reader import parse_program
from abpress.modular.bounds.analysis import find
from abpress.modular.bounds.places import Pointees
from abpress.modular.bounds.written import NumberSteps
from abpress.proof.bounds.certificate import Places
from abpress.proof.bounds.check import check_bounds
from abpress.proof.bounds.walk import EdgeWalk
from abpress.proof.bounds.written import NumberChecks
from abpress.proof.certificate import Rejected, program_digest
from abpress.verify.load import load
from tests.proof.test_bounds import certified
from tests.proof.test_written_numbers import require_open

TEXT = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
struct job { int *from; int n; long sum; };
int data[100], few[2], k;
pthread_t t[4];
void *work(void *a) {
  struct job *p = a; int n = p->n;
  for (int i = 0; i < n; i++) p->sum += p->from[i];
  return 0;
}
STATIC
int main(void) {
  k = __VERIFIER_nondet_int(); LOCAL;
  for (int i = 0; i < 4; i++) { FILL CREATE }
  return 0;
}
"""
FILL = "j[i].from = data + 25 * i; j[i].n = 25;"
CREATE = "pthread_create(&t[i], 0, work, &j[i]);"
KINDS = {
    "local": {"LOCAL": "struct job j[4]", "STATIC": ""},
    "static": {"STATIC": "struct job j[4];", "LOCAL": ""},
    "allocated": {
        "LOCAL": "struct job *j = malloc(4 * sizeof *j); if (!j) abort()",
        "STATIC": "",
    },
}
WRONG = {
    "another array": (FILL + " if (k) j[i].from = few;", CREATE),
    "null": (FILL, "if (k) j[i].from = 0;" + CREATE),
    "later": ("", CREATE + FILL),
    "not all": ("if (i < 3) { " + FILL + " }", CREATE),
    "not this one": ("j[i].n = 25; if (i < 3) j[i].from = data;", CREATE),
    "the next one": (FILL, CREATE.replace("&j[i]", "&j[(i + 1) % 4]")),
    "moved too far": (FILL.replace("25 * i;", "26 * i;"), CREATE),
    "in part": (FILL, "((char *)&j[i].from)[1] = 1;" + CREATE),
    "as a number": (FILL, "*(long *)&j[i].from = k;" + CREATE),
    "half of it as a number": (FILL, "*(int *)&j[i].from = k;" + CREATE),
    "as another pointer": (FILL, "if (k) *(void **)&j[i].from = few;" + CREATE),
    "without a value": ("int *q; j[i].from = q; j[i].n = 1;", CREATE),
    "copied": (FILL, "if (k) j[i] = j[(i + 1) % 4];" + CREATE),
}
REALLOCATED = (
    FILL + "if (i == 3) { j = realloc(j, 5 * sizeof *j); if (!j) abort(); j[4].n = 25;",
    CREATE.replace("&j[i]", "&j[4]") + "}",
)


def program_of(kind: str, fill: str, create: str, folder: Path) -> Program:
    text = TEXT.replace("FILL", fill).replace("CREATE", create)
    for name, its in KINDS[kind].items():
        text = text.replace(name, its)
    file = folder / "program.c"
    file.write_text(text)
    return load(Config.of(file)).program


@pytest.mark.parametrize("kind", KINDS)
def test_pointers_are_known_where_they_were_written(kind: str, tmp_path: Path) -> None:
    """The wrong programs are open, also by the certificate of the right one."""
    right = program_of(kind, FILL, CREATE, tmp_path)
    certificate = certified(right)
    check_bounds(right, certificate)
    programs = list(WRONG.values())[list(KINDS).index(kind) :: len(KINDS)]
    for fill, create in (*programs, REALLOCATED) if kind == "allocated" else programs:
        wrong = program_of(kind, fill, create, tmp_path)
        require_open(wrong)
        with pytest.raises(Rejected):
            check_bounds(wrong, replace(certificate, program=program_digest(wrong)))


def test_other_contents_are_rejected(tmp_path: Path) -> None:
    program = program_of("local", FILL, CREATE, tmp_path)
    certificate = certified(program)
    (name,) = (cell for cell in certificate.always if cell.endswith(":="))
    for places in ({("data", 0, 299)}, {("data", 1, 300)}, {("few", 0, 300)}, set()):
        always = {**certificate.always, name: frozenset(places)}
        with pytest.raises(Rejected):
            check_bounds(program, replace(certificate, always=always))
    without = {cell: its for cell, its in certificate.always.items() if cell != name}
    for always in (without, {**without, "main:j@8:=": certificate.always[name]}):
        with pytest.raises(Rejected):
            check_bounds(program, replace(certificate, always=always))


def _tells_data(self: NumberSteps, effect: Store) -> None:
    for m in self.memory.given.at(self.template, effect.address, 8).members:
        self.tell(m.given, frozenset({("data", 0, 300)}))


def _nothing(*_: object) -> None:
    pass


def _wherever(self: NumberSteps, effect: Load) -> Pointees | None:
    its = self.memory.given.at(self.template, effect.address, 8)
    (content,) = {self.always.get(m.given) for m in its.members} or {None}
    return content if isinstance(content, frozenset) else None


def _wherever_it_is_read(self: NumberChecks, walk: EdgeWalk, effect: Load) -> Places | None:
    its = self.memory.given.at(walk.template, effect.address, 8)
    (content,) = {self.certificate.always.get(m.given) for m in its.members} or {None}
    return content if isinstance(content, frozenset) else None


Patch = tuple[type, str, Callable[..., object]]
BROKEN: dict[str, tuple[str, Patch, Patch]] = {
    "each write is told": (
        "another array",
        (NumberSteps, "give", _tells_data),
        (NumberChecks, "give", _nothing),
    ),
    "it was written": (
        "not this one",
        (NumberSteps, "pointer", _wherever),
        (NumberChecks, "pointer", _wherever_it_is_read),
    ),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_each_rule_is_needed_and_checked(
    rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it the analysis finds a wrong program right; and the checker does, if it leaves it
    out, too."""
    wrong, analysis, checker = BROKEN[rule]
    program = program_of("local", *WRONG[wrong], tmp_path)
    monkeypatch.setattr(*analysis)
    certificate = certified(program)
    assert not find(program, Facts.of(program)).alarms
    with pytest.raises(Rejected):
        check_bounds(program, certificate)
    monkeypatch.setattr(*checker)
    check_bounds(program, certificate)


COPIES = """
program pointer 4 overflow end
object jobs {2 * {4: 0 ptr4}} = 2 * 0ptr4
object raw {4: 0 ptr4} = 0ptr4
object data {2 * {4: 0 i32}} = 2 * 0
template main entry L0
  register i: i32
  register p: ptr4
  L0: i := any "i" [0, 1] -> L1
  L1: *(&jobs + (i64(i) * 4i64)) := &data -> L2
  L2: COPY -> L3
  L3: p := *(&jobs + (i64(i) * 4i64)) -> L4
  L4: *(p + 4i64) := 1 -> L5
  L5: exit "end" -> L5
"""


def test_copies_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    right = parse_program(COPIES.replace("COPY", ""), "program.abp")
    check_bounds(right, certified(right))
    wrong = parse_program(COPIES.replace("COPY", "copy *&jobs := *&raw, 4"), "program.abp")
    require_open(wrong)
    monkeypatch.setattr(NumberSteps, "copy", _nothing)
    certificate = certified(wrong)
    with pytest.raises(Rejected, match="may be copied to"):
        check_bounds(wrong, certificate)
    monkeypatch.setattr(NumberChecks, "copy", _nothing)
    check_bounds(wrong, certificate)
