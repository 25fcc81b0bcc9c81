"""Invariants of proofs in witnesses: what certificates say, in C, as far as it holds.

NOTE(observing-code)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from abpress.config import Config
from abpress.ir.expr import Binary, Compare, Const, Convert, Reg
from abpress.ir.program import Program
from abpress.ir.types import INT, IntType
from abpress.logic.formula import format_formula, holds
from abpress.modular.values import Number, Self
from abpress.result import Verdict
from abpress.verify.page.names import ModelNames
from abpress.verify.page.sources import ShownFiles
from abpress.verify.run import verify
from abpress.verify.witnesses import invariants
from abpress.verify.witnesses.c_words import CWords, ghost_name
from abpress.verify.witnesses.invariants import GuessedInvariants, guessed, with_invariants
from abpress.verify.witnesses.places import places_of
from abpress.verify.witnesses.validate import WitnessAnswer, validate
from abpress.verify.witnesses.write import standard_witness, witness_text
from abpress.witness.standard.model import (
    CorrectnessWitness,
    StatedInvariant,
    WitnessLocation,
    WitnessTask,
)
from tests.verify.witnesses.test_validate import NOW

LOOP = """\
#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t m;
int used;
void *f(void *a) {
  int i = 0;
  while (i < 2) {
    pthread_mutex_lock(&m);
    used = 1;
    used = 0;
    pthread_mutex_unlock(&m);
    i++;
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  if (used != 0) {
    reach_error();
  }
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
"""

ADDED = """\
#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t m;
int data;
void *one(void *a) {
  pthread_mutex_lock(&m);
  data = data + 1;
  pthread_mutex_unlock(&m);
  return 0;
}
void *two(void *a) {
  pthread_mutex_lock(&m);
  data = data + 2;
  pthread_mutex_unlock(&m);
  return 0;
}
void *look(void *a) {
  pthread_mutex_lock(&m);
  if (data > 3) {
    reach_error();
  }
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t, u, v;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_create(&v, 0, look, 0);
  return 0;
}
"""

ENGINES = [
    ("static", "unreach-call", LOOP, ("loop_invariant", 7, "0 <= i && i <= 2")),
    ("static", "no-data-race", LOOP, ("location_invariant", 9, "m_locked == 1")),
    ("abpress", "unreach-call", ADDED, ("location_invariant", 13, "data <= 3")),
    ("horn", "unreach-call", LOOP.replace("i < 2", "i < 1"), None),
]


class Proved:
    """A program in a file that an engine has proved."""

    def __init__(self, folder: Path, text: str, engine: str, property: str) -> None:
        self.file = folder / "p.c"
        self.file.write_text(text)
        self.witness = folder / "w.yml"
        config = Config.of(self.file, property=property, engine=engine, time_limit=60.0)
        self.config = config.but(line_markers=False)
        self.report = verify(self.config)
        assert self.report.result.verdict is Verdict.TRUE

    def stated(self) -> CorrectnessWitness:
        witness = standard_witness(self.config, self.report, 30.0)
        assert isinstance(witness, CorrectnessWitness)
        return witness

    def answer(self, witness: CorrectnessWitness) -> WitnessAnswer:
        self.witness.write_text(witness_text(witness, "auto", ".yml", NOW))
        return validate(Config.of(self.file, time_limit=60.0), self.witness).standing


@pytest.mark.parametrize("engine, property, text, expected", ENGINES)
def test_what_is_stated_is_confirmed_and_its_contrary_is_not(
    tmp_path: Path, engine: str, property: str, text: str, expected: tuple[str, int, str] | None
) -> None:
    proved = Proved(tmp_path, text, engine, property)
    witness = proved.stated()
    said = {
        ("loop_invariant" if i.at_loop else "location_invariant", i.location.line, i.value)
        for i in witness.invariants
    }
    assert expected is None or expected in said, said
    assert proved.answer(witness) is WitnessAnswer.CONFIRMED
    reached = [i for i in witness.invariants if "reach_error" not in _line(text, i)]
    for its in reached[:2]:
        contrary = replace(its, value=f"!({its.value})")
        wrong = replace(witness, invariants=(contrary,))
        assert proved.answer(wrong) is not WitnessAnswer.CONFIRMED, contrary


def _line(text: str, stated: StatedInvariant) -> str:
    return text.split("\n")[stated.location.line - 1]


def test_nothing_is_stated_without_a_certificate_or_time(tmp_path: Path) -> None:
    explicit = Proved(tmp_path, LOOP, "explicit", "unreach-call")
    assert explicit.stated().invariants == ()
    static = Proved(tmp_path, LOOP, "static", "unreach-call")
    assert standard_witness(static.config, static.report) == replace(
        static.stated(), invariants=(), ghosts=(), updates=()
    )


def states(proved: Proved, monkeypatch: Any, *guesses: tuple[int, int, str]) -> list[str]:
    """What is stated if these are the guesses: line, column and expression."""
    all = tuple(
        StatedInvariant(WitnessLocation("p.c", line, column), value, False)
        for line, column, value in guesses
    )
    monkeypatch.setattr(invariants, "guessed", lambda *_: GuessedInvariants(all))
    places = places_of(proved.config.program)
    task = WitnessTask({}, "", "")
    stated = with_invariants(task, proved.config, places, proved.report, 30.0).invariants
    return [its.value for its in stated]


def test_a_wrong_guess_is_not_stated(tmp_path: Path, monkeypatch: Any) -> None:
    """Whatever the mapping of certificates to lines gets wrong is caught by the search."""
    proved = Proved(tmp_path, LOOP, "static", "unreach-call")
    stated = states(
        proved,
        monkeypatch,
        (9, 5, "i == 0"),  # in the second round it is 1
        (9, 5, "used == 0"),
        (19, 3, "used == 0"),  # the lock is not held yet
        (9, 5, "t == t"),  # a variable of another function
        (9, 5, "i + 2147483647 > 0"),  # overflows, which proves nothing
        (20, 3, "used == 0"),
    )
    assert stated == ["used == 0"]


def test_an_input_is_not_stated_to_be_in_its_range_before_it_is_looked_at(tmp_path: Path) -> None:
    """The model narrows inputs to what lets the thread go on; at the test they are anything."""
    text = """\
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int n, x;
void *f(void *a) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  n = __VERIFIER_nondet_int();
  if (n < 0 || n > 3) {
    abort();
  }
  pthread_create(&t, 0, f, 0);
  while (x == 0) {
    if (n > 3) {
      reach_error();
    }
  }
  return 0;
}
"""
    for engine in ("static", "abpress"):
        proved = Proved(tmp_path, text, engine, "unreach-call")
        witness = proved.stated()
        at_test = [i.value for i in witness.invariants if i.location.line in (13, 14)]
        assert not any("n" in value for value in at_test), witness.invariants
        assert proved.answer(witness) is WitnessAnswer.CONFIRMED


def test_a_mutex_with_other_uses_has_no_ghost_variable(tmp_path: Path) -> None:
    def ghosts(text: str) -> Sequence[str]:
        its = Proved(tmp_path, text, "static", "no-data-race")
        report = its.report
        places = places_of(its.config.program)
        return tuple(guessed(its.config, places, report).ghosts)

    assert ghosts(LOOP) == ("m_locked",)
    tried = LOOP.replace("  pthread_join", "  while (pthread_mutex_trylock(&m)) ;\n  pthread_join")
    assert ghosts(tried) == ()
    kept = LOOP.replace("int used;", "int used;\npthread_mutex_t *p = &m;")
    passed = kept.replace("  int i = 0;", "  int i = p == 0;")
    assert ghosts(passed) == ()


def test_versions_without_ghost_variables_state_the_rest(tmp_path: Path) -> None:
    witness = Proved(tmp_path, LOOP, "static", "no-data-race").stated()
    assert any("m_locked" in i.value for i in witness.invariants)
    (entry,) = yaml.safe_load(witness_text(witness, "yaml-2.0", ".yml", NOW))
    values = [i["invariant"]["value"] for i in entry["content"]]
    assert values and not any("m_locked" in value for value in values)
    first, _ = yaml.safe_load(witness_text(witness, "auto", ".yml", NOW))
    assert first["entry_type"] == "ghost_instrumentation"
    assert [u["location"]["line"] for u in first["content"]["ghost_updates"]] == [8, 11, 19, 23]


def test_variables_that_a_statement_may_name(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("""\
int g;
int f(int p) {
  int a = 1;
  for (int i = 0; i < a; i++) {
    int b = i + g;
    a += b;
  }
  {
    int c = 2;
    a += c;
  }
  return a;
}
int late;
int main(void) { return f(late); }
""")
    places = places_of(Config.of(file).program)
    sites = {line: places.sites.statement(places.file, line) for line in (3, 4, 6, 10, 12)}
    nodes = {line: site.node for line, site in sites.items() if site is not None}
    known = places.sites.names_before(nodes.values())
    mine = {line: known[id(node)] & set("gpabci") for line, node in nodes.items()}
    mine |= {99: frozenset({"late"}) & known[id(nodes[12])]}
    assert {line: "".join(sorted(names)) for line, names in mine.items()} == {
        3: "gp",
        4: "agp",
        6: "abgip",
        10: "acgp",
        12: "agp",
        99: "",
    }


def test_expressions_are_those_of_c() -> None:
    names = ModelNames(Program({}, {}), ShownFiles({"p.c": "x y s"}))
    words = CWords(names)
    x, y = Reg("f:x", INT), Reg("y#2", IntType(32, False))
    said = [
        format_formula(holds(e))
        for e in (
            Compare("<", Convert(x, IntType(64, True)), Const(1 << 40, IntType(64, True))),
            Compare("==", Binary("+", y, Const(1, y.type)), Const(4294967295, y.type)),
            Compare("==", Reg("%3", INT), Const(0, INT)),
            Compare("<", Binary("+", Reg("s", IntType(8, True)), Const(1, IntType(8, True))),
                    Const(5, IntType(8, True))),
        )
    ]  # fmt: skip
    assert words.formula(said[0]) == ""  # always true: a smaller number is folded
    assert words.formula(said[1]) == "y == 4294967294u"
    assert words.formula(said[2]) == ""  # a temporary
    assert "s + " not in words.formula(said[3])  # C would not add in 8 bits
    assert words.values("x", [Number(2), Number(0)], ()) == "x == 0 || x == 2"
    assert words.values("x", map(Number, range(-1, 9)), ()) == "-1 <= x && x <= 8"
    assert words.values("x", [Number(0), Self()], ()) == ""
    assert words.values("lock.%1", [Number(0)], ()) == ""
    assert words.interval("x", -(1 << 31), None) == "(-2147483647 - 1) <= x"
    assert words.difference("x", "y", -1) == "x < y"
    assert words.difference("x", "y", 5) == ""
    assert words.holds("a.lock") == "a_lock_locked == 1" and words.locks
    assert ghost_name("m") == "m_locked"
