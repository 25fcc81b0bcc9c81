"""What checkers ask a solver of, and what they leave of it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from weakref import ref

import pytest

from abpress.proof.bounds.check import check_bounds
from abpress.proof.check import check
from abpress.smt import prover as smt
from tests.proof.proofs import benchmark, proved
from tests.proof.test_bounds import program_of
from tests.proof.test_locks import accesses
from tests.proof.test_members import SAFE

Begun = list[tuple[str, ref[smt.Prover]]]
"""The encodings and the provers."""


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Iterator[Begun]:
    """The provers of judges, and no collection of cycles: it comes late, or never."""
    its: Begun = []

    class Known(smt.Prover):
        def __init__(self, encoding: str) -> None:
            super().__init__(encoding)
            its.append((encoding, ref(self)))

    monkeypatch.setattr(smt, "Prover", Known)
    gc.disable()
    yield its
    gc.enable()


def test_the_end_of_a_check_frees_the_solver(begun: Begun) -> None:
    task = "pthread/lazy_safe"
    check(benchmark(task), proved(task, "source"))
    assert [encoding for encoding, _ in begun] == ["int"]
    assert not any(prover() for _, prover in begun)


def test_so_does_that_of_a_check_of_accesses(begun: Begun, tmp_path: Path) -> None:
    """And of the threads, only those that ask have one."""
    program = program_of(SAFE["one that is walked under a lock"], tmp_path)
    certificate, _ = accesses(program)
    begun.clear()
    check_bounds(program, certificate)
    assert [encoding for encoding, _ in begun] == ["int"] * len(begun)
    assert 0 < len(begun) <= len(program.templates)
    assert not any(prover() for _, prover in begun)
