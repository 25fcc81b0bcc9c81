"""Random definitions with attributes and pragmas: their layout here and by GCC and Clang."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.errors import UnsupportedError
from tests.frontend.layouts import COMPILERS, MACHINES, Answer, compiled, disagreement, ours, works
from tests.strategies.c_layouts import LayoutQuestions, random_layouts

COUNT = 80


@pytest.mark.parametrize("data_model", MACHINES)
def test_random_layouts(data_model: str, tmp_path: Path) -> None:
    there = [c for c in COMPILERS if works(c, data_model, tmp_path)]
    if not there:
        pytest.skip(f"no compiler for {data_model}")
    questions = [random_layouts(seed, f"g{seed}_") for seed in range(COUNT)]
    answers: dict[str, list[Answer]] = {
        c: compiled(questions, c, data_model, tmp_path) for c in there
    }
    compared = 0
    for k, one in enumerate(questions):
        try:
            complaint = disagreement(one, {c: answers[c][k] for c in there}, data_model, tmp_path)
        except UnsupportedError:
            continue
        assert not complaint, complaint
        compared += 1
    assert compared > COUNT // 3


@pytest.mark.parametrize(("data_model", "size"), [("ILP32", 12), ("LP64", 16)])
def test_wide_members(data_model: str, size: int, tmp_path: Path) -> None:
    text = (
        "struct S { char c; long long x; };struct B { unsigned a : 3; int b : 7; } b = { .b = -1 };"
    )
    questions = LayoutQuestions([text], ["sizeof(struct S)", "__alignof__(long long)"], ["b"])
    assert ours(questions, data_model, tmp_path) == ((size, 8), (bytes([0xF8, 3, 0, 0]),))


def test_a_wrong_layout_is_seen(tmp_path: Path) -> None:
    questions = LayoutQuestions([], ["sizeof(int)"])
    assert disagreement(questions, {"c": ((4,), ())}, "LP64", tmp_path) is None
    complaint = disagreement(questions, {"c": ((8,), ())}, "LP64", tmp_path)
    assert complaint is not None and "sizeof(int): 4, c says 8" in complaint
