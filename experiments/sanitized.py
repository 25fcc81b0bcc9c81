"""What the sanitizers of gcc and clang see of a program, in many runs with random delays."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

NOISE = Path(__file__).parent / "noise.c"

ASLEEP_S = 4.0
"""A run that takes longer, almost without using a processor, is taken for a deadlock."""
_AWAKE_S = 0.5
MOST_ASLEEP = 2
"""So many deadlocks are waited for."""

_UNDEFINED = "address,signed-integer-overflow,shift,integer-divide-by-zero"
_OPTIONS = {
    "TSAN_OPTIONS": "detect_deadlocks=0:report_thread_leaks=0:halt_on_error=0:atexit_sleep_ms=0"
    ":report_destroy_locked=1",
    "ASAN_OPTIONS": "detect_stack_use_after_return=1:detect_leaks=1:handle_abort=0",
    "UBSAN_OPTIONS": "halt_on_error=0",
}


@dataclass(frozen=True, slots=True)
class Instrumented:
    """A way to compile, for the machine's data model."""

    compiler: str
    sanitizers: str

    def __str__(self) -> str:
        return f"{self.compiler} {self.sanitizers.partition(',')[0]}"


WAYS = tuple(
    Instrumented(compiler, sanitizers)
    for sanitizers in ("thread", _UNDEFINED)
    for compiler in ("gcc", "clang")
)


def installed() -> tuple[Instrumented, ...]:
    """The ways whose compilers are there."""
    return tuple(way for way in WAYS if shutil.which(way.compiler))


_WRAPPED = ",".join(
    f"--wrap={name}"
    for name in ("pthread_mutex_lock", "pthread_mutex_unlock", "pthread_join", "sem_post")
)
"""Functions around whose calls there are delays, too: straight code has no others."""

_REPORTS: Sequence[tuple[str, str]] = (
    (
        r"unlock of an unlocked mutex|double lock of a mutex|destroy of a locked mutex"
        r"|use of an invalid mutex|mutex is already destroyed|read (?:un)?lock of a",
        "no-misuse",
    ),
    (r"attempting double-free|attempting free on address", "valid-free"),
    (
        r"heap-use-after-free|buffer-(?:over|under)flow|stack-use-after-(?:return|scope)"
        r"|use-after-poison|SEGV on unknown address",
        "valid-deref",
    ),
    (r"detected memory leaks", "valid-memtrack"),
    (
        r"runtime error: (?:signed integer overflow|negation of|division of"
        r"|left shift of \d+ by \d+ places cannot be represented)",
        "no-overflow",
    ),
)
"""What a report says -> the property that it violates. Shifts of negative values are another
kind of undefined behaviour."""

_LIBRARY = re.compile(
    r"#0 (?:__interceptor_)?(free|realloc|pthread_mutex_destroy|pthread_cond_destroy)\b"
)


def told(text: str) -> frozenset[str]:
    """The properties that the reports of a run say to be violated.

    A data race with `free` is none for us, and one with `pthread_mutex_destroy` is a misuse.
    """
    found = set()
    for part in re.split(r"^={18,}$", text, flags=re.M):
        if "WARNING: ThreadSanitizer: data race" in part:
            by = _LIBRARY.search(part)
            if by is None:
                found.add("no-data-race")
            elif "destroy" in by[1]:
                found.add("no-misuse")
            continue
        found |= {property for pattern, property in _REPORTS if re.search(pattern, part)}
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Seen:
    """What one way has seen: property -> the first report that says so; runs; runs given up."""

    reports: Mapping[str, str]
    runs: int
    undecided: int


def seen(file: Path, way: Instrumented, runs: int, folder: Path, seed: int = 1) -> Seen:
    """What `runs` runs of the program show. The executable is written into the folder.

    Raises RuntimeError if it cannot be compiled.
    """
    binary = _compiled(file, way, folder)
    reports: dict[str, str] = {}
    undecided, asleep = 0, 0
    for number in range(runs):
        if asleep == MOST_ASLEEP:
            break
        environment = {**os.environ, **_OPTIONS, "NOISE": str(seed * 1000 + number)}
        status, text = _run(binary, environment)
        found = told(text)
        if status is None:
            if text != "asleep":
                undecided += 1
                continue
            found |= {"no-deadlock"}
            asleep += 1
        elif status == -signal.SIGABRT and not text.strip():
            found |= {"unreach-call"}
        for property in found:
            reports.setdefault(property, f"{way}, run {number}: {text[:3000]}")
    return Seen(reports, runs, undecided)


def _compiled(file: Path, way: Instrumented, folder: Path) -> Path:
    binary, noise = folder / "sanitized", folder / "noise.o"
    common = (way.compiler, "-g", "-w", "-pthread")
    if not noise.exists():
        _succeed((*common, "-O1", "-c", "-o", str(noise), str(NOISE)))
    instrumented = (f"-fsanitize={way.sanitizers}", "-fsanitize-coverage=trace-pc")
    program = folder / "sanitized.o"
    _succeed((*common, "-D_GNU_SOURCE", *instrumented, "-c", "-o", str(program), str(file)))
    linked = (*common, instrumented[0], f"-Wl,{_WRAPPED}")
    _succeed((*linked, "-o", str(binary), str(program), str(noise)))
    return binary


def _succeed(command: Sequence[str]) -> None:
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if run.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{run.stderr}")


def _run(binary: Path, environment: Mapping[str, str]) -> tuple[int | None, str]:
    """Status and reports of a run; without a status, `asleep` or `awake` when it was ended.

    Sanitizers want memory at fixed places, which a random layout may have taken.
    """
    fixed = ("setarch", "-R") if shutil.which("setarch") else ()
    before = _cpu_s()
    try:
        run = subprocess.run(
            (*fixed, str(binary)),
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=ASLEEP_S,
        )
    except subprocess.TimeoutExpired:
        return None, "asleep" if _cpu_s() - before < _AWAKE_S else "awake"
    return run.returncode, run.stderr.decode("utf-8", "replace")


def _cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
