"""Several workers that search with the native core give the answer of one search."""

from __future__ import annotations

import os
import signal
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from abpress.core import reference
from abpress.core.build import find_compiler
from abpress.core.executions import ALGORITHMS, REMEMBERING, UNDIVIDED
from abpress.core.parts import CoreParts, CountedExecutions
from abpress.core.reference import CoreRefused
from abpress.engines import native_workers, stateless
from abpress.engines.lone import Lone, Poll
from abpress.engines.stateless import explore
from abpress.parallel.forked_worker import ForkedWorker
from abpress.parallel.load import WorkerLoad
from abpress.parallel.part_worker import PartWorker
from abpress.result import Soundness, Verdict
from abpress.search.limits import Limits
from abpress.search.part import TreePart
from tests.engines.test_shared_trees import config_of
from tests.parallel.test_workers import late_choice, meeting
from tests.parallel.test_workers_observers import WAITS_LATE, read
from tests.reading import program_of
from tests.sampling import in_turn

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


KEEPING = [name for name, its in ALGORITHMS.items() if its in REMEMBERING]

SHARED = sorted(ALGORITHMS.keys() - {"none", *KEEPING})


def asked(  # type: ignore[no-untyped-def]
    folder: Path,
    wrong: str = "0",
    limits: Limits | None = None,
    soundness: Soundness | None = None,
    **options: object,
):
    config = config_of(folder, wrong, **{"core": "native", "por": "source", **options})
    return explore(program_of(config), config, limits or Limits(), soundness=soundness)


@pytest.mark.parametrize("algorithm", SHARED)
def test_the_same_numbers(algorithm: str, tmp_path: Path) -> None:
    one, three = (asked(tmp_path, por=algorithm, workers=workers) for workers in (1, 3))
    assert one.result.verdict is three.result.verdict is Verdict.TRUE
    told = three.result.statistics
    for name in ("complete_executions", "deadlocked_executions", "core", "threads"):
        assert one.result.statistics[name] == told[name]
    assert (told["workers"], told["core"], three.exhausted) == (3, "native", True)
    for name in ("executions", "events"):
        assert sum(its[name] for its in three.result.load) == told[name]


@pytest.mark.parametrize("algorithm", ["source", "optimal"])
def test_loops_are_unrolled(algorithm: str, tmp_path: Path) -> None:
    given = {"por": algorithm, "unroll": 1, "keep_going": True}
    one, three = (asked(tmp_path, workers=workers, **given) for workers in (1, 3))
    assert one.result.reason == three.result.reason == "loops are unrolled 1 times"
    told = three.result.statistics
    assert told["core"] == "native" and told["cut_executions"]
    for name in ("complete_executions", "cut_executions", "executions"):
        assert algorithm == "source" or one.result.statistics[name] == told[name]


@pytest.mark.parametrize("algorithm", KEEPING)
def test_the_same_verdicts_where_states_are_remembered(algorithm: str, tmp_path: Path) -> None:
    most = asked(tmp_path, por="source").result.statistics["complete_executions"]
    for wrong, verdict in (("0", Verdict.TRUE), ("x == 1", Verdict.FALSE)):
        found = asked(tmp_path, wrong, por=algorithm, workers=3, keep_going=True)
        assert (found.result.verdict, found.exhausted) == (verdict, True)
        told = found.result.statistics
        assert (told["core"], told["workers"]) == ("native", 3)
        assert told["complete_executions"] <= most


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


@pytest.mark.parametrize("algorithm", ["source", "optimal"])
def test_workers_that_are_killed_lose_nothing(
    algorithm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One is killed in its first part, and one later."""
    options = {"defines": ("THREADS=4",), "por": algorithm}
    one = asked(tmp_path, **options)
    turn = ForkedWorker.turn

    def mortal(self: Any) -> None:
        turn(self)
        killed = tmp_path / f"killed {os.getppid()} {self._sent > 0}"
        if not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(ForkedWorker, "turn", mortal)
    three = asked(tmp_path, workers=3, **options)
    assert len(list(tmp_path.glob("killed *"))) == 2
    assert three.result.verdict is Verdict.TRUE and three.exhausted
    name = "complete_executions"
    assert three.result.statistics[name] == one.result.statistics[name]


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """One process looks at the clock after a few steps."""
    monkeypatch.setattr(reference, "SLICE", 64)


NUMBERS = ("complete_executions", "deadlocked_executions", "threads", "core")


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(("algorithm", "core"), in_turn(SHARED, ["native", "auto"]))
def test_others_go_on_with_what_one_has_begun(
    algorithm: str, core: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"por": algorithm}
    monkeypatch.setattr(stateless, "HAND_OVER", 64)
    one = asked(tmp_path, **options)
    # with `auto` Python has begun before, and would be joined by others
    monkeypatch.setattr(Lone, "hooks", lambda self, hooks: hooks)
    three = asked(tmp_path, core=core, workers=3, alone=0.0, **options)
    told = three.result.statistics
    assert (told["workers"], told["depend_on_timing"]) == (3, "all but complete and deadlocked")
    assert [told[name] for name in NUMBERS] == [one.result.statistics[name] for name in NUMBERS]
    assert (three.result.verdict, three.exhausted) == (Verdict.TRUE, True)


def test_who_is_left_alone_says_what_one_process_says(tmp_path: Path) -> None:
    one, alone = asked(tmp_path), asked(tmp_path, workers=3, alone=60.0)
    assert alone.result.statistics == one.result.statistics


@pytest.mark.usefixtures("soon")
def test_two_come_to_a_wakeup_tree(tmp_path: Path) -> None:
    """Although who has the tree is the third one that is busy."""
    one = asked(tmp_path, por="optimal")
    two = asked(tmp_path, por="optimal", workers=2, alone=0.0)
    told = two.result.statistics
    assert [told[name] for name in NUMBERS] == [one.result.statistics[name] for name in NUMBERS]
    assert (told["workers"], told["depend_on_timing"]) == (2, "all but complete and deadlocked")


@pytest.mark.usefixtures("soon")
def test_if_no_process_can_be_started_one_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where one has been started already."""
    fork, begun = os.fork, []

    def few() -> int:
        if len(begun) % 2:
            raise BlockingIOError(11, "too many processes")
        begun.append(fork())
        return begun[-1]

    one = asked(tmp_path)
    monkeypatch.setattr(os, "fork", few)
    alone = asked(tmp_path, workers=3, alone=0.0)
    assert alone.result.statistics == one.result.statistics
    assert len(begun) == 1
    with pytest.raises(ChildProcessError):  # nobody is left
        os.waitpid(begun[0], os.WNOHANG)


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("keep_going", [False, True])
def test_what_one_has_found_is_found(
    keep_going: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others come after the first violation, or before."""
    polling = Lone.polling

    def late(self: Lone, its: Poll) -> Poll:
        made = polling(self, its)
        return lambda done: made(done) if done.violating > 1 or not keep_going else None

    monkeypatch.setattr(Lone, "polling", late)
    one = asked(tmp_path, "x == 1", keep_going=keep_going)
    two = asked(tmp_path, "x == 1", keep_going=keep_going, workers=2, alone=0.0)
    assert two.result.verdict is Verdict.FALSE and two.result.trace is not None
    if keep_going:
        assert two.violations == one.violations
        assert two.result.statistics["workers"] == 2
        name = "violating_executions"
        assert two.result.statistics[name] == one.result.statistics[name] > 2


@pytest.mark.usefixtures("soon")
def test_who_has_begun_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it has told anything, and after it has given something away."""
    one = asked(tmp_path, defines=("THREADS=4",))
    for given in (False, True):
        killed = tmp_path / f"killed {given}"

        class Mortal(PartWorker):
            def __init__(self, *args: Any) -> None:
                super().__init__(*args)
                self.begun = args[-1]

            def turn(self, given: bool = given, killed: Path = killed) -> None:
                super().turn()
                if self.begun and (self._sent > 0) is given:
                    killed.touch(exist_ok=False)
                    os.kill(os.getpid(), signal.SIGKILL)

        monkeypatch.setattr(native_workers, "PartWorker", Mortal)
        three = asked(tmp_path, workers=3, alone=0.0, defines=("THREADS=4",))
        assert killed.exists() and three.exhausted
        for name in NUMBERS:
            assert three.result.statistics[name] == one.result.statistics[name]


def test_a_worker_may_die_in_the_middle_of_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn, torn = PartWorker.turn, tmp_path / "torn"

    def half(self: Connection, message: bytes) -> None:
        os.write(self.fileno(), bytes(message)[: len(message) // 2])
        os.kill(os.getpid(), signal.SIGKILL)

    def mortal(self: PartWorker) -> None:
        while not self._wanted and not torn.exists():
            self.take(self._channel.wait())
        if not torn.exists():  # nothing else is on its way
            torn.touch()
            monkeypatch.setattr(Connection, "_send", half)  # of this process
        turn(self)

    one = asked(tmp_path, defines=("THREADS=4",))
    monkeypatch.setattr(PartWorker, "turn", mortal)
    two = asked(tmp_path, workers=2, defines=("THREADS=4",))
    assert torn.exists() and two.exhausted
    for name in NUMBERS:
        assert two.result.statistics[name] == one.result.statistics[name]


def test_a_violation_that_was_not_said_is_no_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has found it dies when the search has ended, and nobody else has anything left."""
    load = PartWorker.load

    def mortal(self: PartWorker) -> WorkerLoad:
        if not self.exhausted:
            os.kill(os.getpid(), signal.SIGKILL)
        return load(self)

    monkeypatch.setattr(PartWorker, "load", mortal)
    found = asked(tmp_path, "x == 1", workers=2)
    assert found.result.verdict is Verdict.UNKNOWN
    assert found.result.reason == "a worker that has ended the search has died"
    assert not found.exhausted


def test_a_limit_ends_all(tmp_path: Path) -> None:
    found = asked(tmp_path, por="none", workers=2, limits=Limits(time=0.5))
    assert (found.result.verdict, found.result.reason) == (Verdict.UNKNOWN, "time limit of 0.5 s")
    assert found.result.statistics["core"] == "native"


def test_python_is_asked_for(tmp_path: Path) -> None:
    found = asked(tmp_path, workers=2, core="python")
    assert found.result.verdict is Verdict.TRUE
    assert "core" not in found.result.statistics


@pytest.mark.parametrize("algorithm", sorted(UNDIVIDED))
def test_what_is_not_shared_is_done_by_python(algorithm: str, tmp_path: Path) -> None:
    config = config_of(tmp_path, "0", core="native", por=algorithm, keep_going=True)
    one, two = (explore(meeting(tmp_path), config.but(workers=n), Limits()) for n in (1, 2))
    told = two.result.statistics
    assert told["core"].startswith("python (workers, where a thread has a choice at ")
    assert (one.result.statistics["core"], told["workers"]) == ("native", 2)
    assert (one.result.verdict, one.violations) == (two.result.verdict, two.violations)
    assert one.exhausted and two.exhausted
    least = 109 if algorithm == "observers" else 1  # classes; some may be explored again
    assert all(its.result.statistics["complete_executions"] >= least for its in (one, two))


@pytest.mark.usefixtures("soon")
def test_one_goes_on_alone_where_a_thread_has_a_choice(tmp_path: Path) -> None:
    config = config_of(tmp_path, "0", core="native", por="observers", workers=3, alone=0.0)
    told = explore(meeting(tmp_path), config, Limits()).result.statistics
    assert told["core"] == "native" and "workers" not in told


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("alone", [None, 0.0])
def test_all_begin_again_where_a_thread_waits(alone: float | None, tmp_path: Path) -> None:
    """For a cell that is written blindly, as some worker may find out late."""
    its = read(WAITS_LATE, tmp_path)
    config = config_of(tmp_path, "0", core="native", por="observers", alone=alone)
    one, three = (explore(its, config.but(workers=n), Limits()) for n in (1, 3))
    for name in ("complete_executions", "deadlocked_executions", "core"):
        assert one.result.statistics[name] == three.result.statistics[name]


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("alone", [None, 0.0])
def test_optimal_with_choices_is_in_parts(alone: float | None, tmp_path: Path) -> None:
    """All begin again when the first choice is met; or others come after that."""
    config = config_of(tmp_path, "0", core="native", por="optimal", workers=3, alone=alone)
    told = explore(meeting(tmp_path), config, Limits()).result.statistics
    assert (told["complete_executions"], told["workers"], told["core"]) == (114, 3, "native")


def test_a_choice_after_others_have_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has begun goes on with it, in parts, and what was done counts once."""
    again, told_again = CountedExecutions.tell_again, list[int]()

    def noted(self: CountedExecutions) -> None:
        assert self.core.certain
        told_again.append(self.core.counts.complete)
        again(self)

    monkeypatch.setattr(reference, "SLICE", 2)
    monkeypatch.setattr(CountedExecutions, "tell_again", noted)
    config = config_of(tmp_path, "0", core="native", por="optimal", workers=3, alone=0.0)
    told = explore(late_choice(tmp_path), config, Limits()).result.statistics
    assert (told["complete_executions"], told["workers"], told["core"]) == (48, 3, "native")
    assert told_again and told_again[0] > 0


def test_what_a_worker_refuses_python_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the core meets on its way."""

    def refusing(self: CoreParts, part: TreePart) -> None:
        raise CoreRefused("this part")

    monkeypatch.setattr(CoreParts, "begin", refusing)
    found = asked(tmp_path, workers=2)
    assert found.result.verdict is Verdict.TRUE and found.exhausted
    assert found.result.statistics["core"] == "python (this part)"
