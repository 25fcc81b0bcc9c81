"""Outcomes of concurrent C programs: those of compiled code, and those of the program model.

Compiled code runs under a scheduler of our own: `runtime.c` says how. An outcome is a line: how an
execution ends, with the values of the program's variables, or what it violates.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import abpress.replay
from abpress.config import ProgramOptions
from abpress.ir.passes.pipeline import simplify
from abpress.properties.ends import End, classify
from abpress.semantics.interpreter import Interpreter
from abpress_frontend.load import load_program
from tests.engines.test_random_programs import every_edge_visible

RUNTIME = Path(__file__).parent / "runtime.c"
LIBRARY = Path(abpress.replay.__file__).parent / "native"
MOST_SECONDS = 30
GAVE_UP = 2

WAKEUPS = ("off", "on", "chosen")
"""How waits on condition variables may end without a signal, as options of ours; the index is an
argument of the runtime."""


class TooLarge(Exception):
    """The program has more states than are enumerated."""


class Unjudged(Exception):
    """Some execution is given up: it is undefined, or beyond a bound or an assumption."""


@dataclass(frozen=True, slots=True)
class Build:
    """A way to compile: compiler and options, for a data model."""

    compiler: str
    options: tuple[str, ...]
    data_model: str = "LP64"

    @property
    def machine(self) -> str:
        return "-m64" if self.data_model == "LP64" else "-m32"

    def __str__(self) -> str:
        return " ".join((self.compiler, *self.options, self.machine))


def compiled(
    folder: Path, text: str, cells: Sequence[str], build: Build, wakeups: str, most_states: int
) -> frozenset[str]:
    """All outcomes of the compiled program; `cells` are the variables that they tell. The folder
    keeps the compiled runtime.

    Raises TooLarge, Unjudged, and RuntimeError if the program cannot be compiled and run.
    """
    source, binary = folder / "compiled.c", folder / "compiled"
    source.write_text(text + _printing(cells))
    instrumented = (
        "-Dmain=program_main",
        "-D_GNU_SOURCE",
        "-fsanitize=thread",
        "-c",
        "-o",
        f"{binary}.o",
    )
    _run((build.compiler, "-w", build.machine, *build.options, *instrumented, str(source)))
    _run(("gcc", build.machine, "-o", str(binary), f"{binary}.o", _runtime(folder, build.machine)))
    command = (str(binary), str(most_states), str(WAKEUPS.index(wakeups)), "1")
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        raise TooLarge(f"more than {MOST_SECONDS} s") from None
    if run.returncode == GAVE_UP:
        raise TooLarge(run.stderr)
    if run.returncode != 0:
        raise RuntimeError(f"{build}: status {run.returncode}\n{text}")
    lines = run.stdout.splitlines()
    if any(line.startswith("undefined") for line in lines):
        raise Unjudged("undefined on the machine")
    return frozenset(lines)


def _runtime(folder: Path, machine: str) -> str:
    """The object file of the runtime, compiled if it is not there."""
    made = folder / f"runtime{machine}.o"
    if not made.exists():
        _run(("gcc", "-w", machine, "-O2", f"-I{LIBRARY}", "-c", "-o", str(made), str(RUNTIME)))
    return str(made)


def _run(command: Sequence[str]) -> None:
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if run.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{run.stderr}")


def _printing(cells: Sequence[str]) -> str:
    """The function of the program by which the runtime reads its variables."""
    form = "".join(f" {cell}=%ld" for cell in cells)
    values = "".join(f", (long){cell}" for cell in cells)
    return (
        "\n#include <stdio.h>\nvoid outcome(char *text, size_t size) "
        f'{{ snprintf(text, size, "{form}"{values}); }}\n'
    )


def modelled(options: ProgramOptions, cells: Sequence[str], most_states: int) -> frozenset[str]:
    """All outcomes of the program model, by breadth-first search without any cleverness.

    Raises TooLarge, Unjudged.
    """
    program = simplify(load_program(options).program, every_access=True)
    system = Interpreter(program, visible=every_edge_visible(program))
    queue = [system.initial()]
    seen, outcomes = set(queue), set()
    for state in queue:
        steps = [s for t in system.threads(state) for s in system.steps(state, t)]
        if not steps and (end := classify(system, state)) is not End.BLOCKED:
            outcomes.add(_outcome(end, system.views.describe(state)["memory"], cells))
        for step in steps:
            if step.violation is not None:
                outcomes.add(f"violation {step.violation.message}")
            elif step.successor not in seen:
                seen.add(step.successor)
                queue.append(step.successor)
        if len(seen) > most_states:
            raise TooLarge
    if system.soundness.reasons or system.soundness.assumptions:
        raise Unjudged(str(system.soundness))
    return frozenset(outcomes)


def _outcome(end: End, memory: Mapping[str, object], cells: Sequence[str]) -> str:
    """Variables that the simplified program lacks are never accessed: they are 0."""
    return " ".join((end.value, *(f"{cell}={memory.get(cell, 0)}" for cell in cells)))


def available() -> tuple[str, ...]:
    """The compilers that this machine has."""
    return tuple(name for name in ("gcc", "clang") if shutil.which(name))


def links(compiler: str, *flags: str) -> bool:
    """Whether this machine has the compiler, and what these flags link with: the library of a
    sanitizer is a package of its own."""
    if compiler not in available():
        return False
    command = [compiler, *flags, "-x", "c", "-o", os.devnull, "-"]
    text = "int main(void) { return 0; }"
    return subprocess.run(command, input=text, text=True, capture_output=True).returncode == 0
