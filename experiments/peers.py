"""Other model checkers as commands: how each is called, what it says, and how long it takes.

Nothing of them is part of this repository; they are looked for where the user says, or on the path.
"""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

CPU_LIMIT = 120.0
"""Seconds that a run may take by the clock."""


class NoAnswer(Exception):
    """A tool has not explored a program to its end; why."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Executions that a tool has explored: complete ones, those that assumptions or waiting block,
    and those that were given up as redundant (of sleep sets)."""

    complete: int
    blocked: int = 0
    redundant: int = 0

    def __str__(self) -> str:
        more = f"+{self.blocked:,}b" * bool(self.blocked) + f"+{self.redundant:,}s" * bool(
            self.redundant
        )
        return f"{self.complete:,}{more}"


def _number(text: str, pattern: str) -> int:
    found = re.search(pattern, text)
    return int(found[1]) if found else 0


def nidhugg_counts(text: str) -> Counts:
    """What Nidhugg prints. Raises NoAnswer."""
    if "No errors were detected" not in text or "Trace count:" not in text:
        raise NoAnswer(_last_line(text))
    return Counts(
        _number(text, r"(?m)^\s*Trace count: (\d+)"),
        _number(text, r"Assume-blocked trace count: (\d+)")
        + _number(text, r"Await-blocked trace count: (\d+)"),
        _number(text, r"Sleepset-blocked trace count: (\d+)"),
    )


def genmc_counts(text: str) -> Counts:
    """What GenMC prints. Raises NoAnswer."""
    if "No errors were detected" not in text or "complete executions explored" not in text:
        raise NoAnswer(_last_line(text))
    return Counts(
        _number(text, r"complete executions explored: (\d+)"),
        _number(text, r"blocked executions seen: (\d+)"),
    )


@dataclass(frozen=True, slots=True)
class Stored:
    """States that SPIN has stored, transitions, and bytes that a state has taken."""

    states: int
    transitions: int
    bytes: float


def spin_counts(text: str) -> Stored:
    """What a verifier made by SPIN prints. Raises NoAnswer."""
    states = _number(text, r"(\d+) states, stored")
    if not states or "errors: 0" not in text or "max search depth too small" in text:
        raise NoAnswer(_last_line(text))
    memory = re.search(r"([\d.]+)\s+actual memory usage for states", text)
    used = float(memory[1]) * (1 << 20) / states if memory else 0.0
    return Stored(states, _number(text, r"(\d+) transitions"), used)


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it says nothing"


def said_by(command: Sequence[str], folder: Path) -> tuple[str, float]:
    """What a command prints, and the seconds of processor time that it and its children take.
    Raises NoAnswer if it takes too long, or is not there."""
    before = _children()
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=CPU_LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NoAnswer(f"more than {CPU_LIMIT:.0f} s") from None
    except OSError as error:
        raise NoAnswer(str(error)) from None
    return done.stdout.decode(errors="replace"), _children() - before


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def must_say(command: Sequence[str], folder: Path) -> None:
    """Runs a command that has to succeed. Raises NoAnswer."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoAnswer(str(error)) from None
    if done.returncode:
        raise NoAnswer(_last_line(done.stderr.decode(errors="replace") or "it failed"))


def version_of(command: str, pattern: str) -> str:
    """What a tool says of its version, or that it is not there."""
    if shutil.which(command) is None:
        return "not there"
    for option in ("--version", "-V"):
        done = subprocess.run([command, option], capture_output=True, text=True, check=False)
        found = re.search(pattern, done.stdout + done.stderr)
        if found:
            return found[0]
    return "of an unknown version"


@dataclass(frozen=True, slots=True)
class Nidhugg:
    """Nidhugg with one of its algorithms; atomic additions are in conflict, as for the others. It
    reads what clang makes of a program, with local variables in registers, so that what is left are
    accesses to shared memory."""

    binary: str
    clang: str
    opt: str
    algorithm: str

    @property
    def name(self) -> str:
        return f"Nidhugg {self.algorithm}"

    @property
    def options(self) -> tuple[str, ...]:
        return (
            *("--sc", f"--{self.algorithm}", "--no-commute-rmws"),
            "--disable-mutex-init-requirement",
        )

    def explored(self, text: str, folder: Path) -> tuple[Counts, float]:
        """What it explores of a program, and in how many seconds. Raises NoAnswer."""
        (folder / "program.c").write_text(text, encoding="utf-8")
        flags = ("-O0", "-Xclang", "-disable-O0-optnone", "-w", "-S", "-emit-llvm")
        must_say([self.clang, *flags, "-o", "plain.ll", "program.c"], folder)
        must_say([self.opt, "-S", "-mem2reg", "-o", "program.ll", "plain.ll"], folder)
        said, seconds = said_by([self.binary, *self.options, "program.ll"], folder)
        return nidhugg_counts(said), seconds


@dataclass(frozen=True, slots=True)
class GenMC:
    """GenMC, without what looks for races and without symmetries: of threads with equal code it
    would explore one order, which the others do not."""

    binary: str
    name: str = "GenMC"
    options: tuple[str, ...] = (
        *("--sc", "--disable-race-detection", "--disable-estimation", "--disable-sr"),
        "--disable-ipr",
    )

    def explored(self, text: str, folder: Path) -> tuple[Counts, float]:
        """As of Nidhugg. GenMC declares the assumption itself."""
        text = text.replace("void __VERIFIER_assume(int);", "")
        (folder / "program.c").write_text(text, encoding="utf-8")
        said, seconds = said_by([self.binary, *self.options, "--", "program.c"], folder)
        return genmc_counts(said), seconds


@dataclass(frozen=True, slots=True)
class Spin:
    """SPIN, with its partial-order reduction or without; safety only, all states exact."""

    binary: str
    reduced: bool
    compiler: str = "cc"

    @property
    def options(self) -> tuple[str, ...]:
        return ("-O2", "-DSAFETY", *(() if self.reduced else ("-DNOREDUCE",)))

    def explored(self, model: Path, n: int, folder: Path) -> tuple[Stored, float]:
        """What it stores of a model, and in how many seconds. Raises NoAnswer."""
        shutil.copy(model, folder / "model.pml")
        must_say([self.binary, "-a", f"-DN={n}", "model.pml"], folder)
        must_say([self.compiler, *self.options, "-w", "-o", "pan", "pan.c"], folder)
        said, seconds = said_by(["./pan", "-m1000000", "-n", "-w22", "-E"], folder)
        return spin_counts(said), seconds
