"""Processor time of short commands: what a user waits for before anything is looked at.

Each command is run --runs times in turn (so that all see the same machine), in a process of its
own; the first round, which writes compiled modules, does not count, and PYTHONDONTWRITEBYTECODE is
not handed on. User and system time together; the
least is what the command needs, the median what it took here.

Exit status: 0; 1 if the least of one is above its goal.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Command:
    """A command line without the file, the goal in seconds, and what its runs took."""

    words: tuple[str, ...]
    goal: float | None = None
    seconds: list[float] = field(default_factory=list)


def commands() -> list[Command]:
    """What is measured."""
    return [
        Command(("--help",), 0.1),
        Command(("verify", "--quiet", "--property", "unreach-call", "FILE"), 0.3),
        Command(("verify", "--quiet", "FILE")),
    ]


def processor_time(words: list[str]) -> float:
    """Of one run."""
    environment = {n: v for n, v in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
    null = subprocess.DEVNULL
    process = subprocess.Popen(words, stdout=null, stderr=null, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def arguments(parser: argparse.ArgumentParser) -> None:
    """How often."""
    parser.add_argument("--runs", type=int, default=20, help="of each (default: %(default)s)")


def run(options: argparse.Namespace) -> int:
    """Prints the table; exit status 1 if a goal is missed."""
    measured = commands()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trivial.c"
        file.write_text("int main(void) { return 0; }\n", encoding="utf-8")
        for number in range(options.runs + 1):
            for command in measured:
                words = [str(file) if word == "FILE" else word for word in command.words]
                took = processor_time([sys.executable, "-m", "abpress", *words])
                if number > 0:
                    command.seconds.append(took)
    print("| command | least | median | goal |\n| --- | --- | --- | --- |")
    for command in measured:
        goal = "" if command.goal is None else f"{command.goal:g} s"
        print(
            f"| `abpress {' '.join(command.words)}` | {min(command.seconds):.3f} s "
            f"| {statistics.median(command.seconds):.3f} s | {goal} |"
        )
    return int(any(c.goal is not None and min(c.seconds) > c.goal for c in measured))
