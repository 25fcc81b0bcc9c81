"""NOTE(symmetric-covers): graphs in which nodes that differ in which thread is which are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.art.view import ArtView
from abpress.config import ON, Config
from abpress.engines.horn import encoding, evidence
from abpress.engines.horn import engine as engine_module
from abpress.engines.horn.engine import prove
from abpress.engines.horn.exchanged import Peers, repeated
from abpress.engines.horn.graph import Building, Graph
from abpress.engines.horn.orders import ORDERS, Arrangement
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.proof.certificate import Accepted, Certificate
from abpress.proof.write import certificate
from abpress.result import Result, Soundness, Verdict
from abpress.search.limits import Limits
from abpress.semantics.outcome import Options
from abpress.symbolic.discrete import SymbolicStep
from abpress.symbolic.exchange import Moves, SymmetricSystem
from tests.proof.proofs import verdict, with_node
from tests.proof.test_symmetric_covers import PAIRS, TOLD_APART
from tests.sampling import examples
from tests.search.test_symmetric import asked_of, drawn, violated

UNREACHED = "unreach-call"


def decided(
    p: Program, symmetry: str = ON, property: str = UNREACHED
) -> tuple[Result, Certificate | None]:
    """What the engine says, and the certificate of a "true"."""
    config = Config.of(Path(), engine="horn", symmetry=symmetry, property=property)
    results, found = prove(p, config, Limits(time=30), lambda _: None, Soundness())
    options = Options.within(config.bounds)
    assert found is None or isinstance(found, ArtView)
    its = None if found is None else certificate(p, property, options, found)
    return results[property], its


@pytest.mark.parametrize("name", list(PAIRS)[:: 1 if examples(1, 2) > 1 else 7])
def test_right_programs_are_proved_and_wrong_ones_refuted(name: str) -> None:
    right, wrong = PAIRS[name]
    result, found = decided(parse_program(right))
    assert found is not None, result
    assert isinstance(verdict(parse_program(right), found), Accepted)
    on = result.statistics["symmetry"] == "on"
    assert on == found.symmetric == any(node.moves for node in found.nodes)
    assert on == (name not in TOLD_APART)
    result, found = decided(parse_program(wrong))
    assert (result.verdict, found) == (Verdict.FALSE, None)


KINDS = "two kinds"


def graph_of(text: str, *, merged: bool, order: str = "sequential") -> Graph:
    """The graph of one order."""
    p = parse_program(text)
    system = SymmetricSystem(p)
    peers = Peers(system) if merged else None
    arrangement = Arrangement(ORDERS[order], p)
    building = Building(system, arrangement, lambda _: True, None, peers)
    return building.complete(lambda _: False)


@pytest.mark.parametrize("order", ["sequential", "steps"])
def test_graphs_have_fewer_nodes(order: str) -> None:
    plain = graph_of(PAIRS[KINDS][0], merged=False, order=order)
    merged = graph_of(PAIRS[KINDS][0], merged=True, order=order)
    assert not plain.has_others
    assert merged.has_others
    assert 2 * len(merged.nodes) < len(plain.nodes)


def test_other_threads_are_no_others() -> None:
    """Who becomes another at a cover is not arbitrary."""
    p = parse_program(PAIRS[KINDS][0])
    _, c = decided(p)
    assert c is not None
    tried = 0
    for n, node in enumerate(c.nodes):
        if node.covered_by is None or len(c.places[node.place].threads) < 5 or tried > 5:
            continue
        if node.place != c.nodes[node.covered_by].place:
            for other in ({}, {"main.1": "main.3", "main.3": "main.1"}):
                answer = verdict(p, with_node(c, n, replace(node, moves=other)))
                assert isinstance(answer, str), n
                assert "another place" in answer or "not alike" in answer
                tried += 1
    assert tried > 5


def test_labels_at_covers_are_those_of_the_threads_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """If they are taken over as they are, the checker does not believe them."""
    p = parse_program(PAIRS["nobody counts alone"][0])
    _, found = decided(p)
    assert found is not None
    monkeypatch.setattr(evidence, "renamed", lambda formula, _: formula)
    with pytest.raises(AssertionError):
        _, wrong = decided(p)
        assert wrong is None or isinstance(verdict(p, wrong), Accepted)


def test_clauses_are_about_the_threads_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without, they lead to an error that no execution repeats."""
    monkeypatch.setattr(encoding, "renamed_variable", lambda v, _: v)
    result, found = decided(parse_program(PAIRS["nobody counts alone"][0]))
    assert (result.verdict, found) == (Verdict.UNKNOWN, None)
    assert "not repeated" in result.reason


Steps = Sequence[tuple[SymbolicStep, Moves]]


def test_a_violation_behind_others_is_that_of_the_threads_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    differ: list[bool] = []

    def told(system: SymmetricSystem, steps: Steps) -> tuple[SymbolicStep, ...]:
        found = repeated(system, steps)
        assert len(found) == len(steps)
        differ.append([step.thread for step in found] != [step.thread for step, _ in steps])
        return found

    monkeypatch.setattr(engine_module, "repeated", told)
    for seed in (4, 7):
        result, _ = decided(drawn(seed))
        assert result.verdict is Verdict.FALSE
    assert any(differ)


def test_off_is_off() -> None:
    result, found = decided(parse_program(PAIRS[KINDS][0]), symmetry="off")
    assert found is not None
    assert not found.symmetric
    assert "symmetry" not in result.statistics


SEEDS = range(100, 100 + examples(2, 400))


def test_random_programs_are_decided_as_by_enumeration() -> None:
    others = 0
    for seed in SEEDS:
        p = drawn(seed)
        wrong = "unreach-call" in {name for name, _ in violated(asked_of(p, symmetry=False))}
        result, found = decided(p)
        assert result.verdict is (Verdict.FALSE if wrong else Verdict.TRUE), seed
        assert found is None or isinstance(verdict(p, found), Accepted), seed
        others += found is not None and any(node.moves for node in found.nodes)
    assert others
