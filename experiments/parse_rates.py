"""Counts the C files that the frontend parses, and the most frequent reasons why not.

    parse-rates FOLDER...
    parse-rates --manifest TABLE.tsv --root FOLDER

A manifest is a table with a header. Its columns `mirror` and `path` name a file below the root;
`corpus` (how to group), `flags` (-D and -I are used) and `data_model` may be missing.

Exit status: 0, or 2 if there is no file.
"""

from __future__ import annotations

import argparse
import re
import shlex
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from abpress.config import ProgramOptions
from abpress.errors import AbPressError, UnsupportedError
from abpress_frontend.parse import parse_file
from experiments.settings import read_table


@dataclass(frozen=True, slots=True)
class Job:
    """What to read, and the corpus that it is counted in."""

    corpus: str
    options: ProgramOptions


@dataclass(slots=True)
class Tally:
    """What happened to the files of a corpus (filled while running)."""

    seconds: list[float] = field(default_factory=list)
    unsupported: int = 0
    causes: Counter[str] = field(default_factory=Counter)
    example: dict[str, str] = field(default_factory=dict)


def options_of(file: Path, flags: str, data_model: str, places: tuple[Path, ...]) -> ProgramOptions:
    """The file with the -D and -I among the flags; the places are where a directory may be."""
    defines: list[str] = []
    directories: list[Path] = []
    words = iter(shlex.split(flags))
    for word in words:
        if word.startswith("-D"):
            defines.append(word[2:] or next(words, ""))
        elif word.startswith("-I"):
            name = word[2:] or next(words, "")
            found = [place / name for place in places if (place / name).is_dir()]
            directories += found[:1]
    return ProgramOptions(file, tuple(defines), tuple(directories), data_model or "ILP32")


def manifest_jobs(manifest: Path, root: Path, extra: ProgramOptions) -> Iterator[Job]:
    """The rows of the manifest, each combination of file and options once.

    The definitions and directories of `extra` come after those of the row.
    """
    seen: set[ProgramOptions] = set()
    for row in read_table(manifest):
        base = root / (row.get("mirror") or "")
        path = base / row["path"]
        options = options_of(
            path, row.get("flags") or "", row.get("data_model") or "", (path.parent, base)
        )
        options = replace(
            options,
            defines=options.defines + extra.defines,
            include_dirs=options.include_dirs + extra.include_dirs,
        )
        if options not in seen:
            seen.add(options)
            yield Job(row.get("corpus") or base.name, options)


def folder_jobs(folder: Path, options: ProgramOptions) -> Iterator[Job]:
    """All .c and .i files below the folder."""
    for path in sorted(p for p in folder.rglob("*.[ci]") if p.is_file()):
        yield Job(str(folder), replace(options, file=path))


def cause(error: AbPressError) -> str:
    """The message with what differs from file to file left out."""
    return re.sub(r"/\S+|\d+", "N", error.message)[:90]


def tallied(jobs: Iterable[Job]) -> dict[str, Tally]:
    """Parse everything."""
    tallies: dict[str, Tally] = {}
    for job in jobs:
        tally = tallies.setdefault(job.corpus, Tally())
        start = time.process_time()
        try:
            parse_file(job.options)
        except AbPressError as error:
            tally.unsupported += isinstance(error, UnsupportedError)
            tally.causes[cause(error)] += 1
            tally.example.setdefault(cause(error), f"{job.options.file}: {error}")
        tally.seconds.append(time.process_time() - start)
    return tallies


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which files, and how they are read."""
    parser.add_argument("folder", nargs="*", type=Path)
    parser.add_argument("--manifest", type=Path)
    parser.add_argument("--root", type=Path, default=Path())
    parser.add_argument("--data-model", default="ILP32", help="of the files of the folders")
    parser.add_argument("-D", dest="defines", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("-I", dest="include", action="append", type=Path, default=[])
    parser.add_argument("--causes", type=int, default=10, help="how many reasons per corpus")


def run(options: argparse.Namespace) -> int:
    """Prints the table; the exit status is 2 if there was no file."""
    common = ProgramOptions(
        Path(), tuple(options.defines), tuple(options.include), options.data_model
    )
    jobs: list[Job] = []
    if options.manifest:
        jobs += manifest_jobs(options.manifest, options.root, common)
    for folder in options.folder:
        jobs += folder_jobs(folder, common)
    if not jobs:
        print("no C files", file=sys.stderr)
        return 2
    print(f"{'corpus':<24} {'files':>6} {'parsed':>7} {'rate':>7} {'refused':>8} {'median':>8}")
    tallies = tallied(jobs)
    for corpus, tally in tallies.items():
        total = len(tally.seconds)
        parsed = total - tally.causes.total()
        median = statistics.median(tally.seconds) * 1000
        print(
            f"{corpus[-24:]:<24} {total:>6} {parsed:>7} {parsed / total:>7.1%} "
            f"{tally.unsupported:>8} {median:>5.1f} ms"
        )
    for corpus, tally in tallies.items():
        for text, count in tally.causes.most_common(options.causes):
            print(f"{corpus}: {count:>4}  {text}\n        e.g. {tally.example[text]}")
    return 0
