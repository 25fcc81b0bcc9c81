"""Certificates for tests, and how to damage them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from abpress.config import Config
from abpress.engines.abpress.engine import prove
from abpress.ir.program import Program
from abpress.proof.certificate import Accepted, Certificate, CertifiedNode, Rejected
from abpress.proof.check import check
from abpress.proof.write import certificate
from abpress.result import Result, Soundness, Verdict
from abpress.search.limits import Limits
from abpress.semantics.outcome import Options
from abpress.verify.load import load

BENCHMARKS = Path(__file__).resolve().parent.parent.parent / "benchmarks" / "svcomp"


@cache
def benchmark(name: str, property: str = "unreach-call") -> Program:
    """The program of a benchmark, `folder/task`."""
    return load(Config.of(BENCHMARKS / f"{name}.c", property=property)).program


def proof_of(
    program: Program,
    por: str,
    seconds: float = 30.0,
    labels: str = "predicates",
    property: str = "unreach-call",
) -> tuple[Result, Certificate | None]:
    """What the engine says, and the certificate of a "true"."""
    config = Config.of(Path(), por=por, labels=labels, property=property)
    result, tree = prove(program, config, Limits(time=seconds), None, Soundness())
    assert (tree is not None) == (result.verdict is Verdict.TRUE), result
    if tree is None:
        return result, None
    options = Options.within(config.bounds)
    return result, certificate(program, config.question.named, options, tree)


@cache
def proved(
    name: str, por: str, labels: str = "predicates", property: str = "unreach-call"
) -> Certificate:
    """The certificate of a benchmark that the engine proves."""
    program = benchmark(name, property)
    result, found = proof_of(program, por, labels=labels, property=property)
    assert found is not None, result
    return found


def verdict(program: Program, c: Certificate) -> Accepted | str:
    """What the checker says; the reason if it rejects the certificate."""
    try:
        return check(program, c)
    except Rejected as rejected:
        assert rejected.reason
        return rejected.reason


def with_node(c: Certificate, n: int, node: CertifiedNode) -> Certificate:
    return replace(c, nodes=(*c.nodes[:n], node, *c.nodes[n + 1 :]))


def expansion(node: CertifiedNode) -> Mapping[str, tuple[tuple[object, int], ...]]:
    return node.expanded or {}
