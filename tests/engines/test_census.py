"""The states that a census looks at."""

from __future__ import annotations

from abpress.engines.census import _SAMPLE, _sample


def test_what_alternates_is_met_with_both_values() -> None:
    for period in (2, 3, 10, 11):
        states = [(i % period,) for i in range(20 * _SAMPLE)]
        found = list(_sample(states))
        assert len(set(found)) == period
        assert _SAMPLE / 2 < len(found) < 2 * _SAMPLE
        assert found == list(_sample(states))


def test_all_of_few_states_are_met() -> None:
    states = [(i,) for i in range(_SAMPLE)]
    assert list(_sample(states)) == states
