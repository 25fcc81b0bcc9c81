"""What stays of what a thread knows, whatever others do, does not depend on what it is told from.

NOTE(closed-states)
"""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.config import Config
from abpress.modular.analysis import Solution, analyse
from abpress.modular.values import SELF
from abpress.verify.load import load
from tests.modular.test_pairs import solution_of_locks
from tests.modular.test_random_races import texts
from tests.sampling import examples
from tests.strategies.c_guarded import guarded_programs

_MOST = 12
"""States of a class that are compared with each other."""


def opened(solution: Solution) -> int:
    """How often others change what is known once locks are released; whatever it is told from, the
    same stays."""
    its = solution.interference
    found = 0
    for cls in range(len(solution.classes.listed)):
        states = [one for (c, _), of in solution.known.items() if c == cls for one in of.values()]
        states = states[:: len(states) // _MOST + 1]
        for before in states:
            since = its.closing(cls, before)
            released = before.but((v, None) for v, a in before.values.items() if a == {SELF})
            for known in (released, *states):
                after = its.closing(cls, known, since)
                assert after == its.closing(cls, known)
                found += known is released and after.known != released
    return found


def test_what_stays_does_not_depend_on_what_was_known_before(tmp_path: Path) -> None:
    assert opened(solution_of_locks(tmp_path)) > 1


@settings(max_examples=examples(4, whole=20), deadline=None)
@given(st.one_of(texts(), guarded_programs()))
def test_nor_does_it_in_random_programs(tmp_path_factory, text: str) -> None:
    file = tmp_path_factory.mktemp("closed") / "program.c"
    file.write_text(text)
    solution = analyse(load(Config.of(file), every_access=True).program)
    if solution is not None:
        opened(solution)
