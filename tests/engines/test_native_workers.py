"""Several workers that search with the native core give the answer of one search."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from abpress.core.build import find_compiler
from abpress.core.parts import SHARED, CoreParts
from abpress.core.reference import CoreRefused
from abpress.engines.stateless import explore
from abpress.parallel.part_worker import PartWorker
from abpress.result import Verdict
from abpress.search.limits import Limits
from abpress.search.part import TreePart
from abpress.verify.load import load
from tests.engines.test_shared_trees import config_of

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


def asked(folder: Path, wrong: str = "0", limits: Limits | None = None, **options: object):  # type: ignore[no-untyped-def]
    config = config_of(folder, wrong, **{"core": "native", "por": "source", **options})
    return explore(load(config).program, config, limits or Limits())


@pytest.mark.parametrize("algorithm", sorted(SHARED - {"none"}))
def test_the_same_numbers(algorithm: str, tmp_path: Path) -> None:
    one, three = (asked(tmp_path, por=algorithm, workers=workers) for workers in (1, 3))
    assert one.result.verdict is three.result.verdict is Verdict.TRUE
    told = three.result.statistics
    for name in ("complete_executions", "deadlocked_executions", "core", "threads"):
        assert one.result.statistics[name] == told[name]
    assert (told["workers"], told["core"], three.exhausted) == (3, "native", True)
    for name in ("executions", "events"):
        assert sum(its[name] for its in three.result.load) == told[name]


@pytest.mark.parametrize("keep_going", [False, True])
def test_a_violation_is_replayed(keep_going: bool, tmp_path: Path) -> None:
    one, three = (
        asked(tmp_path, "x < 3", workers=workers, keep_going=keep_going) for workers in (1, 3)
    )
    assert one.result.verdict is three.result.verdict is Verdict.FALSE
    assert three.result.trace is not None and three.result.trace.steps
    assert set(one.violations) == set(three.violations) != set()
    assert three.result.statistics["core"] == "native"
    assert three.exhausted is keep_going


def test_workers_that_are_killed_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One is killed in its first part, and one later."""
    options = {"defines": ("THREADS=4",)}
    one = asked(tmp_path, **options)
    turn = PartWorker.turn

    def mortal(self: PartWorker) -> None:
        turn(self)
        killed = tmp_path / f"killed {os.getppid()} {self._sent > 0}"
        if not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(PartWorker, "turn", mortal)
    three = asked(tmp_path, workers=3, **options)
    assert len(list(tmp_path.glob("killed *"))) == 2
    assert three.result.verdict is Verdict.TRUE and three.exhausted
    name = "complete_executions"
    assert three.result.statistics[name] == one.result.statistics[name]


def test_a_limit_ends_all(tmp_path: Path) -> None:
    found = asked(tmp_path, por="none", workers=2, limits=Limits(time=0.5))
    assert (found.result.verdict, found.result.reason) == (Verdict.UNKNOWN, "time limit of 0.5 s")
    assert found.result.statistics["core"] == "native"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"por": "optimal"}, "python (workers with algorithm optimal)"),
        ({"core": "python"}, None),
        ({"unroll": 9}, "python (loops that are unrolled)"),
        ({"por": "observers"}, None),
    ],
)
def test_what_is_not_shared_is_done_by_python(
    options: dict[str, object], why: str | None, tmp_path: Path
) -> None:
    found = asked(tmp_path, workers=2, **options)
    assert found.result.verdict is Verdict.TRUE
    assert found.result.statistics.get("core") == why


def test_what_a_worker_refuses_python_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the core meets on its way."""

    def refusing(self: CoreParts, part: TreePart) -> None:
        raise CoreRefused("this part")

    monkeypatch.setattr(CoreParts, "begin", refusing)
    found = asked(tmp_path, workers=2)
    assert found.result.verdict is Verdict.TRUE and found.exhausted
    assert found.result.statistics["core"] == "python (this part)"
