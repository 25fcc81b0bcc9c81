"""What compiled programs do: several compilers and levels of optimisation have to agree."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from experiments.observed import ABORTED, Observation

WAYS = (("gcc", "-O0"), ("clang", "-O0"), ("gcc", "-O2"), ("clang", "-O2"))
WIDTHS = {"ILP32": "-m32", "LP64": "-m64"}


def missing() -> list[str]:
    """The compilers that are not installed."""
    return sorted({name for name, _ in WAYS if shutil.which(name) is None})


@dataclass(frozen=True, slots=True)
class Differ:
    """Why there is nothing that a program has to do: it is not accepted (at these lines), or they
    disagree."""

    reason: str
    lines: tuple[int, ...] = ()


def expected(
    file: Path,
    data_model: str,
    flags: tuple[str, ...] = (),
    ways: tuple[tuple[str, str], ...] = WAYS,
    seconds: float = 10.0,
) -> Observation | Differ:
    """What the program in `file` does, whoever compiles it. The executable is written beside it."""
    seen: Observation | None = None
    for compiler, level in ways:
        binary = file.parent / "compiled"
        command = [compiler, level, WIDTHS[data_model], "-w", *flags, "-o", str(binary), str(file)]
        built = subprocess.run(command, capture_output=True, timeout=60)
        if built.returncode:
            lines = re.findall(rb"^[^\s:]+:(\d+):\d+: (?:fatal )?error", built.stderr, re.M)
            return Differ(f"not accepted by {compiler}", tuple(map(int, lines)))
        try:
            run = subprocess.run(
                [str(binary)],
                cwd=file.parent,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            return Differ("runs for too long")
        if run.returncode not in (-6, -4) and run.returncode < 0:
            return Differ("ends by a signal")
        status = ABORTED if run.returncode < 0 else run.returncode
        observation = Observation(status, run.stdout)
        if seen is not None and observation != seen:
            return Differ("compilers differ")
        seen = observation
    assert seen is not None
    return seen
