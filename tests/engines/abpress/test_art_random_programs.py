"""Random programs: the tree, however it is built, against plain enumeration of concrete states."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.ir.program import Program
from tests.engines.abpress.differential import DEADLOCK_WAYS, WAYS, Way, check
from tests.sampling import examples
from tests.strategies.ir_programs import Features, programs

SMALL = Features(threads=2, statements=4)
CROWDED = Features(threads=3, statements=4, inputs=False, overflows=False)
ARRAYS = Features(threads=2, statements=4, arrays=True, unbounded_loops=False, overflows=False)


@pytest.mark.parametrize("features", [SMALL, CROWDED, ARRAYS], ids=["small", "crowded", "arrays"])
def test_same_verdict_as_enumeration(features: Features) -> None:
    compared = []

    @settings(max_examples=examples(6, whole=40), derandomize=True, deadline=None, database=None)
    @given(program=programs(features), way=st.sampled_from(WAYS))
    def every(program: Program, way: Way) -> None:
        compared.append(check(program, way))

    every()
    assert sum(compared) > len(compared) / 2


WAITING = Features(threads=3, statements=5, overflows=False, unbounded_loops=False, exits=False)
UNBOUNDED = Features(threads=2, statements=5)


@pytest.mark.parametrize("features", [WAITING, UNBOUNDED], ids=["waiting", "unbounded"])
def test_same_deadlocks_as_enumeration(features: Features) -> None:
    compared = []

    @settings(max_examples=examples(6, whole=40), derandomize=True, deadline=None, database=None)
    @given(program=programs(features), way=st.sampled_from(DEADLOCK_WAYS))
    def every(program: Program, way: Way) -> None:
        compared.append(check(program, way))

    every()
    assert sum(compared) > len(compared) / 2
