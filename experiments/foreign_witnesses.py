"""What `abpress validate` says of the witnesses in folders, for those of other tools.

Witnesses are the files in YAML with entries, and the files `*.graphml`. The program of each is
looked for beside it: the file that it names, else the one whose name its own begins with, else the
only one. Macros of all programs are told with -D, as `__goblint_check(x)=`.

Exit status: 0.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

ANSWERS = {0: "confirmed", 1: "rejected", 2: "unknown", 3: "error", 4: "internal error"}
_NAMED = re.compile(r"input_files:\s*(?:\[|-)?\s*['\"]?([^'\"\],\n]+)|\"programfile\">([^<]+)<")
_SAYS_PROPERTY = re.compile(r"specification:|\"specification\">")
_WITNESS = re.compile(r"^\s*-?\s*entry_type:", re.MULTILINE)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The folders, macros and the limit."""
    parser.add_argument("folders", metavar="FOLDER", nargs="+", type=Path)
    parser.add_argument("-D", "--define", metavar="MACRO", action="append", default=[])
    parser.add_argument(
        "--property",
        default="unreach-call",
        help="of witnesses that say none; default: %(default)s",
    )
    parser.add_argument("--time-limit", metavar="TIME", default="60s", help="default: 60s")
    parser.add_argument(
        "--judge",
        metavar="COMMAND",
        help="another validator: its words, then the witness and the program; its exit statuses"
        " are taken as those of abpress",
    )


def run(options: argparse.Namespace) -> int:
    """Prints an answer for each witness, and how many there are of each by folder."""
    counts: dict[Path, Counter[str]] = {}
    for folder in options.folders:
        count = counts.setdefault(folder, Counter())
        for witness in witnesses(folder):
            program = program_of(witness)
            answer, said = "error", "no program beside it"
            if program is not None:
                answer, said = _asked(witness, program, options)
            count[answer] += 1
            print(f"{answer:<10} {witness.relative_to(folder)}: {said}", flush=True)
    for folder, count in counts.items():
        words = ", ".join(f"{n} {answer}" for answer, n in sorted(count.items()))
        print(f"{folder}: {count.total()} witnesses: {words}")
    return 0


def witnesses(folder: Path) -> Iterator[Path]:
    """The files below the folder that are witnesses."""
    for file in sorted(folder.rglob("*")):
        in_yaml = file.suffix in (".yml", ".yaml")
        if file.suffix == ".graphml" or (in_yaml and _WITNESS.search(_text(file))):
            yield file


def program_of(witness: Path) -> Path | None:
    """The program that a witness is for."""
    beside = sorted(file for file in witness.parent.iterdir() if file.suffix in (".c", ".i"))
    named = _NAMED.search(_text(witness))
    name = "" if named is None else Path((named[1] or named[2]).strip()).name
    for file in beside:
        if file.name == name:
            return file

    begins = [file for file in beside if witness.name.startswith(file.stem)]
    if begins or len(beside) == 1:
        return max(begins or beside, key=lambda file: len(file.stem))
    return None


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")


def _asked(witness: Path, program: Path, options: argparse.Namespace) -> tuple[str, str]:
    words: Sequence[str]
    if options.judge is None:
        words = [sys.executable, "-m", "abpress", "validate", "--quiet", "--any-hash"]
        words += ["--time-limit", options.time_limit]
        if not _SAYS_PROPERTY.search(_text(witness)):
            words += ["--property", options.property]
        words += [f"-D{macro}" for macro in options.define]
    else:
        words = options.judge.split()
    ran = subprocess.run([*words, witness, program], capture_output=True, text=True, check=False)
    lines = [*ran.stdout.splitlines(), *ran.stderr.splitlines()]
    return ANSWERS.get(ran.returncode, "error"), lines[0][:300] if lines else ""
