"""Runs the programs of a manifest through `abpress verify`: how many parse, lower, are decided.

The manifest is tab-separated with a header; columns used: mirror (a folder below --root), path,
property, expected, flags, data_model, and where present sc_recheck (`tool: verdict`, the verdict
under sequential consistency) and extra (`bounded:…`: what a bounded search said).

Exit status: 0; 1 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import re
import shlex
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from abpress.bench.execute import Job
from abpress.bench.record import Category, Run, Task
from abpress.bench.runner import in_order, run_all
from experiments.settings import add_limits, setting_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, and limits."""
    parser.add_argument("manifest", type=Path)
    parser.add_argument("--root", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--corpus", action="append", help="only this corpus (repeatable)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th program")
    add_limits(parser, seconds=30.0)
    parser.add_argument("--verbose", action="store_true", help="a line per program")


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if a verdict is wrong."""
    programs = read_manifest(options.manifest, options.root, options.corpus)[:: options.every]
    jobs = [Job(task, "default", ()) for program in programs for task in program.tasks()]
    runs: list[Run] = []
    by_corpus: dict[str, list[Run]] = {}
    with contextlib.closing(run_all(jobs, setting_of(options))) as ended:
        answers = in_order(jobs, ended)
        for program in programs:
            its = _together([next(answers)[1] for _ in program.properties])
            runs.append(its)
            by_corpus.setdefault(program.corpus, []).append(its)
            if options.verbose or its.category is Category.WRONG:
                print(_line(program, its), flush=True)
    print(f"{'corpus':<10} programs  parsed  lowered  right  wrong  unknown  not judged")
    for corpus, some in by_corpus.items():
        print(_table_row(corpus, some))
    print(_table_row("all", runs))
    causes = Counter(_cause(its) for its in runs if not its.definite())
    if causes:
        print("\nmost frequent causes of unknown:")
    for cause, count in causes.most_common(25):
        print(f"{count:6}  {cause}")
    return 1 if any(its.category is Category.WRONG for its in runs) else 0


@dataclass(frozen=True, slots=True)
class Program:
    """A program of the manifest; `expected` is whether it has all of the properties, if known."""

    corpus: str
    name: str
    file: Path
    properties: tuple[str, ...]
    expected: str | None
    data_model: str
    options: tuple[str, ...]

    def tasks(self) -> list[Task]:
        """A task per property."""
        return [
            Task(self.name, self.file, property, self.expected, self.data_model, self.options)
            for property in self.properties
        ]


def read_manifest(manifest: Path, root: Path, corpora: list[str] | None) -> list[Program]:
    """One entry per program and set of macros, in the order of the manifest."""
    with manifest.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    programs: dict[tuple[str, str, tuple[str, ...]], Program] = {}
    for row in rows:
        if corpora and row["corpus"] not in corpora:
            continue
        folder = root / row["mirror"]
        macros = _macros(row["flags"], folder)
        key = (row["mirror"], row["path"], macros)
        expected = _expected(row)
        known = programs.get(key)
        if known is not None and (known.expected is not None or expected is None):
            continue
        programs[key] = Program(
            row["corpus"],
            row["path"],
            folder / row["path"],
            _PROPERTIES.get(row["property"], ("unreach-call",)),
            expected,
            row["data_model"],
            macros,
        )
    return list(programs.values())


_PROPERTIES = {
    "deadlock": ("unreach-call", "no-deadlock"),
    "deadlock+assert": ("unreach-call", "no-deadlock"),
}
"""What the manifest calls the property -> what the program is asked. Without an entry, assertions.
(The tool behind the `deadlock` rows checks assertions, too.)"""


def _together(runs: list[Run]) -> Run:
    """One answer for several properties of a program: whether it has them all."""
    deciding = next((run for run in runs if run.verdict.startswith("false")), None)
    deciding = deciding or next((run for run in runs if not run.definite()), runs[0])
    return replace(deciding, wall_s=sum(run.wall_s for run in runs))


def _expected(row: dict[str, str]) -> str | None:
    """The verdict of the asked question under sequential consistency, where it is known."""
    asserts_too = row["property"].endswith("+assert") and row["expected"] == "true"
    if not (row["property"].startswith("unreach") or row["property"] in _PROPERTIES or asserts_too):
        return None
    stated = row["expected"] if row["expected"] in ("true", "false") else None
    extra = row.get("extra") or ""
    if "false under per-access interleaving" in extra:
        return "false"
    checks_unwinding = "unwind" in extra and "no-unwinding-assertions" not in extra
    if "bounded" in extra and (stated == "true" or checks_unwinding):
        stated = None  # it holds within a bound, or the bound itself is what fails
    recheck = (row.get("sc_recheck") or "").partition(": ")[2]
    if recheck.startswith("true") and "(" not in recheck:
        return "true"
    if recheck.startswith("false:"):
        asserts = recheck.startswith(("false:Assertion", "false:Safety"))
        return "false" if asserts else None
    return None if (row.get("needs_weak_memory") or "no").startswith("yes") else stated


def _macros(flags: str, folder: Path) -> tuple[str, ...]:
    """The -D and -I flags of the first alternative (they are separated by |) that has some."""
    for alternative in flags.split("|"):
        found = [flag for flag in shlex.split(alternative) if re.match(r"-[DI].", flag)]
        if found:
            return tuple(
                f"-I{folder / flag[2:]}" if flag.startswith("-I") else flag for flag in found
            )
    return ()


def _table_row(corpus: str, runs: list[Run]) -> str:
    parsed = [run for run in runs if not run.reason.startswith(("input error", "no result"))]
    lowered = [run for run in parsed if not run.reason.startswith("unsupported")]
    counts = Counter(run.category for run in runs)
    unknown = sum(not run.definite() for run in runs)
    return (
        f"{corpus:<10} {len(runs):8}  {len(parsed):6}  {len(lowered):7}  "
        f"{counts[Category.CORRECT]:5}  {counts[Category.WRONG]:5}  {unknown:7}  "
        f"{counts[Category.UNJUDGED]:10}"
    )


def _cause(run: Run) -> str:
    text = re.sub(r"\S+:\d+(:\d+)?", "…", run.reason)
    return re.sub(r"\d+", "N", text)[:90]


def _line(program: Program, run: Run) -> str:
    return (
        f"{run.category.value:<13} {run.expected or '?':<6} {run.verdict:<8} "
        f"{run.wall_s:7.2f}  {program.file} {' '.join(program.options)} {run.reason}"
    ).rstrip()
