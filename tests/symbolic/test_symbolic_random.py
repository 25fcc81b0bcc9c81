"""Random programs: symbolic steps, their guards and updates evaluated, are the interpreter's."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings

from abpress.ir.program import Overflow, Program
from tests.sampling import examples
from tests.strategies.ir_programs import Features, programs
from tests.symbolic.symbolic_states import Pair, concrete

MOST = 150
"""States of one program that are compared."""


def compare_all(program: Program, most: int = MOST) -> int:
    """Compares all steps from the states that are reached, breadth first; how many states."""
    pair = Pair(program)
    queue = [pair.initial()]
    seen: set[object] = set()
    for s, d, values in queue:  # grows while the loop runs
        if len(seen) >= most:
            break
        for following in pair.compare(s, d, values):
            key = (following[1], concrete(pair.interpreter, following[0]))
            if key not in seen:
                seen.add(key)
                queue.append(following)
    return len(seen)


@settings(max_examples=examples(15, whole=60), deadline=None)
@given(programs())
def test_random_programs(program: Program) -> None:
    compare_all(program)


@settings(max_examples=examples(16, whole=40), deadline=None)
@given(programs(Features(threads=1, pointers=False)))
def test_programs_where_overflow_is_an_error(program: Program) -> None:
    compare_all(replace(program, signed_overflow=Overflow.ERROR), 60)


@settings(max_examples=examples(8, whole=20), deadline=None)
@given(programs(Features(wide_inputs=True, threads=1, statements=5)))
def test_programs_with_wide_inputs(program: Program) -> None:
    compare_all(program, 40)


@settings(max_examples=examples(20, whole=80), deadline=None)
@given(programs(Features(arrays=True, threads=2, statements=7, unbounded_loops=False)))
def test_programs_with_arrays(program: Program) -> None:
    compare_all(program, 60)
