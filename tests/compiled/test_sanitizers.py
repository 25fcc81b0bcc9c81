"""What the sanitizers see of generated programs is never "true", and the comparison can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.faulty_programs import faulty_program
from experiments.sanitized import Instrumented, installed, seen, told
from experiments.sanitizers import PROPERTIES, answered, contradictions, observed, said
from tests.sampling import sample

pytestmark = pytest.mark.skipif(not installed(), reason="no compiler with sanitizers")

ROOT = Path(__file__).resolve().parents[2]
TASKS = ROOT / "benchmarks" / "svcomp"
RUNS = 4
SEEDS = sample((2, 4), every=2)


def way(sanitizer: str) -> Instrumented:
    return next(way for way in installed() if way.sanitizers.startswith(sanitizer))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_seen_is_not_true(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(faulty_program(seed, 1 + seed % 2))
    reports = observed(file, (way("thread"), way("address")), RUNS, tmp_path, seed)
    answers = answered(file, PROPERTIES, 10.0)
    assert contradictions(reports, answers) == []


@pytest.mark.parametrize(
    ("task", "sanitizer", "property"),
    [
        ("races/cache_hits_racy", "thread", "no-data-race"),
        ("misuse/start_signal_stranger", "thread", "no-misuse"),
        ("memory/message_queue_leak", "address", "valid-memtrack"),
        ("memory/worker_result_stack", "address", "valid-deref"),
        ("overflow/string_hash_wraps", "address", "no-overflow"),
    ],
)
def test_they_see_what_is_wrong(task: str, sanitizer: str, property: str, tmp_path: Path) -> None:
    found = seen(TASKS / f"{task}.c", way(sanitizer), RUNS, tmp_path)
    assert property in found.reports
    assert contradictions(found.reports, {property: "true"})
    assert not contradictions(found.reports, {property: "false"})


def test_they_see_nothing_in_the_right_program(tmp_path: Path) -> None:
    for sanitizer in ("thread", "address"):
        for name in ("races/cache_hits_safe", "memory/shared_image_safe"):
            assert seen(TASKS / f"{name}.c", way(sanitizer), 2, tmp_path).reports == {}


def test_without_mutations_a_program_has_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(faulty_program(3, 0))
    assert observed(file, (way("thread"), way("address")), RUNS, tmp_path, 3) == {}


def test_a_race_with_the_library_is_another_fault() -> None:
    bar = "=" * 18
    race = f"{bar}\nWARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 8 at 0x7b by T1:\n"
    assert told(f"{race}    #0 f a.c:1\n{bar}\n") == {"no-data-race"}
    assert told(f"{race}    #0 free <null>\n{bar}\n") == set()
    assert told(f"{race}    #0 pthread_mutex_destroy <null>\n{bar}\n") == {"no-misuse"}
    assert told("a.c:1: runtime error: left shift of negative value -1") == set()
    assert told("a.c:1: runtime error: negation of -2147483648 cannot be") == {"no-overflow"}


def test_a_verdict_that_assumes_something_is_conditional() -> None:
    malloc, undefined = "no failure of malloc (x)", "no undefined behaviour"
    told = (("a", "true", [malloc]), ("b", "true", [malloc, undefined]), ("c", "false", []))
    results = [{"property": p, "verdict": v, "assumptions": a} for p, v, a in told]
    data = {"results": results}
    assert [said(data, p) for p in "abcd"] == ["true", "conditional", "false", "unknown"]
