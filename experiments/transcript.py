"""The first ten minutes of somebody new: a fresh clone, the README's commands, what they print.

Clones this repository, runs there each command that the README shows behind `$`, in its order, and
then those of somebody who goes on alone, and writes what was typed and printed, with the time that
passed and the processor time of each. Lines beyond --lines of an answer are left out and counted.
Nothing is taken from the environment but PATH, HOME, and what pip needs to find packages.

Exit status: 0; 1 if a command of the README ends otherwise than by a verdict, or as it says.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from experiments.settings import HERE

ROOT = HERE.parent

ALONE = (
    ("Help", "scripts/abpress --help"),
    ("A program of their own: all properties are asked", "scripts/abpress docs/examples/jobs.c"),
    ("Both errors mended", "scripts/abpress docs/examples/jobs.c --quiet -D FIXED"),
    ("A word that is wrong", "scripts/abpress verfy docs/examples/jobs.c"),
    ("Another one", "scripts/abpress verify --time-limt 10 docs/examples/jobs.c"),
    ("A property", "scripts/abpress verify --property no-race docs/examples/jobs.c"),
    ("A file that is not there", "scripts/abpress job.c"),
    (
        "For a program",
        "scripts/abpress verify --json result.json --quiet -D LOCKED docs/examples/account.c",
    ),
)
"""What somebody types who has read the README: heading, command."""

_KEPT = re.compile(r"PATH|HOME|LANG|LC_.*|TMPDIR|(PIP|UV)_.*|.*_(proxy|PROXY)|SSL_.*|.*_CA_BUNDLE")

_COMMAND = re.compile(r"^\$ (scripts/abpress .*)$", re.M)

ENDINGS = range(5)
"""Exit statuses that answer: verdicts, wrong input, what is not supported, misuse of options."""


@dataclass(frozen=True, slots=True)
class Said:
    """A command and its answer."""

    heading: str
    command: str
    output: str
    status: int
    begin: float
    seconds: float
    processor: float


def of_readme(text: str) -> list[tuple[str, str]]:
    """The commands that the README shows, each with the heading that it stands under."""
    found = []
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        heading = section.partition("\n")[0]
        found += [(heading, command) for command in _COMMAND.findall(section)]
    return found


def told(folder: Path, commands: Iterable[tuple[str, str]]) -> Iterator[Said]:
    """Runs the commands in a clone."""
    environment = {name: value for name, value in os.environ.items() if _KEPT.fullmatch(name)}
    begin = time.monotonic()
    for heading, command in commands:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        ended = subprocess.run(
            ["sh", "-c", command], cwd=folder, env=environment, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        yield Said(
            heading,
            command,
            ended.stdout.replace(str(folder), "."),
            ended.returncode,
            start - begin,
            time.monotonic() - start,
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        )


def page(answers: Iterable[Said], lines: int) -> Iterator[str]:
    """The lines of the page."""
    yield "# A transcript of the first ten minutes"
    yield ""
    yield "Written by `scripts/experiment transcript --output docs/transcript.md`, in a fresh"
    yield "clone: the README's commands in their order, then those of somebody who goes on alone."
    yield "Times are those that passed, and processor times; the first call makes the environment."
    yield "Long answers are cut."
    heading = ""
    for said in answers:
        if said.heading != heading:
            heading = said.heading
            yield ""
            yield f"## {heading}"
        minutes, seconds = divmod(int(said.begin), 60)
        yield ""
        yield (
            f"**{minutes}:{seconds:02}**, {said.seconds:.1f} s, {said.processor:.1f} s of "
            f"processor time, exit status {said.status}:"
        )
        yield ""
        yield "```"
        yield f"$ {said.command}"
        shown = said.output.rstrip().splitlines()
        yield from (line.rstrip() for line in shown[:lines])
        if len(shown) > lines:
            yield f"… ({len(shown) - lines} more lines)"
        yield "```"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where to, and how much."""
    parser.add_argument("--output", type=Path, help="default: standard output")
    parser.add_argument("--lines", type=int, default=24, help="of an answer (%(default)s)")


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if a command of the README does not answer."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve() / "abpress"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(folder)], check=True)
        readme = of_readme((folder / "README.md").read_text(encoding="utf-8"))
        answers = list(told(folder, [*readme, *ALONE]))
    text = "\n".join(page(answers, options.lines)) + "\n"
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    silent = [said for said in answers[: len(readme)] if said.status not in ENDINGS]
    for said in silent:
        print(f"status {said.status}: {said.command}", file=sys.stderr)
    return int(bool(silent))
