"""Searches that are ended and resumed give the answer of one that was not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.core.build import find_compiler
from abpress.engines import workers as engine
from abpress.engines.stateless import explore
from abpress.errors import InputError, UnsupportedError
from abpress.parallel import office
from abpress.parallel.checkpoint import CheckpointFile
from abpress.parallel.estate import Spare
from abpress.parallel.worker import Worker
from abpress.reductions.table import STATELESS
from abpress.result import Verdict
from abpress.search.limits import Interrupt, Limits
from tests.engines.test_shared_trees import SHARED, asked, config_of, let_others_ask
from tests.sampling import in_turn

CHOSEN = ("complete_executions", "deadlocked_executions", "violating_executions")

MOST_TRIALS = 8

OTHERS = (
    "workers",
    "events_by_worker",
    "waited_by_worker",
    "resumed",
    "checkpoint",
    "violations",
    "core",
)
"""Statistics that one search in one process has not."""


def limited(monkeypatch: pytest.MonkeyPatch, events: int) -> None:
    """From now on searches with a checkpoint end after so many more events of a worker."""
    polled = engine.Watch.__call__

    def poll(self, statistics):  # type: ignore[no-untyped-def]
        start = met.setdefault(id(self), getattr(statistics, "events", 0))
        if getattr(statistics, "events", 0) - start > events:
            return engine.StopReason("events", "enough")
        return polled(self, statistics)

    met: dict[int, int] = {}
    monkeypatch.setattr(engine.Watch, "__call__", poll)


@pytest.mark.parametrize(("algorithm", "crowd"), in_turn(SHARED, [(1, 1, 1), (2, 1, 3)]))
def test_the_same_numbers_and_final_states(
    algorithm: str, crowd: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kept"
    one = asked(config_of(tmp_path, "0", por=algorithm))
    first, *more = crowd
    with monkeypatch.context() as patch:
        limited(patch, 200)
        found = asked(config_of(tmp_path, "0", por=algorithm, workers=first, checkpoint=file))
        assert found.result.reason == "enough"
        for workers in more:
            config = config_of(
                tmp_path, "0", por=algorithm, workers=workers, resume=file, checkpoint=file
            )
            asked(config)
    last = asked(config_of(tmp_path, "0", por=algorithm, workers=crowd[-1], resume=file))
    assert last.result.verdict is Verdict.TRUE
    assert last.exhausted
    assert last.finals == one.finals
    names = CHOSEN
    if set(crowd) == {1}:
        names = tuple(name for name in last.result.statistics if name not in OTHERS)
    for name in names:
        assert last.result.statistics[name] == one.result.statistics[name], name


def test_what_was_found_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kept"
    one = asked(config_of(tmp_path, "x < 3", keep_going=True))
    with monkeypatch.context() as patch:
        limited(patch, 1_500)
        config = config_of(tmp_path, "x < 3", keep_going=True, checkpoint=file)
        assert asked(config).result.verdict is Verdict.FALSE
    last = asked(config_of(tmp_path, "x < 3", keep_going=True, resume=file))
    assert last.result.verdict is Verdict.FALSE
    assert last.violations == one.violations
    for name in CHOSEN:
        assert last.result.statistics[name] == one.result.statistics[name]


def test_an_interrupt_leaves_a_file(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    config = config_of(tmp_path, "0", por="none", workers=2, checkpoint=file)
    found = asked(config, Limits(interrupt=Interrupt(requested=True)))
    assert found.result.reason == "interrupted"
    done = found.result.statistics["executions"]
    assert found.result.statistics["checkpoint"] == f"{file}, after {done:,} executions"
    assert file.exists()


def test_a_disk_that_fills_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: CheckpointFile, data: bytes) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(CheckpointFile, "_write", full)
    file = tmp_path / "kept"
    config = config_of(tmp_path, "0", core="python", checkpoint=file)
    limited(monkeypatch, 200)
    found = explore(engine_program(config), config, Limits())
    assert any("No space left on device" in warning for warning in found.result.warnings)
    assert not file.exists()


def engine_program(config: Config):  # type: ignore[no-untyped-def]
    from abpress.verify.load import load

    return load(config).program


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"por": "source"}, "--algorithm optimal, not source"),
        ({"keep_going": True}, "--keep-going off, not on"),
        ({"property": "no-deadlock"}, "--property unreach-call, not no-deadlock"),
    ],
)
def test_other_options_are_refused(
    options: dict[str, object], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kept"
    with monkeypatch.context() as patch:
        limited(patch, 200)
        asked(config_of(tmp_path, "0", checkpoint=file))
    with pytest.raises(InputError, match=told):
        asked(config_of(tmp_path, "0", resume=file, **options))
    with pytest.raises(InputError, match="another program"):
        asked(config_of(tmp_path, "x < 3", resume=file))


@pytest.mark.parametrize("name", [n for n, entry in STATELESS.items() if not entry.shared])
def test_other_algorithms_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="--checkpoint and --resume"):
        asked(config_of(tmp_path, "0", por=name, checkpoint=tmp_path / "kept"))
    assert list(tmp_path.iterdir()) == [tmp_path / "program.c"]


def test_workers_that_are_killed_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each worker that hands something over is killed once while a file is kept, and once after it
    is resumed."""
    one = asked(config_of(tmp_path, "0"))
    hand_over = Worker._hand_over
    file, when = tmp_path / "kept", "before"

    def mortal(self: Worker, spare: Spare) -> None:
        hand_over(self, spare)
        killed = tmp_path / f"killed {self._number} {when}"
        if not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(Worker, "_hand_over", mortal)
    let_others_ask(monkeypatch, lambda: any(tmp_path.glob(f"killed * {when}")))
    monkeypatch.setattr(CheckpointFile, "due", lambda self: True)
    died: set[str] = set()
    for _ in range(MOST_TRIALS):  # who is quick hands over too little
        when = "before"
        with monkeypatch.context() as patch:
            limited(patch, 250)
            asked(config_of(tmp_path, "0", workers=3, checkpoint=file))
        when = "after"
        three = asked(config_of(tmp_path, "0", workers=2, resume=file, checkpoint=file))
        assert three.finals == one.finals
        for name in CHOSEN:
            assert three.result.statistics[name] == one.result.statistics[name]
        died = {path.name.split()[-1] for path in tmp_path.glob("killed *")}
        if died == {"before", "after"}:
            break
    assert died == {"before", "after"}


def test_all_go_back_together_when_a_worker_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heirs are given up: whatever dies, all begin again at what was known not long before."""
    one = asked(config_of(tmp_path, "0"))
    hand_over, restart = Worker._hand_over, office.Office._go_back
    restarts = []

    def mortal(self: Worker, spare: Spare) -> None:
        hand_over(self, spare)
        killed = tmp_path / f"killed {self._given}"
        if self._given % 4 == 0 and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    def noted(self: office.Office, present: Sequence[int]) -> None:
        restart(self, present)
        restarts.append(present)

    monkeypatch.setattr(Worker, "_hand_over", mortal)
    monkeypatch.setattr(office, "COMMIT", 0.0)
    monkeypatch.setattr(office, "OLD", 0.0)
    monkeypatch.setattr(office, "_SELDOM", 0.0)
    monkeypatch.setattr(office.Office, "_go_back", noted)
    let_others_ask(monkeypatch, lambda: any(tmp_path.glob("killed *")))
    for _ in range(MOST_TRIALS):  # who is quick hands over too little
        three = asked(config_of(tmp_path, "0", workers=3))
        assert three.finals == one.finals
        for name in CHOSEN:
            assert three.result.statistics[name] == one.result.statistics[name]
        if restarts:
            break
    assert restarts


NATIVE = pytest.param(
    "native", marks=pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
)


@pytest.mark.parametrize("core", ["python", NATIVE])
def test_a_command_that_is_killed_is_resumed(core: str, tmp_path: Path) -> None:
    """kill -9 of the command; the last file that it has written is whole."""
    file = tmp_path / "kept"
    config_of(tmp_path, "0")
    options = [str(tmp_path / "program.c"), "--algorithm", "optimal", "--core", core, "--json"]
    performs = "import sys; from abpress.cli.main import perform; sys.exit(perform(sys.argv[1:]))"
    keeps_and_pauses = (
        "from abpress.parallel.checkpoint import CheckpointFile;"
        "CheckpointFile.due = lambda self: True;"
        "from tests.engines.cluster_tasks import pauses; pauses(64, 0.02);"
    )
    command = [sys.executable, "-c", performs, "explore", *options]
    subprocess.run([*command, tmp_path / "one"], check=True, stdout=subprocess.DEVNULL)
    keeping = [sys.executable, "-c", keeps_and_pauses + performs, "explore", *options]
    keeping += [tmp_path / "two", "--checkpoint", file, "--workers", "2"]
    with subprocess.Popen(keeping, stdout=subprocess.DEVNULL) as running:
        while not file.exists() and running.poll() is None:
            time.sleep(0.005)
        running.kill()
    assert not (tmp_path / "two").exists()
    resuming = [*command, tmp_path / "two", "--resume", file]
    subprocess.run(resuming, check=True, stdout=subprocess.DEVNULL)
    one, two = (json.loads((tmp_path / name).read_text()) for name in ("one", "two"))
    assert "resumed" in two["statistics"]
    for name in CHOSEN:
        assert two["statistics"][name] == one["statistics"][name]
