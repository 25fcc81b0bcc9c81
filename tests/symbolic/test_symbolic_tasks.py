"""The benchmark tasks: along random executions, symbolic steps are the interpreter's."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from abpress.cli.main import build_parser
from abpress.cli.options import config_of
from abpress.verify.load import load
from tests.sampling import sample
from tests.symbolic.symbolic_states import Pair

ROOT = Path(__file__).resolve().parents[2]
TASKS = sorted((ROOT / "benchmarks" / "svcomp").rglob("*.c"))
STEPS = 25
"""Steps of the execution that are compared, with all others that are possible there."""


def test_there_are_tasks() -> None:
    assert TASKS


@pytest.mark.parametrize("file", sample(TASKS, 12), ids=lambda file: file.stem)
def test_random_execution(file: Path) -> None:
    program = load(
        config_of(build_parser().parse_args(["verify", str(file), "--property", "unreach-call"]))
    ).program
    walk(Pair(program), Random(file.stem), STEPS)


def walk(pair: Pair, random: Random, steps: int) -> None:
    """Compares all steps of the states of a random execution, which begins anew when it ends."""
    at = pair.initial()
    for _ in range(steps):
        successors = pair.compare(*at)
        at = random.choice(successors) if successors else pair.initial()
