"""The table of other model checkers: what they print is read, rows are counted; without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments import peers_table
from experiments.harness import main
from experiments.peers import (
    Counts,
    GenMC,
    Nidhugg,
    NoAnswer,
    Stored,
    genmc_counts,
    nidhugg_counts,
    said_by,
    spin_counts,
)
from experiments.peers_table import DEFAULTS, MODELS, Row, Timed, line, summary, text_of
from experiments.settings import HERE

NIDHUGG = """Trace count: 9216
Assume-blocked trace count: 11525
Sleepset-blocked trace count: 1951
No errors were detected.
"""

GENMC = """*** Verification complete.
No errors were detected.
Number of complete executions explored: 68
Number of blocked executions seen: 154
Total wall-clock time: 0.02s
"""

SPIN = """State-vector 40 byte, depth reached 2323, errors: 0
     6064 states, stored
    12129 states, matched
    18193 transitions (= stored+matched)
        0 atomic steps
    0.347	equivalent memory usage for states (stored*(State-vector + overhead))
    0.483	actual memory usage for states
"""


def test_what_peers_print() -> None:
    assert nidhugg_counts(NIDHUGG) == Counts(9216, 11525, 1951)
    assert genmc_counts(GENMC) == Counts(68, 154)
    its = spin_counts(SPIN)
    assert its == Stored(6064, 18193, its.bytes)
    assert its.bytes == pytest.approx(83.5, abs=0.1)


@pytest.mark.parametrize(
    ("parsed", "text", "why"),
    [
        (nidhugg_counts, NIDHUGG.replace("No errors were", "Error"), "Error detected."),
        (genmc_counts, GENMC.replace("No errors", "Errors"), "Total wall-clock time: 0.02s"),
        (spin_counts, SPIN.replace("errors: 0", "errors: 1"), "actual memory usage"),
        (nidhugg_counts, "", "it says nothing"),
    ],
)
def test_a_search_that_has_not_come_to_its_end(parsed, text: str, why: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(NoAnswer, match=why):
        parsed(text)


def timed(complete: int, seconds: float, redundant: int = 0) -> Timed:
    its = Timed()
    its.take(Counts(complete, 0, redundant), seconds)
    return its


def test_ratios() -> None:
    """By speed the best peer has 300 executions per second, and in time the last one is first."""
    ours = {"source": timed(600, 2.0, 5), "optimal": timed(600, 1.0)}
    peers = {"one": timed(600, 2.0), "few": timed(60, 0.5), "none": Timed(why="more than 120 s")}
    row = Row("writers-3", ours, peers)
    assert row.by_speed == pytest.approx(2.0)
    assert row.by_time == pytest.approx(0.5)
    assert line(row) == (
        "| writers-3 | 600+5s | 600 | 600 | 60 | – | 0.3 | 0.6 | 0.3 | 0.1 | – | 2.00 | 0.50 |"
    )
    other = Row("readers-2", ours, {"one": timed(600, 8.0)})
    assert list(summary([row, other])) == [
        "speed, over 2 programs: geometric mean 4.00, least 2.00 (writers-3)",
        "time, over 2 programs: geometric mean 2.00, least 0.50 (writers-3)",
        "writers-3, none: more than 120 s",
    ]


def test_the_least_time_counts_and_runs_have_to_agree() -> None:
    its = timed(4, 2.0)
    its.take(Counts(4), 1.0)
    assert its.seconds == 1.0
    with pytest.raises(AssertionError, match="differ"):
        its.take(Counts(5), 1.0)


def test_a_row_without_peers() -> None:
    row = peers_table.measured("treiber", [], {}, rounds=1, awaits=True)
    assert {timed.counts and timed.counts.complete for timed in row.ours.values()} == {68}
    row = peers_table.measured("readers-3", [], {}, rounds=1)
    assert {str(its.counts) for its in row.ours.values()} == {"8"}
    assert row.by_speed is None
    assert line(row).endswith("| – | – |")


def test_peers_that_are_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere = str(tmp_path / "nothing")
    with pytest.raises(NoAnswer):
        said_by([nowhere], tmp_path)
    for peer in (GenMC(nowhere), Nidhugg(nowhere, nowhere, nowhere, "source")):
        with pytest.raises(NoAnswer):
            peer.explored(peers_table.EMPTY, tmp_path)
    options = [f"--{name}={nowhere}" for name in ("nidhugg", "genmc", "clang", "opt")]
    assert main(["peers-table", *options, "--only", "executions", "readers-2"]) == 0
    said = capsys.readouterr().out
    assert "GenMC is left out" in said
    assert "| readers-2 | 4 | 4 |" in said
    assert "speed: no row has a peer" in said


def test_programs_and_models() -> None:
    assert len(DEFAULTS) == len(set(DEFAULTS)) >= 20
    for program in DEFAULTS:
        assert "int main(void)" in text_of(program)
    for model in MODELS:
        assert (HERE / "models" / f"{model}.c").exists()
        assert (HERE / "models" / f"{model}.pml").exists()


@pytest.mark.parametrize("model", MODELS)
def test_states_without_spin(model: str) -> None:
    """The smallest size of each model."""
    one = [peers_table.stored(model, 2, por)[0] for por in ("none", "s-por")]
    assert one[0] >= one[1] > 100
