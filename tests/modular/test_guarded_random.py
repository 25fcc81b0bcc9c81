"""What facts prove of programs that keep to rules, most of which they prove, is not violated in any
state; nor is it proved of those with a mistake that shows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.modular import test_random_errors, test_random_races
from tests.sampling import examples
from tests.strategies.c_guarded import ACTS, ENDS, HEAD, MAINS, guarded_programs, text

PROPERTIES = ("unreach-call", "no-data-race", "no-overflow", "valid-deref")


def texts() -> st.SearchStrategy[tuple[str, str]]:
    return st.tuples(guarded_programs(), st.sampled_from(PROPERTIES))


ENOUGH = 100.0
"""Seconds, on a machine that has much else to do, for proofs that take one or two."""


def compared(drawn: tuple[str, str], folder: Path, seconds: float = 3.0) -> Counter[str]:
    """What facts say of a property of a program, in so many seconds, which enumeration does not
    contradict."""
    program, property = drawn
    if property != test_random_races.RACES:
        return test_random_errors.compared(drawn, folder, seconds)
    return Counter([test_random_races.compared(folder / "program.c", program, seconds)])


@settings(max_examples=examples(2, whole=3), deadline=None)
@given(texts())
def test_nothing_is_violated_that_is_proved(tmp_path_factory, drawn: tuple[str, str]) -> None:
    compared(drawn, tmp_path_factory.mktemp("guarded"))


@pytest.mark.parametrize("property", PROPERTIES)
def test_what_keeps_to_rules_is_proved(tmp_path: Path, property: str) -> None:
    first = " ".join(f"{{ {ACTS[k]} }}" for k in (0, 6, 10))
    second = " ".join(f"{{ {ACTS[k]} }}" for k in (2, 12, 15))
    whole = text((first, second), MAINS[0].replace("{}", ""), ENDS[0])
    assert compared((HEAD + whole, property), tmp_path, ENOUGH)[f"{property} true"] == 1
    whole = whole.replace("table[i]", "table[i + 1]").replace("count < 3", "count < 4")
    if property in ("valid-deref", "unreach-call"):
        assert compared((HEAD + whole, property), tmp_path)[f"{property} unknown"] == 1
