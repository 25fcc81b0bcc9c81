"""NOTE(preference-order): certificates in which threads sleep where they may, and where not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.horn.engine import prove
from abpress.ir.program import Program
from abpress.proof.certificate import Accepted, Certificate
from abpress.proof.write import certificate
from abpress.result import Soundness, Verdict
from abpress.search.limits import Limits
from abpress.semantics.outcome import Options
from tests.engines.programs import INT, THREAD_ENDS, code, main, program
from tests.proof.builder import build, everything, only
from tests.proof.proofs import expansion, verdict, with_node

PREFERENCE = "preference-order"
FAILS = 'fail "unreach-call" "reached"'

READS = program(
    main("w", "v"),
    code("w", "*&x := 1", THREAD_ENDS),
    code("v", "a := *&x", "when a == 0 -> L2\n when a != 0 -> L3", FAILS, THREAD_ENDS, a="i32"),
    x=INT,
)
"""An error if v reads before w writes."""

LOOPS = program(
    main("w", "v", join=False, end=THREAD_ENDS),
    code("w", "*&x := 1 -> L0"),
    code("v", FAILS),
    x=INT,
)
"""An endless loop beside an error."""


def rejected(p: Program, c: Certificate, *reasons: str) -> None:
    assert build(p, everything, "none").error
    answer = verdict(p, c)
    assert isinstance(answer, str), "accepted"
    for reason in reasons:
        assert reason in answer


def test_nobody_sleeps_where_it_begins() -> None:
    built = build(READS, only("main", "w", w=0, v=0), PREFERENCE)
    assert not built.error
    rejected(READS, built.certificate, "main.2 does not come before the step of main")


def test_nobody_sleeps_without_having_been_tried() -> None:
    """v has one step, which fails and commutes with all that the others do, but nobody does it."""
    built = build(LOOPS, only("main", "w", v=0), PREFERENCE)
    assert not built.error
    rejected(LOOPS, built.certificate, "is not expanded in main.2")


def test_the_order_is_that_of_the_node() -> None:
    """The same threads sleep, but where they were tried they come last."""
    p, c = SAFE, proved()
    assert isinstance(verdict(p, c), Accepted)
    turned = replace(
        c,
        nodes=tuple(
            node
            if node.expanded is None
            else replace(node, expanded=dict(reversed(node.expanded.items())))
            for node in c.nodes
        ),
    )
    answer = verdict(p, turned)
    assert isinstance(answer, str)
    assert "which does not come after it there" in answer


SAFE = program(
    main("w", "v"),
    code("w", "*&x := 1", "*&y := 1", THREAD_ENDS),
    code(
        "v",
        "a := *&z",
        "a := *&x",
        "when a >= 0 -> L4\n when a < 0 -> L3",
        FAILS,
        THREAD_ENDS,
        a="i32",
    ),
    x=INT,
    y=INT,
    z=INT,
)


@cache
def proved() -> Certificate:
    """What the engine says of the program that is safe."""
    config = Config.of(Path(), engine="horn", property="unreach-call")
    results, evidence = prove(SAFE, config, Limits(time=60.0), lambda _: None, Soundness())
    assert results["unreach-call"].verdict is Verdict.TRUE, results
    return certificate(SAFE, "unreach-call", Options.within(config.bounds), evidence)


def test_threads_sleep() -> None:
    """The certificate that the others damage does leave threads out."""
    c = proved()
    answer = verdict(SAFE, c)
    assert isinstance(answer, Accepted)
    others = {p.digest: len(p.threads) for p in c.places}
    assert any(len(expansion(n)) < others[c.places[n.place].digest] for n in c.nodes)


def test_every_thread_counts() -> None:
    """Without a thread somewhere the certificate is rejected, unless that one may sleep there."""
    c = proved()
    reasons = []
    for n, node in enumerate(c.nodes):
        for name in expansion(node):
            fewer = {t: x for t, x in expansion(node).items() if t != name}
            answer = verdict(SAFE, with_node(c, n, replace(node, expanded=fewer)))
            if isinstance(answer, str):
                assert "is not expanded in" in answer
                reasons.append(answer)
    assert len(reasons) > len(c.nodes) // 2


def test_every_child_counts() -> None:
    c = proved()
    without = 0
    for n, node in enumerate(c.nodes):
        for name, children in expansion(node).items():
            for k in range(len(children)):
                fewer = {**expansion(node), name: children[:k] + children[k + 1 :]}
                answer = verdict(SAFE, with_node(c, n, replace(node, expanded=fewer)))
                without += isinstance(answer, str) and "has no child" in answer
    assert without > len(c.nodes) // 2


def test_labels_count() -> None:
    """Some label is needed, and one that is wrong is never believed."""
    c = proved()
    labelled = [n for n, node in enumerate(c.nodes) if node.label]
    assert labelled
    weaker = [with_node(c, n, replace(c.nodes[n], label=())) for n in labelled]
    assert any(isinstance(verdict(SAFE, w), str) for w in weaker)
    wrong = replace(c, formulas=("x@0 == 7", *c.formulas[1:]))
    assert isinstance(verdict(SAFE, wrong), str)


@pytest.mark.parametrize("p", [READS, LOOPS])
def test_no_certificate_is_for_another_program(p: Program) -> None:
    assert isinstance(verdict(p, proved()), str)
