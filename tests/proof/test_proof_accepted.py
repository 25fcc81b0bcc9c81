"""Every "true" of the engine has a certificate that is accepted, before and after it was a file."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given, settings

from abpress.art.labels.table import LABELS
from abpress.cli.main import build_parser
from abpress.cli.options import config_of
from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.proof.certificate import (
    Accepted,
    Certificate,
    format_certificate,
    parsed,
    read_tree,
)
from abpress.reductions.table import TREE
from abpress.verify.load import load
from tests.proof.proofs import benchmark, proof_of, proved, verdict
from tests.sampling import examples, sample
from tests.strategies.ir_programs import Features, programs

TASKS = (
    "atomics/atomic_function_safe",
    "atomics/c11_cas_loop_safe",
    "atomics/c11_compound_safe",
    "atomics/c11_flag_lock_safe",
    "atomics/clh_lock_safe",
    "atomics/gcc_message_passing_safe",
    "atomics/refcount_safe",
    "atomics/seqlock_safe",
    "pthread-inputs/small_choices_safe",
    "pthread-sync/once_safe",
    "pthread-sync/spin_safe",
    "pthread-sync/trylock_safe",
    "pthread/bigshot_p_safe",
    "pthread/bigshot_s_safe",
)


WAYS = [
    (task, por, labels)
    for task in TASKS
    for por, labels in (
        ("s-por", "predicates"),
        ("source+summaries", "predicates"),
        ("source+summaries", "impact"),
    )
    if (task, labels) != ("atomics/seqlock_safe", "impact")  # takes too long
]


@pytest.mark.parametrize(("task", "por", "labels"), sample(WAYS, 7))
def test_benchmarks(task: str, por: str, labels: str) -> None:
    c = proved(task, por, labels)
    read = read_tree(parsed(format_certificate(c)))
    assert read == c
    accepted = verdict(benchmark(task), read)
    assert isinstance(accepted, Accepted), accepted
    assert accepted.nodes <= len(c.nodes)


@pytest.mark.parametrize("task", ["pthread-atomic/bakery_safe", "pthread-atomic/peterson_safe"])
def test_assumptions_are_those_of_the_engine(task: str) -> None:
    result, c = proof_of(benchmark(task), "s-por")
    assert c is not None and result.assumptions
    accepted = verdict(benchmark(task), c)
    assert isinstance(accepted, Accepted), accepted
    assert set(accepted.assumptions) >= set(result.assumptions)


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("por", sorted(TREE))
@settings(max_examples=examples(2, whole=25), derandomize=True, deadline=None, database=None)
@given(program=programs(Features(threads=2, statements=4)))
def test_random_programs(por: str, labels: str, program: Program) -> None:
    _, c = proof_of(program, por, seconds=2.0, labels=labels)
    assume(c is not None)
    assert c is not None
    accepted = verdict(program, read_tree(parsed(format_certificate(c))))
    assert isinstance(accepted, Accepted), f"{por}, {labels}: {accepted}\n{format_program(program)}"


ARRAYS = Path(__file__).parents[1] / "programs" / "arrays"


@cache
def of_arrays(name: str) -> tuple[Program, Certificate]:
    """A program with arrays, and the certificate of its proof."""
    file = ARRAYS / f"{name}.c"
    command = ["verify", "--engine", "abpress", "--property", "unreach-call", str(file)]
    program = load(config_of(build_parser().parse_args(command))).program
    _, c = proof_of(program, "source+abstraction")
    assert c is not None
    return program, c


@pytest.mark.parametrize("name", ["histogram", "symbolic_index", "two_threads", "table"])
def test_arrays(name: str) -> None:
    program, c = of_arrays(name)
    accepted = verdict(program, read_tree(parsed(format_certificate(c))))
    assert isinstance(accepted, Accepted), accepted


@pytest.mark.parametrize(
    "wrong",
    [
        "`cells@[i32]`:u8[]",  # of another type
        "update(`cells@[i32]`:i32[], `main:k`:i32, 2)",  # no index
        "i32[](0, 3i64: 1)",  # no number
        "i32[](0, 3: 1, 2: 1)",  # not ascending
        "i32[](4294967296)",  # too great
        "`cells@[i32]?`:i32[]",  # fresh
    ],
)
def test_wrong_arrays_are_rejected(wrong: str) -> None:
    program, c = of_arrays("symbolic_index")
    formula = f"select({wrong}, `main:k`:i64) == select({wrong}, `main:l`:i64)"
    answer = verdict(program, replace(c, formulas=(*c.formulas, formula)))
    assert isinstance(answer, str), answer
