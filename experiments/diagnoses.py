"""Programs whose cause is known, beside the diagnosis that is printed for them: docs/diagnoses.md.

The second line of a program of tests/programs/causes says its cause, the third one what is wrong,
and `// <-` marks the lines that a diagnosis has to name. The page has a row for each: what is
wrong, what is printed, and whether that is the cause and names these lines. Without an option the
page is compared with what it should be.

Exit status: 0; 1 if a diagnosis is not the one that is known, or the page is not up to date.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from abpress.bench.files import write_whole
from abpress.cli.main import build_parser
from abpress.cli.options import config_of
from abpress.verify.run import verify
from abpress.witness.trace import Trace
from experiments import pages
from experiments.settings import HERE

PROGRAMS = HERE.parent / "tests" / "programs" / "causes"
PAGE = HERE.parent / "docs" / "diagnoses.md"

_MARKED = "// <-"
_COLUMNS = ("program", "what is wrong", "diagnosis", "lines to be named", "right")


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """A program, what is known of it, and the trace that was found."""

    file: Path
    cause: str
    wrong: str
    marked: frozenset[int]
    trace: Trace

    @property
    def told(self) -> str:
        """The diagnosis as it is printed, on one line."""
        its = self.trace.diagnosis
        return f"{its.cause}. {its.text}." if its is not None else "none"

    @property
    def named(self) -> frozenset[int]:
        """The lines that it names."""
        return frozenset(int(number) for number in re.findall(r"\bline (\d+)", self.told))

    @property
    def right(self) -> bool:
        """Whether it is the cause that is known, and names the lines that it has to."""
        its = self.trace.diagnosis
        return its is not None and its.cause == self.cause and self.marked <= self.named

    @property
    def row(self) -> tuple[str, ...]:
        """Its row of the table."""
        lines = ", ".join(map(str, sorted(self.marked)))
        return f"`{self.file.name}`", self.wrong, self.told, lines, "yes" if self.right else "no"


def programs() -> list[Path]:
    """The programs."""
    return sorted(PROGRAMS.glob("*.c"))


def diagnosed(file: Path) -> Diagnosed:
    """Asks for a program what its first line says. Raises AssertionError if no trace is found."""
    lines = file.read_text(encoding="utf-8").splitlines()
    words = shlex.split(lines[0].partition(" args: ")[2])
    report = verify(config_of(build_parser().parse_args(["verify", str(file), *words])))
    assert isinstance(report.result.trace, Trace), f"{file.name}: {report.result}"
    marked = frozenset(i for i, line in enumerate(lines, 1) if line.endswith(_MARKED))
    cause, wrong = lines[1].removeprefix("// cause: "), lines[2].removeprefix("// ")
    return Diagnosed(file, cause, wrong, marked, report.result.trace)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is to be done."""
    parser.add_argument("--write", action="store_true", help="bring the page up to date")


def run(options: argparse.Namespace) -> int:
    """Compares or writes the page."""
    found = [diagnosed(file) for file in programs()]
    text = PAGE.read_text(encoding="utf-8")
    wanted = filled(text, found)
    if options.write:
        write_whole(PAGE, wanted)
    elif text != wanted:
        print(f"{PAGE.name}: not up to date (--write brings it up to date)", file=sys.stderr)
        return 1
    wrong = [its.file.name for its in found if not its.right]
    print(f"{len(found) - len(wrong)} of {len(found)} are right", *wrong)
    return int(bool(wrong))


def filled(text: str, found: Iterable[Diagnosed]) -> str:
    """The page with the table as it should be."""
    table = pages.markdown(_COLUMNS, [its.row for its in found], words=len(_COLUMNS))
    return pages.filled(text, {"diagnoses": table})
