"""The real command, as users run it: in a process of its own."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.forked import run_forked

ROOT = Path(__file__).resolve().parent.parent.parent
COMMAND = (sys.executable, "-m", "abpress")


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}


@dataclass(frozen=True, slots=True)
class Run:
    """What a run of the command left behind; `data` is the content of the `--json` file."""

    status: int
    out: str
    err: str
    data: Any

    @property
    def verdict(self) -> str:
        lines = [line for line in self.out.splitlines() if line.startswith("abpress verdict: ")]
        assert len(lines) == 1, self.out + self.err
        return lines[0].removeprefix("abpress verdict: ")


Command = Callable[..., Run]


@pytest.fixture
def abpress(tmp_path: Path) -> Command:
    """Runs `abpress` with arguments (from the temporary folder); `verify` gets a `--json`, and is
    asked `unreach-call` if no property is named."""

    def run(*arguments: str | Path, timeout: float = 60) -> Run:
        result = tmp_path / "result.json"
        extra = ["--json", str(result)] if arguments[0] == "verify" else []
        if arguments[0] == "verify" and "--property" not in arguments:
            extra += ["--property", "unreach-call"]
        asked = [str(word) for word in (*arguments[:1], *extra, *arguments[1:])]
        process = run_forked(asked, tmp_path, environment(), timeout)
        assert "Traceback" not in process.stderr, process.stderr
        data = json.loads(result.read_text(encoding="utf-8")) if result.exists() else None
        return Run(process.returncode, process.stdout, process.stderr, data)

    return run
