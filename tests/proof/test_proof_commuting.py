"""NOTE(commuting-steps): threads that sleep where steps that conflict commute, and where not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.horn import commuting
from abpress.engines.horn.engine import REDUCTION, prove
from abpress.ir.program import Program
from abpress.logic.formula import TRUE
from abpress.proof.certificate import Accepted, Certificate, format_certificate, parsed, read_tree
from abpress.proof.write import certificate
from abpress.result import Soundness, Verdict
from abpress.search.limits import Limits
from abpress.semantics.outcome import Options
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
