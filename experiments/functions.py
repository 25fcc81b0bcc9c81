"""Counts the functions of projects that the frontend refuses, each read alone as an entry.

    functions TABLE --root FOLDER

A row of the table (no header) is `name|options|files`, the options -D and -I as compilers take
them, all paths below the root; a line with # says nothing.

A function is refused where its lowering, or that of what it calls, raises UnsupportedError. What
its file does not define is assumed to do nothing, so that files count for themselves; where that
is refused, it is read with all files of its program. A limit of processor time is no refusal and
is counted apart, as is what is too large after inlining.

Exit status: 0, 1 if more than --goal of them are refused.
"""

from __future__ import annotations

import argparse
import re
import shlex
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType

from abpress.config import Compilation, ProgramOptions
from abpress.errors import AbPressError, InputError, UnsupportedError
from abpress_frontend.load import load_program
from abpress_frontend.lower.program import ProgramTooLarge

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
_DEFINITION = re.compile(r"\b(\w+)\s*\((?:[^;{}()]|\([^;{}()]*\))*\)\s*\{")
_WORDS = frozenset({"if", "while", "for", "switch", "return", "sizeof", "else", "do", "defined"})


class OutOfTimeError(Exception):
    """The processor time of one reading is over."""


@dataclass(frozen=True, slots=True)
class Project:
    """A program of the table."""

    name: str
    options: ProgramOptions

    @property
    def files(self) -> list[Path]:
        """Its files."""
        return [self.options.file, *(one.file for one in self.options.others)]


@dataclass(slots=True)
class Tally:
    """What became of the programs or functions (filled while running)."""

    read: int = 0
    too_large: list[str] = field(default_factory=list)
    out_of_time: list[str] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """All that are functions, or programs."""
        unread = len(self.too_large) + len(self.out_of_time)
        return self.read + unread + self.refused.total()


def projects(table: Path, root: Path) -> Iterator[Project]:
    """The rows of a table."""
    for line in table.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, flags, files = line.split("|")
        defines: list[str] = []
        directories: list[Path] = []
        for word in shlex.split(flags):
            if word.startswith("-D"):
                defines.append(word[2:] if "=" in word else word[2:] + "=1")
            elif word.startswith("-I"):
                directories.append(root / word[2:])
        first, *others = (
            Compilation(root / file, tuple(defines), tuple(directories)) for file in files.split()
        )
        yield Project(
            name,
            ProgramOptions(
                first.file, first.defines, first.include_dirs, "LP64", others=tuple(others)
            ),
        )


def defined(text: str) -> list[str]:
    """What looks like definitions of functions."""
    found = (m[1] for m in _DEFINITION.finditer(_COMMENT.sub(" ", text)))
    return [name for name in dict.fromkeys(found) if name not in _WORDS]


def read(
    options: ProgramOptions,
    seconds: float,
    what: str,
    tally: Tally,
    linked: ProgramOptions | None = None,
) -> None:
    """Lowers one program, or one function as an entry, `linked` with other files if it is refused
    without them."""

    def over(number: int, frame: FrameType | None) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        _load(options, linked)
        tally.read += 1
    except OutOfTimeError:
        tally.out_of_time.append(what)
    except ProgramTooLarge:
        tally.too_large.append(what)
    except UnsupportedError as error:
        tally.refused[str(error)] += 1
    except InputError as error:
        tally.other[str(error)] += 1
    except AbPressError as error:
        tally.refused[f"{type(error).__name__}: {error}"] += 1
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _load(options: ProgramOptions, linked: ProgramOptions | None) -> None:
    try:
        load_program(options)
    except ProgramTooLarge:
        raise
    except UnsupportedError as alone:
        try:
            if linked is None:
                raise
            load_program(linked)
        except InputError:
            raise alone from None


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which projects, and what a reading may take."""
    parser.add_argument("table", type=Path)
    parser.add_argument("--root", type=Path, default=Path())
    parser.add_argument("--seconds", type=float, default=6.0, help="CPU time of one reading")
    parser.add_argument("--goal", type=float, default=0.005, help="share (default: %(default)g)")


def run(options: argparse.Namespace) -> int:
    """Prints the counts and the reasons."""
    programs, functions = Tally(), Tally()
    seen: set[tuple[Path, str]] = set()
    for project in projects(options.table, options.root):
        read(project.options, options.seconds, project.name, programs)
        for file in project.files:
            for name in defined(file.read_text(encoding="utf-8", errors="replace")):
                if (file, name) in seen:
                    continue
                seen.add((file, name))
                whole = project.options
                alone = ProgramOptions(
                    file, whole.defines, whole.include_dirs, whole.data_model, entry=name,
                    undefined_functions="havoc",
                )  # fmt: skip
                linked = replace(whole, entry=name, undefined_functions="havoc")
                read(alone, options.seconds, f"{file.name}: {name}", functions, linked)
        print(f"{project.name}: {functions.total} functions so far", file=sys.stderr, flush=True)
    for what, tally in (("programs", programs), ("functions", functions)):
        share = tally.refused.total() / max(tally.total, 1)
        print(
            f"{what}: {tally.total}, read {tally.read}, refused {tally.refused.total()} "
            f"({share:.2%}), too large {len(tally.too_large)}, "
            f"out of time {len(tally.out_of_time)}, no input {tally.other.total()}"
        )
        for text, count in tally.refused.most_common():
            print(f"  refused {count}: {text}")
        for text in tally.too_large:
            print(f"  too large: {text}")
        for text in tally.out_of_time:
            print(f"  out of time: {text}")
        for text, count in tally.other.most_common():
            print(f"  no input {count}: {text}")
    return int(functions.refused.total() > options.goal * max(functions.total, 1))
