"""Certificates for no-partial-deadlock: when the checker accepts them, and when not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.table import ENGINES
from abpress.proof.certificate import Accepted
from abpress.verify.load import load
from tests.proof.proofs import proof_of, verdict
from tests.sampling import in_turn

PROGRAMS = Path(__file__).resolve().parent.parent / "programs" / "deadlock"
PROPERTY = "no-partial-deadlock"


@pytest.mark.parametrize(
    ("name", "por"),
    in_turn(("circle_beside_main", "circle_with_join"), ENGINES["abpress"].reductions),
)
def test_a_tree_in_which_threads_wait_in_a_circle_is_rejected(name: str, por: str) -> None:
    program = load(Config.of(PROGRAMS / f"{name}.c", property=PROPERTY)).program
    _, proof = proof_of(program, por)
    assert proof is not None
    assert isinstance(verdict(program, proof), Accepted)
    answer = verdict(program, replace(proof, property=PROPERTY))
    assert isinstance(answer, str)
    assert "threads may wait in a circle" in answer


@pytest.mark.parametrize("name", ["no_circle_beside_main", "no_circle_if_others_release"])
def test_a_tree_without_a_circle_is_accepted(name: str) -> None:
    program = load(Config.of(PROGRAMS / f"{name}.c", property=PROPERTY)).program
    _, proof = proof_of(program, "source+summaries", property=PROPERTY)
    assert proof is not None
    assert isinstance(verdict(program, proof), Accepted)
