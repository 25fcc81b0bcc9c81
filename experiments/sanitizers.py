"""Ground truth from sanitizers: what ThreadSanitizer, AddressSanitizer, LeakSanitizer and
UndefinedBehaviorSanitizer of gcc and clang see, in runs with random delays, is never "true" here.

Without --tasks, programs are generated: with locks, memory and arithmetic used rightly (every
third), and with one or two mutations. With --tasks, task definitions are run, and what is seen must
be expected. A run that sleeps until it is ended counts as a deadlock.

Exit status: 0; 1 if a "true" is contradicted by a sanitizer, a program without mutation has a
fault, or what is seen or answered is not expected of a task.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from abpress.bench.inputs import read_inputs
from experiments.faulty_programs import faulty_program
from experiments.sanitized import Instrumented, installed, seen

PROPERTIES = (
    "no-data-race",
    "valid-deref",
    "valid-free",
    "valid-memtrack",
    "no-overflow",
    "no-misuse",
    "no-deadlock",
    "unreach-call",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, and limits."""
    parser.add_argument("--tasks", nargs="+", help="task definitions and sets instead")
    parser.add_argument("--count", type=int, default=100, help="programs; default: 100")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no program after so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=20, help="of each executable; default: 20")
    parser.add_argument("--seconds", type=float, default=20.0, help="per program; default: 20")
    parser.add_argument("--unasked", action="store_true", help="only run the sanitizers")
    parser.add_argument("--keep", type=Path, help="folder for programs with a contradiction")


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if anything is contradicted."""
    ways = installed()
    if not ways:
        print("neither gcc nor clang is installed")
        return 2
    return _tasks(options, ways) if options.tasks else _generated(options, ways)


def _generated(options: argparse.Namespace, ways: Sequence[Instrumented]) -> int:
    count: Counter[tuple[str, str]] = Counter()
    contradicted, programs, began = 0, 0, time.monotonic()
    for seed in range(options.seed, options.seed + options.count):
        if time.monotonic() - began > 60 * options.minutes:
            break
        programs += 1
        # One compiler for each program: the next one has the other.
        own = [way for k, way in enumerate(ways) if k % 2 == seed % 2] or ways
        text = faulty_program(seed, seed % 3)
        with tempfile.TemporaryDirectory() as name:
            file = Path(name) / "program.c"
            file.write_text(text)
            reports = observed(file, own, options.runs, Path(name), seed)
            answers = {} if options.unasked else answered(file, PROPERTIES, options.seconds)
        wrong = contradictions(reports, answers)
        if seed % 3 == 0:
            wrong += [f"{p} is seen without a mutation" for p in reports]
            wrong += [
                f"{p}: false without a mutation" for p, said in answers.items() if said == "false"
            ]
        for property in PROPERTIES:
            word = "seen" if property in reports else "not seen"
            count[f"{property:<15} {word}", answers.get(property, "not asked")] += 1
        contradicted += bool(wrong)
        for line in wrong:
            print(f"WRONG seed {seed}: {line}", flush=True)
        if wrong and options.keep is not None:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"faulty-{seed}.c").write_text(text)
    print(f"{programs} programs, {contradicted} contradicted")
    for (what, said), number in sorted(count.items()):
        print(f"{what:<25} {said:<10} {number:>5}")
    return 1 if contradicted else 0


def _tasks(options: argparse.Namespace, ways: Sequence[Instrumented]) -> int:
    inputs = read_inputs(options.tasks)
    files: dict[Path, dict[str, str]] = {}
    for task in inputs.tasks:
        files.setdefault(task.file, {})[task.property] = task.expected or "unknown"
    wrong, missed, began = 0, 0, time.monotonic()
    for file, expected in files.items():
        if time.monotonic() - began > 60 * options.minutes:
            break
        faults = _faults(expected)
        with tempfile.TemporaryDirectory() as name:
            reports = observed(file, ways, options.runs, Path(name), options.seed)
        # Behind undefined behaviour anything may happen.
        undefined = faults - {"valid-memtrack", "valid-memcleanup", "no-deadlock", "unreach-call"}
        unexpected = [p for p in reports if p not in faults and not undefined]
        unseen = sorted(faults - reports.keys() - {"valid-memcleanup"})
        wrong += bool(unexpected)
        missed += bool(unseen)
        words = ", ".join(sorted(reports)) or "nothing"
        print(f"{file.parent.name}/{file.stem}: {words} seen", end="", flush=True)
        print(f"; not seen: {', '.join(unseen)}" if unseen else "", flush=True)
        for property in unexpected:
            print(f"UNEXPECTED {property}: {reports[property]}", flush=True)
    print(f"{len(files)} programs, {wrong} with reports that are not expected, {missed} unseen")
    return 1 if wrong else 0


def _faults(expected: Mapping[str, str]) -> set[str]:
    """The properties that a task says to be violated, those of memory safety by themselves."""
    found = set()
    for property, verdict in expected.items():
        sub = re.fullmatch(r"false\((.*)\)", verdict)
        if verdict == "false" or sub:
            found.add(sub[1] if sub else property)
    return found


def observed(
    file: Path, ways: Sequence[Instrumented], runs: int, folder: Path, seed: int
) -> dict[str, str]:
    """Property -> a report that says it to be violated, by any of the ways."""
    reports: dict[str, str] = {}
    for way in ways:
        for property, report in seen(file, way, runs, folder, seed).reports.items():
            reports.setdefault(property, report)
    return reports


def answered(file: Path, properties: Sequence[str], seconds: float) -> dict[str, str]:
    """Property -> what `abpress verify` says in one run: true, conditional, false or unknown."""
    asked = [word for property in properties for word in ("--property", property)]
    with tempfile.NamedTemporaryFile(suffix=".json") as result:
        command = (
            *(sys.executable, "-m", "abpress", "verify", "--quiet", "--json", result.name),
            *("--time-limit", str(seconds), *asked, str(file)),
        )
        subprocess.run(command, capture_output=True, timeout=3 * seconds + 30, env=dict(os.environ))
        data = json.loads(result.read() or "{}")
    return {property: said(data, property) for property in properties}


def said(data: Mapping[str, Any], property: str) -> str:
    """The verdict for a property in a result. A "true" that assumes that something undefined does
    not happen is "conditional": what sanitizers see may be behind that."""
    found = next((r for r in data.get("results", [data]) if r.get("property") == property), None)
    if found is None:
        return "unknown"
    conditional = any(not a.startswith("no failure of") for a in found["assumptions"])
    verdict: str = found["verdict"]
    return "conditional" if verdict == "true" and conditional else verdict


def contradictions(reports: Mapping[str, str], answers: Mapping[str, str]) -> list[str]:
    """What the sanitizers see and the verifier excludes."""
    return [
        f"{property}: true, but {report}"
        for property, report in reports.items()
        if answers.get(property) == "true"
    ]
