"""What stays of what a thread knows, whatever others do, does not depend on what it is told from.

NOTE(closed-states)
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.config import Config
from abpress.modular.analysis import Solution, analyse
from abpress.modular.interference import Interference
from abpress.modular.state import Known
from abpress.modular.telling import Makers
from abpress.modular.values import SELF
from abpress.verify.load import load
from tests.modular.test_pairs import solution_of_locks
from tests.modular.test_random_races import texts
from tests.sampling import examples
from tests.strategies.c_guarded import guarded_programs

_MOST = 12
"""States of a class that are compared with each other."""


CREATED = "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return x0; }\n"


def stepwise(steps: int, folder: Path) -> Solution:
    """A thread that writes one cell after the other, so each write shows that there were all those
    before: who knows that a cell is as it was knows that none follows."""
    cells = [f"x{k}" for k in range(steps)]
    writes = " ".join(f"{cell} = 1;" for cell in cells)
    thread = f"void *f(void *p) {{ {writes} return 0; }}"
    file = folder / "program.c"
    file.write_text(f"#include <pthread.h>\nint {', '.join(cells)};\n{thread}\n{CREATED}")
    solution = analyse(load(Config.of(file), every_access=True).program)
    assert solution is not None
    return solution


def before_all(solution: Solution) -> Known:
    """What the other thread knows where it begins, but for who runs."""
    known = solution.globals.entries[1]
    return known.but((v, None) for v in known.values.threads)


def looked_at_anew(its: Interference, cls: int, known: Known) -> Known:
    """What stays, where all is asked for in each look."""
    while True:
        excluded = its.makers.excluded(cls, known)
        changes = list(its._disturbed(cls, known, known.values, excluded))
        if not changes:
            return known
        known = Known(known.values.but(changes))


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
            if not (before.copies or before.moved or before.values.elements):
                assert since.known == looked_at_anew(its, cls, before)
            released = before.but((v, None) for v, a in before.values.items() if a == {SELF})
            for known in (released, *states):
                after = its.closing(cls, known, since)
                assert after == its.closing(cls, known)
                found += known is released and after.known != released
    return found


def test_what_stays_does_not_depend_on_what_was_known_before(tmp_path: Path) -> None:
    assert opened(solution_of_locks(tmp_path)) > 1


def test_makers_that_are_not_excluded_after_a_look_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    its = stepwise(6, tmp_path).interference
    known = before_all(stepwise(6, tmp_path))
    assert its.closing(0, known).known == looked_at_anew(its, 0, known) != known
    monkeypatch.setattr(Makers, "changed", lambda *_: iter(()))
    assert its.closing(0, known).known != looked_at_anew(its, 0, known)


def test_looks_ask_for_what_may_have_changed_since_the_last_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    disturbed = Interference._disturbed

    def counted(self, cls, known, variables, excluded):
        asked.append(len(variables))
        return disturbed(self, cls, known, variables, excluded)

    solution = stepwise(24, tmp_path)
    monkeypatch.setattr(Interference, "_disturbed", counted)
    solution.interference.closing(0, before_all(solution))
    assert len(asked) > 20
    assert sum(asked) < 5 * 24


@settings(max_examples=examples(4, whole=20), deadline=None)
@given(st.one_of(texts(), guarded_programs()))
def test_nor_does_it_in_random_programs(tmp_path_factory, text: str) -> None:
    file = tmp_path_factory.mktemp("closed") / "program.c"
    file.write_text(text)
    solution = analyse(load(Config.of(file), every_access=True).program)
    if solution is not None:
        opened(solution)
