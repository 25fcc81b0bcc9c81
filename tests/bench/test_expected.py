"""The verdicts that AbPress has given to its own tasks: the file, and a sample that must stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.bench.expected import expected_name, read_expected, write_expected
from abpress.bench.inputs import read_inputs
from abpress.bench.record import RunLimits
from abpress.bench.runner import Setting, jobs_of, run_all
from abpress.errors import InputError
from tests.sampling import sample

from .fakes import a_job, a_task
from .test_store import a_run

ROOT = Path(__file__).resolve().parent.parent.parent
EXPECTED = ROOT / "benchmarks" / "expected.jsonl"
TASKS = ROOT / "benchmarks" / "svcomp"
SAMPLE = (
    "atomics/c11_cas_loop_safe",
    "atomics/seqlock_unsafe",
    "deadlock/philosophers_3_deadlock",
    "deadlock/transfer_ordered",
    "memory/message_queue_leak",
    "misuse/start_signal_stranger",
    "overflow/bisection_midpoint_wraps",
    "overflow/tick_counter_safe",
    "pthread-atomic/peterson_safe",
    "pthread-atomic/szymanski_unsafe",
    "pthread/fib_bench_3_safe",
    "pthread/indexer_2_unsafe",
    "pthread/queue_unsafe",
    "pthread/sigma_4_safe",
    "pthread/stack_safe",
    "pthread/twostage_3_unsafe",
    "races/mailbox_racy",
    "races/mailbox_safe",
)


def test_it_is_written_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / "e.jsonl"
    runs = [
        a_run(a_job(a_task("b")), verdict="unknown"),
        a_run(a_job(a_task("a")), verdict="true"),
        a_run(a_job(a_task("a")), verdict="false", property="no-deadlock"),
    ]
    definitions = {(run.task, run.property): tmp_path / "g" / run.task for run in runs}
    write_expected(file, runs, definitions)
    assert file.read_text() == (
        '{"task": "g/a", "property": "no-deadlock", "verdict": "false"}\n'
        '{"task": "g/a", "property": "unreach-call", "verdict": "true"}\n'
        '{"task": "g/b", "property": "unreach-call", "verdict": "unknown"}\n'
    )
    assert read_expected(file)["g/b", "unreach-call"] == "unknown"
    write_expected(file, [a_run(a_job(a_task("b")), verdict="true")], definitions)
    assert len(read_expected(file)) == 3
    assert read_expected(file)["g/b", "unreach-call"] == "true"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "e.jsonl:1: a task, a property and a verdict are expected"),
        ("[]", "e.jsonl:1: a task, a property and a verdict are expected"),
        ('{"task": "a"}', "e.jsonl:1: a task, a property and a verdict are expected"),
        (
            '{"task": "a", "property": "p", "verdict": "true"}\n' * 2,
            "e.jsonl:2: a (p) is there twice",
        ),
    ],
)
def test_a_malformed_file(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "e.jsonl").write_text(text)
    with pytest.raises(InputError) as caught:
        read_expected(tmp_path / "e.jsonl")
    assert str(caught.value).endswith(message)


def test_no_kept_verdict_is_wrong() -> None:
    """Every line is about a task that is there, and says nothing else than its definition."""
    inputs = read_inputs([str(TASKS / "all.set")])
    right = {
        (expected_name(EXPECTED, inputs.definitions[t.name, t.property]), t.property): t.expected
        for t in inputs.tasks
    }
    kept = read_expected(EXPECTED)
    assert len(kept) > 200
    for key, verdict in kept.items():
        assert key in right, f"{key}: no such task"
        assert verdict in (right[key], "unknown"), key


def test_a_sample_has_the_verdicts_that_are_kept() -> None:
    names = sample(SAMPLE, every=3)
    inputs = read_inputs([str(TASKS / f"{name}.yml") for name in names])
    assert {task.name for task in inputs.tasks} == set(names)
    kept = read_expected(EXPECTED)
    # The first question of each task; the others would take as long again.
    tasks = {task.name: task for task in reversed(inputs.tasks)}
    setting = Setting(RunLimits(wall_s=120, memory_mb=2000), parallel=2)
    for job, run in run_all(jobs_of(list(tasks.values()), {"default": ()}), setting):
        definition = inputs.definitions[job.task.name, job.task.property]
        key = expected_name(EXPECTED, definition), job.task.property
        assert kept[key] != "unknown", f"{key}: a sample must be decided"
        assert run.verdict == kept[key], f"{key}: {run.verdict} {run.reason}"
