"""Suites of single-file C programs of others, run to their ends: status and output as expected?

A folder per suite, fetched beside the project. What is expected is what gcc and clang agree on, at
-O0 and -O2, for each data model. Prints per suite how many programs are accepted and right, and
why the others are refused or undecided.

Exit status: 0; 1 if an answer is wrong or the front end crashes.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from experiments.compilers import WIDTHS, Differ, expected, missing
from experiments.contained import contained
from experiments.observed import Answer, answer


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, and limits."""
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="a suite")
    parser.add_argument("--data-model", choices=WIDTHS, action="append", help="default: both")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th program")
    parser.add_argument("--seconds", type=float, default=10.0, help="per program; default: 10")
    parser.add_argument("--std", default="gnu11", help="of the compilers; default: gnu11")
    parser.add_argument("--reasons", type=int, default=20, metavar="N", help="how many are listed")
    parser.add_argument("--verbose", action="store_true", help="a line per program")


@dataclass(slots=True)
class Count:
    """What became of the programs of a suite. Mutable: it grows."""

    kinds: Counter[str] = field(default_factory=Counter)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, answer: Answer) -> None:
        self.kinds[answer.kind] += 1
        if answer.kind != "right":
            self.reasons[answer.kind, general(answer.reason)] += 1

    @property
    def failed(self) -> bool:
        return bool(self.kinds["wrong"] or self.kinds["crash"])

    def report(self, name: str, most: int) -> None:
        """Prints the counts, and the most frequent reasons."""
        accepted = sum(self.kinds[k] for k in ("right", "wrong", "undecided", "crash"))
        print(
            f"{name}: {self.kinds.total()} programs, {accepted} accepted, "
            + ", ".join(f"{self.kinds[kind]} {kind}" for kind in KINDS)
        )
        for (kind, reason), count in self.reasons.most_common(most):
            print(f"  {count:5} {kind}: {reason}")


KINDS = ("right", "wrong", "crash", "refused", "undecided", "not judged")


def general(reason: str) -> str:
    """A reason without names, numbers and places, the last line of a traceback."""
    line = reason.strip().rpartition("\n")[2]
    line = re.sub(r"\S+:\d+(:\d+)?", "…", line)
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'", "'…'", line))[:100]


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if an answer is wrong."""
    if missing():
        print(f"not installed: {', '.join(missing())}")
        return 2
    failed = False
    for folder in options.folders:
        for data_model in options.data_model or WIDTHS:
            count = Count()
            for file in sorted(folder.rglob("*.c"))[:: options.every]:
                its = judged(file, data_model, options.seconds, options.std)
                if its is None:
                    continue
                count.add(its)
                if options.verbose or its.kind in ("wrong", "crash"):
                    print(f"{its.kind:<10} {data_model} {file} {its.reason}", flush=True)
            count.report(f"{folder} {data_model}", options.reasons)
            failed |= count.failed
    return 1 if failed else 0


def judged(file: Path, data_model: str, seconds: float, std: str) -> Answer | None:
    """What our execution of a file says; None if it has no `main`."""
    text = file.read_text(encoding="utf-8", errors="surrogateescape")
    if not re.search(r"\bmain\s*\(", text):
        return None
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name, file.name)
        copy.write_text(text, encoding="utf-8", errors="surrogateescape")
        wanted = expected(copy, data_model, (f"-std={std}", f"-I{file.parent}"))
        if isinstance(wanted, Differ):
            return Answer("not judged", wanted.reason)

        def work() -> Answer:
            return answer(text, wanted, data_model, copy, seconds, (file.parent,))

        return contained(work, seconds + 5)
