"""The sizes of wakeup trees that optimal DPOR reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.properties import PROPERTIES
from abpress.reductions.table import STATELESS
from abpress.search.stateless import explore_executions
from abpress.semantics.interpreter import Interpreter
from abpress.verify.load import load

HEAD = "#include <pthread.h>\nint x, y;\n"
MAIN = "int main(void) { pthread_t t; %s pthread_exit(0); }"


def sizes(bodies: list[str], folder: Path) -> tuple[int, int, int]:
    """Sequences and nodes that were inserted, and the most nodes at a time."""
    threads = [f"void *f{k}(void *p) {{ {body} return 0; }}" for k, body in enumerate(bodies)]
    creations = " ".join(f"pthread_create(&t, 0, f{k}, 0);" for k in range(len(bodies)))
    file = folder / "program.c"
    file.write_text(HEAD + "\n".join([*threads, MAIN % creations]), encoding="utf-8")
    program = load(Config.of(file), every_access=True).program
    found = explore_executions(
        Interpreter(program), STATELESS["optimal"].make(), PROPERTIES["unreach-call"]
    )
    more = found.statistics.more
    return more["wakeup_sequences"], more["wakeup_nodes"], more["wakeup_nodes_at_most"]


@pytest.mark.parametrize(
    ("bodies", "expected"),
    [
        (["x = 1;", "y = 1;"], (0, 0, 1)),  # no race: one free node at a time
        (["x = 1;", "x = 2;"], (1, 1, 1)),  # the other order, from its first step on
    ],
)
def test_sizes(bodies: list[str], expected: tuple[int, int, int], tmp_path: Path) -> None:
    assert sizes(bodies, tmp_path) == expected


def test_trees_grow_with_races(tmp_path: Path) -> None:
    few = sizes(["x = 1;", "x = 2;"], tmp_path)
    many = sizes(["x = 1; y = 1;", "y = 2; x = 2;", "x = 3; y = 3;"], tmp_path)
    assert all(a < b for a, b in zip(few, many, strict=True))
    assert many[2] < many[1]
