"""Suites of single-file C programs of others, run to their ends: status and output as expected?

A folder per suite, fetched beside the project. What is expected is what gcc and clang agree on, at
-O0 and -O2, for each data model. Prints per suite how many programs are accepted and right, and
why the others are refused or undecided. A file of assertions counts as one program for each.

Exit status: 0; 1 if an answer is wrong or the front end crashes.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from experiments.assertions import each_assertion, with_assertions
from experiments.compilers import WAYS, WIDTHS, Differ, expected, missing
from experiments.contained import contained
from experiments.observed import Answer, Observation, answer


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
                for its in answers(file, data_model, options.seconds, options.std):
                    count.add(its)
                    if options.verbose or its.kind in ("wrong", "crash"):
                        print(f"{its.kind:<10} {data_model} {file} {its.reason}", flush=True)
            count.report(f"{folder} {data_model}", options.reasons)
            failed |= count.failed
    return 1 if failed else 0


def answers(file: Path, data_model: str, seconds: float, std: str) -> Iterator[Answer]:
    """What our execution of a file says, or of each of its assertions; nothing if it has no
    `main`."""
    text = file.read_text(encoding="utf-8", errors="surrogateescape")
    if not re.search(r"\bmain\s*\(", text):
        return

    def judge(text: str) -> Answer:
        return judged(text, file, data_model, seconds, std)

    many = with_assertions(file, text)
    yield from [judge(text)] if many is None else each_assertion(many, judge)


def judged(text: str, origin: Path, data_model: str, seconds: float, std: str) -> Answer:
    """What our execution of a text says; `origin` is beside the files that it includes. One
    compiler is asked first, the others where we do not refuse it."""
    folder = origin.parent
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name, origin.name)

        def asked(ways: tuple[tuple[str, str], ...]) -> Observation | Differ:
            copy.write_text(text, encoding="utf-8", errors="surrogateescape")
            return expected(copy, data_model, (f"-std={std}", f"-I{folder}"), ways)

        wanted = asked(WAYS[:1])
        if isinstance(wanted, Differ):
            return Answer("not judged", wanted.reason, wanted.lines)

        def work() -> Answer:
            return answer(text, wanted, data_model, copy, seconds, (folder,))

        its = contained(work, seconds + 5)
        if its.kind in ("refused", "crash"):
            return its
        others = asked(WAYS[1:])
        if isinstance(others, Differ):
            return Answer("not judged", others.reason, others.lines)
        return its if others == wanted else Answer("not judged", "compilers differ")
