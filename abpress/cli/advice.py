"""What is said of an answer "unknown" besides its reason: how far the run has come, what made it
large, and what to try, with the command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from abpress.engines.census import LOOKED_AT, LOOPS, THREADS, VALUES
from abpress.result import Result, Verdict
from abpress.search.limits import processors
from abpress.verify.run import Report

_LONGER = 4
"""How much more time, and higher bounds, are advised."""

_ARGUMENTS = re.compile(r"parameter \w+ of main|pointer: uninitialised (argv|av|args|arguments)\b")
"""What engines say that stop where the program looks at its arguments."""

_KEPT = re.compile(r"(.*), after [\d,]+ executions")
"""What is told of a file from which the search can go on."""

_COVERED = {"states": "states", "events": "steps", "nodes": "nodes", "max_depth": "steps deep"}
"""The numbers of a run that say how far it has come, where they are not 0, and of what they are."""


def advice(report: Report, words: Sequence[str]) -> list[str]:
    """Lines about an unknown answer, of a command line that is a command and its arguments; none if
    the answer is another one, or the input was refused."""
    result = report.result
    open_ones = [a.result for a in report.answers if a.result.verdict is Verdict.UNKNOWN]
    if result.verdict is not Verdict.UNKNOWN or result.reason.startswith("unsupported"):
        return []
    lines = [*_covered(result), *_large(result)]
    return lines + [
        f"try: abpress {shlex.join(command)}"
        for command in _commands(result, open_ones, report, words)
    ]


def _covered(result: Result) -> Iterator[str]:
    numbers = ((result.statistics.get(name), what) for name, what in _COVERED.items())
    told = [f"{n:,} {what}" for n, what in numbers if isinstance(n, int) and n]
    if told:
        yield f"covered: {', '.join(told)}; nothing is known of the rest"


def _large(result: Result) -> Iterator[str]:
    statistics = result.statistics
    if LOOKED_AT not in statistics:
        return
    yield f"of {statistics[LOOKED_AT]} of these states:"
    if VALUES in statistics:
        yield f"  variables with the most values: {statistics[VALUES]}"
    if THREADS in statistics:
        yield f"  threads by their states: {statistics[THREADS]}"
    if LOOPS in statistics:
        yield f"  some thread is in the loop at: {statistics[LOOPS]}"


def _commands(
    result: Result, open_ones: Sequence[Result], report: Report, words: Sequence[str]
) -> Iterator[list[str]]:
    reason = result.reason
    if found := _KEPT.fullmatch(str(result.statistics.get("checkpoint"))):
        words = _with(words, "--resume", found[1])
        if "time limit" not in reason:
            yield [*words]
    if found := re.search(r"time limit of ([\d.]+) s", reason):
        yield _with(words, "--time-limit", f"{_LONGER * float(found[1]):g}s")
    if found := re.search(r"more than (\d+) threads", reason):
        yield _with(words, "--max-threads", str(_LONGER * int(found[1])))
    if found := re.search(r"recursion of \w+ deeper than (\d+)", reason):
        yield _with(words, "--recursion-bound", str(_LONGER * int(found[1])))
    if any(_ARGUMENTS.search(told) for told in (reason, str(result.statistics.get("engines")))):
        yield _with(words, "--any-arguments", "2")
    if "memory limit of" in reason and report.engine != "stateless":
        yield _with(words, "--engine", "stateless")
    if report.engine != "auto" and any(w.startswith("--engine") for w in words):
        yield _with(words, "--engine", "auto")
    if open_ones:
        nearest = min(open_ones, key=lambda its: _distance(its, words))
        alone = words
        if len(report.answers) > 1:
            alone = _with(words, "--property", nearest.property)
            yield alone
        if nearest.alarms and "--alarms" not in words:
            yield [alone[0], "--alarms", *alone[1:]]
    cores = processors()
    limited = "time limit" in reason and "while reading" not in reason
    if limited and cores > 1 and not any(w.startswith("--workers") for w in words):
        yield _with(words, "--workers", str(min(4, cores)))


def _distance(result: Result, words: Sequence[str]) -> tuple[int, bool, int]:
    """How far a property is from an answer: those that are asked for come in their order, of others
    first that of which facts leave least open."""
    asked = (i for i, word in enumerate(words) if word.rpartition("=")[2] == result.property)
    return next(asked, len(words)), not result.alarms, len(result.alarms)


def _with(words: Sequence[str], name: str, value: str) -> list[str]:
    """The command line with this value of an option."""
    command, *rest = words
    kept: list[str] = []
    skip = False
    for i, word in enumerate(rest):
        if word == "--":
            kept += rest[i:]
            break
        if skip:
            skip = False
        elif word == name:
            skip = True
        elif not word.startswith(f"{name}="):
            kept.append(word)
    return [command, name, value, *kept]
