"""Searches with the native core that are ended and resumed give the answer of one that was not."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from abpress.core.build import find_compiler
from abpress.engines import native_workers
from abpress.errors import InputError
from abpress.parallel import forked_worker
from abpress.parallel.checkpoint import CheckpointFile
from abpress.parallel.forked_worker import ForkedWorker
from abpress.result import Verdict
from abpress.search.limits import Interrupt, Limits, StopReason
from tests.engines.test_checkpoints import CHOSEN
from tests.engines.test_native_workers import SHARED, asked
from tests.sampling import in_turn

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


def numbers(found: Any) -> object:
    return found.result.verdict, *(found.result.statistics[name] for name in CHOSEN)


def limited(monkeypatch: pytest.MonkeyPatch, slices: int) -> None:
    """Workers meet a limit after so many looks at it, each after a few steps; then they go on only
    when they are told something, so that they are heard before they have done all."""
    monkeypatch.setattr(forked_worker, "LEAST", 64)
    monkeypatch.setattr(forked_worker, "MOST", 64)
    looks = {"n": 0}

    def poll(self: Any, statistics: Any) -> StopReason | None:
        looks["n"] += os.getpid() != here
        return StopReason("looks", "enough") if looks["n"] > slices else None

    def told(self: Any) -> None:
        if self.stopped is not None and not self._wanted and not self._commits:
            self.take(self._channel.wait())
        if not self._ended:
            turn(self)

    turn = ForkedWorker.turn
    monkeypatch.setattr(ForkedWorker, "turn", told)
    here = os.getpid()
    monkeypatch.setattr(native_workers.Watch, "__call__", poll)


@pytest.mark.parametrize(("algorithm", "crowd"), in_turn(SHARED, [(1, 1), (2, 1, 3)]))
def test_the_same_numbers(
    algorithm: str, crowd: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kept"
    options = {"por": algorithm, "checkpoint": file}
    one = asked(tmp_path, por=algorithm)
    with monkeypatch.context() as patch:
        limited(patch, 8)
        for workers in crowd:
            resume = file if file.exists() else None
            found = asked(tmp_path, workers=workers, resume=resume, **options)
            assert found.result.reason == "enough"
            assert found.result.statistics["core"] == "native"
            done = found.result.statistics["executions"]
            told = found.result.statistics["checkpoint"]
            assert str(told).startswith(f"{file}, after ") and file.exists()
            assert 0 < int(str(told).split()[-2].replace(",", "")) <= int(done)
    last = asked(tmp_path, workers=crowd[-1], resume=file, por=algorithm)
    assert numbers(last) == numbers(one)
    assert last.exhausted
    assert last.result.statistics["core"] == "native"
    assert last.result.statistics["resumed"] == f"after {str(told).split(' after ')[1]}"


@pytest.mark.parametrize("algorithm", ["source", "optimal"])
def test_what_was_found_is_found(
    algorithm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the file is resumed twice."""
    file = tmp_path / "kept"
    options = {"por": algorithm, "keep_going": True}
    one = asked(tmp_path, "x < 3", **options)
    with monkeypatch.context() as patch:
        limited(patch, 40)
        for resume in (None, file):
            its = asked(tmp_path, "x < 3", checkpoint=file, resume=resume, **options)
            assert its.result.verdict is Verdict.FALSE and its.result.reason != "enough"
    last = asked(tmp_path, "x < 3", resume=file, workers=2, **options)
    assert last.result.trace is not None
    assert set(last.violations) == set(one.violations) != set()
    assert numbers(last) == numbers(one)


def test_an_interrupt_leaves_a_file(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    limits = Limits(interrupt=Interrupt(requested=True))
    found = asked(tmp_path, por="none", workers=2, checkpoint=file, limits=limits)
    assert found.result.reason == "interrupted"
    done = found.result.statistics["executions"]
    told = str(found.result.statistics["checkpoint"])
    assert told.startswith(f"{file}, after ") and int(told.split()[-2].replace(",", "")) <= done


@pytest.mark.parametrize("algorithm", ["source", "optimal"])
def test_workers_that_are_killed_lose_nothing(
    algorithm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the search is kept all the time, and after it is resumed."""
    file = tmp_path / "kept"
    one = asked(tmp_path, por=algorithm)
    turn = ForkedWorker.turn

    def mortal(self: Any) -> None:
        turn(self)
        killed = tmp_path / f"killed {os.getppid()} {resumed} {self._sent > 0}"
        if not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(ForkedWorker, "turn", mortal)
    monkeypatch.setattr(CheckpointFile, "due", lambda self: True)
    resumed = False
    with monkeypatch.context() as patch:
        limited(patch, 12)
        asked(tmp_path, por=algorithm, workers=3, checkpoint=file)
    resumed = True
    last = asked(tmp_path, por=algorithm, workers=2, checkpoint=file, resume=file)
    assert {path.name.split()[2] for path in tmp_path.glob("killed *")} == {"False", "True"}
    assert numbers(last) == numbers(one) and last.exhausted


def test_a_disk_that_fills_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that was there is as before."""
    file = tmp_path / "kept"
    limited(monkeypatch, 8)
    asked(tmp_path, checkpoint=file)
    before = file.read_bytes()

    def full(self: CheckpointFile, data: bytes) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(CheckpointFile, "_write", full)
    found = asked(tmp_path, checkpoint=file)
    assert any("No space left on device" in warning for warning in found.result.warnings)
    told = str(found.result.statistics["checkpoint"])
    assert "is not up to date" in told and told.endswith("No space left on device")
    assert file.read_bytes() == before


def test_other_searches_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kept"
    with monkeypatch.context() as patch:
        limited(patch, 8)
        asked(tmp_path, checkpoint=file)
    with pytest.raises(InputError, match="--algorithm source, not optimal"):
        asked(tmp_path, resume=file, por="optimal")
    with pytest.raises(InputError, match="another program"):
        asked(tmp_path, "x < 3", resume=file)
    with pytest.raises(InputError, match=r"search with the native core.*leave out --core python"):
        asked(tmp_path, resume=file, core="python")
    with monkeypatch.context() as patch:
        patch.setattr(native_workers, "_refused", lambda *_: "no C compiler")
        with pytest.raises(InputError, match=r"here they cannot search: no C compiler$"):
            asked(tmp_path, resume=file, core="auto")
    damaged = bytearray(file.read_bytes())
    damaged[-1] ^= 1
    file.write_bytes(damaged)
    with pytest.raises(InputError, match="damaged"):
        asked(tmp_path, resume=file)


def test_what_python_has_begun_python_goes_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kept"
    one = asked(tmp_path)
    limits = Limits(interrupt=Interrupt(requested=True))
    asked(tmp_path, core="python", checkpoint=file, limits=limits)
    last = asked(tmp_path, resume=file)
    assert last.result.statistics["core"] == "python (a search that Python has begun)"
    assert numbers(last) == numbers(one)
