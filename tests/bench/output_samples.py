"""A benchmark with all that the outputs have to show; and a larger one."""

from __future__ import annotations

import random
from dataclasses import replace

from abpress.bench.record import Benchmark, Category, Run, RunLimits

LIMITS = RunLimits(cpu_s=10, wall_s=15, memory_mb=500)
SCORES = {
    ("true", "true"): 2,
    ("false", "false"): 1,
    ("true", "false"): -16,
    ("false", "true"): -32,
}


def run(
    task: str, config: str, expected: str | None, verdict: str, cpu_s: float = 1.0, **more: object
) -> Run:
    """A run with a definite verdict, or unknown."""
    category = (
        Category.UNKNOWN
        if verdict == "unknown"
        else Category.UNJUDGED
        if expected is None
        else Category.CORRECT
        if expected == verdict
        else Category.WRONG
    )
    plain = Run(
        task=task,
        property="unreach-call",
        config=config,
        options=("--por", "s-por") if config == "b" else (),
        expected=expected,
        verdict=verdict,
        reason="",
        status={"true": 0, "false": 1}.get(verdict, 2),
        category=category,
        score=SCORES.get((str(expected), verdict), 0),
        cpu_s=cpu_s,
        wall_s=cpu_s + 0.25,
        memory_mb=64.5,
        engine="explicit",
        reduction="s-por",
        statistics={"states": round(1000 * cpu_s), "max_depth": 7},
    )
    return replace(plain, **more)  # type: ignore[arg-type]


def failed(task: str, config: str, category: Category, reason: str, expected: str = "true") -> Run:
    """A run without an answer."""
    plain = run(task, config, expected, "unknown", 10.0)
    return replace(plain, category=category, reason=reason, status=None, statistics={})


BENCHMARK = Benchmark(
    runs=(
        run("locks/peterson_safe", "a", "true", "true", 0.5, certificate="proofs/peterson 1.json"),
        run("locks/peterson_safe", "b", "true", "true", 2.0),
        run("locks/dekker_bad", "a", "false", "false", 0.02, trace="traces/dekker#1.json"),
        run("locks/dekker_bad", "b", "false", "true", 3.0),
        run("queues/ring_safe", "a", "true", "false", 0.3, trace="traces/ring.json"),
        failed("queues/ring_safe", "b", Category.TIMEOUT, "10 s of CPU time"),
        failed("queues/big", "a", Category.OUT_OF_MEMORY, "500 MiB"),
        failed("queues/big", "b", Category.ERROR, 'garbage: \x00\x1b[31m <b>&"\udcff</script>'),
        run("<i>odd</i>", "a", None, "true", 0.0, property="no-deadlock", statistics={}),
        run("<i>odd</i>", "b", None, "unknown", 1.0, property="no-deadlock", reason="too wide"),
        run("mem/leak", "a", "false(valid-deref)", "unknown", property="valid-memsafety"),
    ),
    configs={"a": (), "b": ("--por", "s-por")},
    limits=LIMITS,
    started="2026-11-21T12:00:00+00:00",
    version="0.1.0",
)


def large(tasks: int, configs: int) -> Benchmark:
    """Random results, always the same ones."""
    draw = random.Random(tasks)
    names = [f"config {index}" for index in range(configs)]
    runs = []
    for number in range(tasks):
        expected = draw.choice(("true", "false"))
        for name in names:
            task = f"group{number % 7}/task_{number:04}"
            if draw.random() < 0.2:
                runs.append(failed(task, name, Category.TIMEOUT, "10 s", expected))
            else:
                runs.append(
                    run(task, name, expected, expected, round(10 ** draw.uniform(-2, 1), 3))
                )
    return replace(BENCHMARK, runs=tuple(runs), configs=dict.fromkeys(names, ()))
