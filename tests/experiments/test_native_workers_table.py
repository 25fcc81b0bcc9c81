"""What native workers gain is told in a table, which compares what they count."""

from __future__ import annotations

import pytest

from experiments import native_workers
from experiments.harness import main
from experiments.native_workers import Exploration

COMMAND = ["native-workers", "readers=3", "--algorithms", "optimal", "--workers", "2"]


def test_the_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    explorations = iter((Exploration(4, 4, (8, 0)), Exploration(2, 5, (8, 0))))
    monkeypatch.setattr(native_workers, "load_library", lambda: None)
    monkeypatch.setattr(native_workers, "explored", lambda *_: next(explorations))
    assert main(COMMAND) == 0
    assert capsys.readouterr().out.splitlines()[-1] == (
        "| readers(3) | optimal | 8 | 4.0 s | 2 | 2.00 | 1.25 |"
    )


def test_other_numbers_are_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    explorations = iter((Exploration(4, 4, (8, 0)), Exploration(2, 5, (7, 0))))
    monkeypatch.setattr(native_workers, "load_library", lambda: None)
    monkeypatch.setattr(native_workers, "explored", lambda *_: next(explorations))
    assert main(COMMAND) == 1


def test_what_the_command_counts() -> None:
    file = native_workers.FAMILIES["readers"]
    assert native_workers.explored(file, 3, "optimal", 1).counted == (8, 0)
