"""Compiles a program and the runtime."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence, Set
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from abpress.config import MACHINE, Compilation, ProgramOptions
from abpress.errors import InputError, UnsupportedError
from abpress.replay.assembly import (
    OURS,
    CodePlaces,
    asking,
    defined_in,
    functions_of,
    is_of_clang,
    prepared,
    renamed,
)
from abpress.replay.plan import COPIES

NATIVE = Path(__file__).parent / "native"
MOST_SECONDS = 60
"""Of one run of the compiler."""

_PLAIN = ("-S", "-g", "-O0", "-w", "-fno-omit-frame-pointer", "-pthread", "-D_GNU_SOURCE")
_CALLED = tuple(f"-fno-builtin-{name}" for name in sorted(COPIES))
"""What memory functions access is not inserted where they are called, but stands in the runtime."""


class Instruments(Enum):
    """What the compiler inserts, and what is linked, beside what each access calls."""

    THREADS = ("-fsanitize=thread",), ()
    ARITHMETIC = (
        (
            "-fsanitize=thread,signed-integer-overflow,shift,integer-divide-by-zero",
            "-fno-sanitize-recover=all",
        ),
        (),
    )
    HEAP = ("-fsanitize=thread",), ("-fsanitize=address",)
    """The allocator of AddressSanitizer, and its map of memory, of which each access asks."""
    STACK = ("-fsanitize=address", "-finstrument-functions"), ("-fsanitize=address",)
    """AddressSanitizer as it is: it knows of variables on the stack, and is silent of accesses that
    cannot be wrong."""


_CALLS_ALWAYS = "asan-instrumentation-with-call-threshold=0"
"""The parameter by which AddressSanitizer calls a function before each access."""

_READS_TOO = "-tsan-instrument-read-before-write"
"""Clang's word for calls at reads that a write follows at once, too."""

_UNCONTROLLED = re.compile(r"(pthread|sem|mtx|cnd|thrd|tss)_\w+|fork|clone")
"""Functions that wait for threads or act on them."""

_HARMLESS = re.compile(
    r"pthread_(attr|mutexattr|condattr|rwlockattr|barrierattr)_\w+|pthread_set\w*name_np"
    r"|pthread_setcanceltype|pthread_setconcurrency"
)
"""Those among them that need no control."""


@dataclass(frozen=True, slots=True)
class Executable:
    """A program that runs by a schedule, and what its numbers mean; calls of the functions that are
    controlled may be stops, those of others in the C library never are."""

    path: Path
    places: CodePlaces
    data_model: str
    controlled: Set[str]

    @property
    def objects(self) -> frozenset[str]:
        """The names of its objects."""
        return frozenset(self.places.objects[1:])


class _Undefined(InputError):
    """What is used in a program is not defined in it."""


_OLD_INLINE = ("-fgnu89-inline",)
"""What is `inline` alone is a definition for others, too, as it was before C99."""


def build(
    program: ProgramOptions,
    folder: Path,
    instruments: Instruments,
    compiler: str,
    given: Set[str] = frozenset(),
) -> Executable:
    """Compiles the program into a folder. `given` are the functions of the library whose result may
    be that of a trace. Raises InputError where the compiler refuses the program,
    UnsupportedError for calls that the runtime does not control."""
    if program.entry != "main":
        what = f"the trace begins in {program.entry} (--entry), and a compiled program in main"
        raise UnsupportedError(what)
    try:
        return _build(program, folder, instruments, compiler, given, ())
    except _Undefined as error:
        try:
            return _build(program, folder, instruments, compiler, given, _OLD_INLINE)
        except InputError:
            raise error from None


def _build(
    program: ProgramOptions,
    folder: Path,
    instruments: Instruments,
    compiler: str,
    given: Set[str],
    dialect: Sequence[str],
) -> Executable:
    runtime, text = folder / "runtime.s", _runtime(compiler)
    inserted, linked = instruments.value
    of_clang = is_of_clang(text)
    if instruments is Instruments.STACK:
        which = ("-mllvm", f"-{_CALLS_ALWAYS}") if of_clang else ("--param", _CALLS_ALWAYS)
        inserted = (*inserted, *which)
    elif of_clang:
        inserted = (*inserted, "-mllvm", _READS_TOO)
    named = functions_of(text)
    own_names = [name for name in named if not name.startswith(OURS)]
    runtime.write_text(renamed(text, own_names), encoding="utf-8")
    known = [name.removeprefix(OURS) for name in named]
    made = [runtime]
    texts = []
    for number, its in enumerate(program.compilations):
        made.append(folder / f"program{number}.s")
        words = (*dialect, *_words(its))
        _run((compiler, *_PLAIN, *_CALLED, *inserted, *words, "-o", str(made[-1]), str(its.file)))
        texts.append(made[-1].read_text(encoding="utf-8", errors="replace"))
    own = frozenset[str]().union(*map(defined_in, texts))
    places = CodePlaces()
    given = given - own
    known_there = [name for name in known if name not in own]
    for target, text in zip(made[1:], texts, strict=True):
        text = prepared(text, Path.cwd(), places, given)
        target.write_text(renamed(text, known_there), encoding="utf-8")
    if called := sorted(given & places.called):
        made.append(folder / "asking.s")
        made[-1].write_text(renamed(asking(called), known_there), encoding="utf-8")
    _require_control(places, {*known, *own})
    path = folder / "program"
    files = map(str, made)
    _run((compiler, "-no-pie", "-pthread", *linked, "-o", str(path), *files, "-lm", "-ldl"))
    return Executable(path, places, MACHINE, frozenset(known))


@cache
def _runtime(compiler: str) -> str:
    """The runtime as the compiler translates it, which takes longer than most programs do."""
    with TemporaryDirectory() as folder:
        its = Path(folder) / "runtime.s"
        _run((compiler, *_PLAIN, "-O1", f"-I{NATIVE}", "-o", str(its), str(NATIVE / "runtime.c")))
        return its.read_text(encoding="utf-8")


def _words(its: Compilation) -> list[str]:
    """What the compiler is told of a file."""
    words = [f"-U{d[1:]}" if d.startswith("!") else f"-D{d}" for d in its.defines]
    words += [f"-I{folder}" for folder in its.include_dirs]
    for file in its.included:
        words += ["-include", str(file)]
    return words


def _require_control(places: CodePlaces, known: Set[str]) -> None:
    """Raises UnsupportedError if threads act on one another in ways that the runtime lacks."""
    for name in sorted(places.called - known):
        if _UNCONTROLLED.fullmatch(name) and not _HARMLESS.fullmatch(name):
            raise UnsupportedError(f"{name} is not controlled when a program is replayed")


def _run(command: Sequence[str]) -> None:
    try:
        ran = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=MOST_SECONDS,
            check=False,
            errors="replace",
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise InputError(f"{command[0]} does not run: {error}") from error
    if ran.returncode != 0:
        lines = ran.stderr.splitlines()
        line = next((line for line in lines if "error" in line or "undefined" in line), "")
        kind = _Undefined if "undefined reference" in line else InputError
        raise kind(f"{command[0]} fails: {line.strip() or 'no reason told'}")
