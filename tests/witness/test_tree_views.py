"""The tree of a search, and its executions, as they are shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.stateless import explore
from abpress.reductions.table import STATELESS
from abpress.search.limits import Limits
from abpress.search.recorder import Pruned, RecordedTree, Recording
from abpress.search.statistics import Outcome
from abpress.verify.load import load
from abpress.witness.executions import show_execution
from abpress.witness.tree import to_dot

PROGRAM = r"""#include <assert.h>
#include <pthread.h>
int x, ready;
void *one(void *p) { x = 1; ready = 1; return 0; }
void *two(void *p) { while (!ready) ; x = 2; return "a \\ \"quote\"" == 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  assert(x != 2);
  pthread_exit(0);
}
"""


def recorded(folder: Path, algorithm: str, most: int = 10_000, awaits: bool = True):
    file = folder / "program.c"
    file.write_text(PROGRAM, encoding="utf-8")
    config = Config.of(
        file, engine="stateless", por=algorithm, keep_going=True, awaits=awaits, unroll=3
    )
    loaded = load(config, every_access=True)
    recording = Recording(10_000, RecordedTree(most))
    explored = explore(loaded.program, config, Limits(), recording=recording)
    return recording, explored.result.statistics, loaded.sources


@pytest.mark.parametrize("algorithm", STATELESS)
def test_every_execution_is_a_path_of_the_tree(algorithm: str, tmp_path: Path) -> None:
    recording, statistics, _ = recorded(tmp_path, algorithm)
    tree = recording.tree
    assert tree is not None
    assert tree.hidden == 0
    ends = [node.outcome for node in tree.nodes if node.outcome is not None]
    assert ends == [outcome for outcome, _ in recording.executions]
    for outcome in Outcome:
        assert ends.count(outcome) == statistics[f"{outcome.value}_executions"]
    paths = set()
    for node in tree.nodes:
        if node.outcome is not None:
            path = []
            while node.parent is not None:
                path.append(node.step)
                node = tree.nodes[node.parent]
            paths.add(tuple(reversed(path)))
    assert paths == {schedule for _, schedule in recording.executions}
    assert all(node.left for node in tree.nodes)
    assert len(tree.nodes) == statistics["events"] + 1


def test_what_is_pruned(tmp_path: Path) -> None:
    found = {
        algorithm: {
            why
            for node in recorded(tmp_path, algorithm)[0].tree.nodes  # type: ignore[union-attr]
            for why in node.pruned.values()
        }
        for algorithm in ("none", "sleep", "source")
    }
    assert found["none"] == {Pruned.WAITS}
    assert found["sleep"] == {Pruned.WAITS, Pruned.ASLEEP}
    assert found["source"] == {Pruned.ASLEEP, Pruned.NOT_ASKED}


@pytest.mark.parametrize("algorithm", ["none", "source", "optimal"])
@pytest.mark.parametrize("most", [1, 7, 10_000])
@pytest.mark.parametrize("awaits", [True, False])
def test_the_graph_is_well_formed(algorithm: str, most: int, awaits: bool, tmp_path: Path) -> None:
    recording, statistics, sources = recorded(tmp_path, algorithm, most, awaits)
    tree, system = recording.tree, recording.system
    assert tree is not None and system is not None
    assert len(tree.nodes) + tree.hidden == statistics["events"] + 1
    lines = list(to_dot(tree, system, sources))
    defined = {m[1] for line in lines if (m := re.match(r"  (n\w+) \[.*label=", line))}
    edges = [m.groups() for line in lines if (m := re.match(r"  (n\w+) -> (n\w+) \[", line))]
    assert {end for edge in edges for end in edge} <= defined
    drawn = races(lines)
    steps = [(a, b) for a, b in edges if re.fullmatch(r"n\d+", b) and (a, b) not in drawn]
    assert len(steps) == len(tree.nodes) - 1
    assert any("left out" in line for line in lines) == (tree.hidden > 0)
    if most == 10_000:
        assert bool(drawn) == (algorithm != "none")
    for line in lines:
        assert re.sub(r"\\.", "", line).count('"') % 2 == 0


def races(lines: list[str]) -> set[tuple[str, str]]:
    pattern = r"  (n\w+) -> (n\w+) \[style=dashed, color=red"
    return {(m[1], m[2]) for line in lines if (m := re.match(pattern, line))}


def test_a_race_is_drawn_between_dependent_steps(tmp_path: Path) -> None:
    recording, _, sources = recorded(tmp_path, "optimal")
    assert recording.tree is not None and recording.system is not None
    lines = list(to_dot(recording.tree, recording.system, sources))
    texts = {
        m[1]: m[2] for line in lines if (m := re.match(r"  n\d+ -> (n\d+) \[label=(.*)\];", line))
    }
    checked = 0
    for later, earlier in races(lines):
        labels = texts.get(later), texts[earlier]
        if labels[0] is None or any("violates" in label for label in labels):
            continue  # a thread that waits; the end of the program
        cells = [set(re.findall(r"\b(x|ready):?=", label)) for label in labels]
        assert cells[0] & cells[1], labels
        checked += 1
    assert checked > 0


def test_executions_in_lines(tmp_path: Path) -> None:
    recording, _, sources = recorded(tmp_path, "optimal")
    assert recording.system is not None
    for number, (outcome, schedule) in enumerate(recording.executions, 1):
        for width in (30, 200):
            lines = list(
                show_execution(recording.system, number, outcome, schedule, sources, width)
            )
            assert all(len(line) <= width for line in lines[1:])
        assert lines[0].startswith(f"execution {number}: {outcome.value}")
        assert lines[-1].startswith("  final values: ")
    text = "\n".join(lines)
    assert ("assertion x != 2 fails" in text) == (outcome is Outcome.VIOLATING)
