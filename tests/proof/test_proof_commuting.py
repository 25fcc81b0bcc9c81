"""NOTE(commuting-steps): threads that sleep where steps that conflict commute, and where not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.horn import commuting
from abpress.engines.horn.engine import prove
from abpress.engines.horn.evidence import REDUCTION
from abpress.engines.horn.graph import Building
from abpress.engines.horn.orders import ORDERS, Arrangement
from abpress.ir.program import Program
from abpress.logic.formula import TRUE
from abpress.proof.certificate import Accepted, Certificate, format_certificate, parsed, read_tree
from abpress.proof.write import certificate
from abpress.result import Soundness, Verdict
from abpress.search.limits import Limits
from abpress.semantics.outcome import Options
from abpress.symbolic.system import SymbolicSystem
from abpress.verify.load import load
from tests.engines.programs import INT, THREAD_ENDS, code, main, program
from tests.proof.proofs import expansion, verdict, with_node

FAILS = 'fail "unreach-call" "reached"'


def two(first: str, second: str, wrong: str, right: str, begin: int = 1) -> Program:
    """Two threads, each with one step that sets x, and a third one that fails if x is wrong."""
    return program(
        main("w", "v"),
        code("w", "a := *&x", f"atomic: *&x := {first}", THREAD_ENDS, a="i32"),
        code(
            "v",
            "a := *&x",
            f"atomic: *&x := {second}",
            "a := *&x",
            f"when {wrong} -> L5\n when {right} -> L4",
            THREAD_ENDS,
            FAILS,
            a="i32",
        ),
        x=f"{{4: 0 i32}} = {begin}",
    )


def queue(wrong: str, right: str) -> Program:
    """A producer of one item, where there is one, and a consumer that waits for one."""
    return program(
        main("w", "v"),
        code("w", "a := *&x", "atomic: *&x := (a + 1)", THREAD_ENDS, a="i32"),
        code(
            "v",
            "a := *&x",
            "atomic: await a > 0",
            "atomic: *&x := (a - 1)",
            "a := *&x",
            f"when {wrong} -> L6\n when {right} -> L5",
            THREAD_ENDS,
            FAILS,
            a="i32",
        ),
        x=INT,
    )


def proof_of(p: Program) -> tuple[Verdict, Certificate | None]:
    config = Config.of(Path(), engine="horn", property="unreach-call")
    results, evidence = prove(p, config, Limits(time=40.0), lambda _: None, Soundness())
    found = results["unreach-call"].verdict
    if evidence is None:
        return found, None
    return found, certificate(p, "unreach-call", Options.within(config.bounds), evidence)


def test_what_commutes_is_proved_and_refuted() -> None:
    for p, expected in (
        (two("(a + 1)", "(a + 2)", "a > 4", "a <= 4"), Verdict.TRUE),
        (two("(a + 1)", "(a + 2)", "a == 4", "a != 4"), Verdict.FALSE),
        (two("(a + 1)", "(a * 2)", "a == 3", "a != 3"), Verdict.FALSE),
        (two("(a + 1)", "(a * 2)", "a == 4", "a != 4"), Verdict.FALSE),
        (queue("a > 1", "a <= 1"), Verdict.TRUE),
        (queue("a == 0", "a != 0"), Verdict.FALSE),
    ):
        found, c = proof_of(p)
        assert found is expected
        if c is not None:
            assert isinstance(verdict(p, c), Accepted)


@cache
def proved() -> tuple[Program, Certificate]:
    p = two("(a + 1)", "(a + 2)", "a > 4", "a <= 4")
    _, c = proof_of(p)
    assert c is not None
    assert c.reduction == REDUCTION
    return p, c


def test_steps_that_conflict_need_the_rule() -> None:
    """Without it the same certificate is rejected: someone sleeps although steps conflict."""
    p, c = proved()
    answer = verdict(p, replace(c, reduction="preference-order"))
    assert isinstance(answer, str)
    assert "conflict" in answer or "has no such formulas" in answer


@pytest.mark.parametrize(("wrong", "right"), [("a == 3", "a != 3"), ("a == 4", "a != 4")])
def test_steps_that_do_not_commute_are_seen(
    monkeypatch: pytest.MonkeyPatch, wrong: str, right: str
) -> None:
    """An engine that lets threads sleep anyway proves nothing: one order of the two is wrong."""
    monkeypatch.setattr(commuting.Conditions, "of", lambda *_: TRUE)
    p = two("(a + 1)", "(a * 2)", wrong, right)
    found, c = proof_of(p)
    if c is None:
        assert found is Verdict.FALSE
        return
    answer = verdict(p, c)
    assert isinstance(answer, str)
    assert "may conflict" in answer


def test_formulas_are_those_of_the_rule() -> None:
    """A formula under which a step leads to a child is not taken on trust, nor left out."""
    p, c = proved()
    n = next(k for k, node in enumerate(c.nodes) if any(expansion(node).values()))
    name, children = next((t, its) for t, its in expansion(c.nodes[n]).items() if its)
    assert children
    partly = replace(c, formulas=(*c.formulas, "x@0 == 7"))
    damaged = with_node(partly, n, replace(c.nodes[n], when={(name, 0): len(c.formulas)}))
    answer = verdict(p, damaged)
    assert isinstance(answer, str)
    assert read_tree(parsed(format_certificate(damaged))) == damaged
    unknown = with_node(c, n, replace(c.nodes[n], when={(name, 0): len(c.formulas)}))
    assert isinstance(verdict(p, unknown), str)
    other = replace(damaged, reduction="preference-order")
    assert isinstance(verdict(p, other), str)


@pytest.mark.parametrize("property", ["no-deadlock", "no-data-race"])
def test_only_errors_are_kept(property: str) -> None:
    p, c = proved()
    answer = verdict(p, replace(c, property=property))
    assert isinstance(answer, str)
    assert "keeps errors only" in answer


GREATEST = """
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, n, i, j, *a;
unsigned char y;
void either(int k) { if (!(k >= i || k >= j)) abort(); }
void *one(void *p) {
  __VERIFIER_atomic_begin();
  FIRST
  __VERIFIER_atomic_end();
  return 0;
}
void *two(void *p) {
  __VERIFIER_atomic_begin();
  SECOND
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t s, t;
  n = __VERIFIER_nondet_int();
  i = __VERIFIER_nondet_int();
  j = __VERIFIER_nondet_int();
  if (i < 0 || j < 0 || i >= n || j >= n || n > 1000) return 0;
  a = malloc(n * sizeof(int));
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  if (x < 0 || y == 9) reach_error();
  return 0;
}
"""


def always_commute(folder: Path, first: str, second: str) -> bool:
    """Whether the second block could always have come before each way through the first one."""
    file = folder / "greatest.c"
    text = GREATEST.replace("FIRST", first).replace("SECOND", second)
    file.write_text(text, encoding="utf-8")
    p = load(Config.of(file, property="unreach-call")).program
    system = SymbolicSystem(p, Options())
    arrangement = Arrangement(ORDERS["sequential"], p)
    building = Building(system, arrangement, lambda step: True, None)
    graph = building.complete(lambda nodes: nodes > 2_000)
    found = commuting.Conditions(system, 0)
    steps = [
        (node.discrete, step)
        for node in graph.nodes
        if [part.location for part in node.discrete.threads[1:]] == [0, 0]
        for step in system.steps(node.discrete, 2)
        if step.fault is None and step.successor.status is None
    ]
    assert steps
    return all(found.of(d, step, 3) is TRUE for d, step in steps)


def test_elements_without_a_value_are_no_choice_of_who_reads_them(tmp_path: Path) -> None:
    """The greater of two elements, with a first read of an element more on one way than on the
    other: the order does not matter, but for one that adds something."""
    first = "if (x < a[i]) x = a[i];"
    assert always_commute(tmp_path, first, "if (x < a[j]) x = a[j];")
    assert not always_commute(tmp_path, first, "if (x < a[j]) x = a[j] / 2;")
    assert not always_commute(tmp_path, first, "if (x <= a[j]) x = a[j] - 1;")


def test_ways_that_do_the_same_are_one(tmp_path: Path) -> None:
    """There are 32 of them; an assumption about what the other block writes still counts."""
    same = "".join(f"either({k});" for k in range(100, 105))
    assert always_commute(tmp_path, "y += 1;", f"{same} y += 2;")
    assert always_commute(tmp_path, f"{same} y += 1;", "y += 2;")
    assert not always_commute(tmp_path, "y += 1;", f"{same} either(y); y += 2;")
