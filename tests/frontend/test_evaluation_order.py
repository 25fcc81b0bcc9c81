"""Orders of evaluation: random expressions give just what C allows, and all that compilers give."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.frontend.orders import COMPILERS, compiled, disagreement, ours, telling
from tests.sampling import sample

SEEDS = (
    15, 44, 60, 61, 115, 125, 138, 168, 169, 184, 187, 199, 207, 212, 235, 254, 274, 280, 288, 299,
    301, 340, 350, 352, 355, 371, 395, 418, 422, 635,
)  # fmt: skip
"""Of expressions with more than one outcome; few are."""


@pytest.mark.parametrize("seed", sample(SEEDS, 2))
def test_the_orders_are_those_of_the_standard(seed: int, tmp_path: Path) -> None:
    node, possible = next(telling(seed))
    assert ours(node, possible, tmp_path) == possible, node.text()


def test_a_wrong_outcome_is_seen(tmp_path: Path) -> None:
    node, possible = next(telling(15))
    first, *others = sorted(possible)
    assert None in ours(node, set(others), tmp_path)
    assert "C allows" in disagreement(node, {*possible, (77,) * 6}, (), tmp_path)
    assert "by a compiler" in disagreement(node, possible, [(77,) * 6], tmp_path)
    assert not disagreement(node, possible, [first], tmp_path)


@pytest.mark.parametrize(("compiler", "level"), COMPILERS)
def test_what_compilers_choose_is_possible(compiler: str, level: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    drawn = [next(telling(seed)) for seed in SEEDS]
    answers = compiled([node for node, _ in drawn], compiler, level, tmp_path)
    for (node, possible), theirs in zip(drawn, answers, strict=True):
        assert theirs in possible, node.text()
