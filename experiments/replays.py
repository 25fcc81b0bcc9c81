"""How many violations the compiled program shows, by one command each.

Each program is verified, and the trace of a verdict false is replayed (`abpress replay`). Programs
are tasks (definitions, sets, manifests) that expect false, or C files whose first line says so as
in tests/programs; of a folder, all of them.

Exit status: 0; 1 if fewer are reproduced than --at-least asks for.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shlex
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from abpress.bench.inputs import read_inputs

WITH_REASON, WITHOUT_REASON = "with a reason", "without one"
WORDS = ("reproduced", WITH_REASON, WITHOUT_REASON, "refused", "not found")
"""The columns of the table: two are of what is not reproduced."""

_EXPECTED = re.compile(r"// expect: false\(([\w-]+)\)(?:.*? args: (.*))?")


@dataclass(frozen=True, slots=True)
class Asked:
    """A program with a violation, and the options that show it."""

    folder: str
    name: str
    file: Path
    property: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """What became of it, one of WORDS; and why, as it is printed."""

    asked: Asked
    word: str
    why: str
    seconds: float


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, and limits."""
    parser.add_argument("given", nargs="+", help="task definitions, manifests, folders, programs")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of a verification")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no program after so many")
    parser.add_argument("--results", type=Path, required=True, help="folder that keeps the traces")
    parser.add_argument("--at-least", type=float, default=0.0, metavar="PERCENT")


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if too few are reproduced."""
    options.results.mkdir(parents=True, exist_ok=True)
    shown: list[Shown] = []
    began = time.monotonic()
    for asked in list(programs(options.given))[:: options.every]:
        if time.monotonic() - began > 60 * options.minutes:
            break
        its = replayed(asked, options.results, options.limit)
        shown.append(its)
        if its.word != "reproduced":
            where = f"{asked.folder}/{asked.name} ({asked.property})"
            print(f"{its.word:<14} {where}: {its.why}", flush=True)
    print(*table(shown), sep="\n")
    found = [its for its in shown if its.word != "not found"]
    share = 100 * sum(its.word == "reproduced" for its in found) / max(1, len(found))
    return 1 if share < options.at_least else 0


def programs(given: Sequence[str]) -> Iterator[Asked]:
    """The programs that are expected to violate something."""
    for text in given:
        path = Path(text)
        files = sorted(path.rglob("*.c")) if path.is_dir() else [path]
        cases = [its for file in files if file.suffix == ".c" for its in _case(file)]
        yield from cases
        if cases or path.suffix == ".c":
            continue
        for task in read_inputs([text]).tasks:
            if (task.expected or "").startswith("false"):
                words = ("--data-model", task.data_model, *task.options)
                folder = task.file.parent.name
                yield Asked(folder, task.file.stem, task.file, task.property, words)


def _case(file: Path) -> Iterator[Asked]:
    match = _EXPECTED.match(file.read_text(encoding="utf-8", errors="replace"))
    if match:
        words = shlex.split(match[2] or "")
        if "--property" in words:
            at = words.index("--property")
            del words[at : at + 2]
        yield Asked(file.parent.name, file.stem, file, match[1], tuple(words))


def replayed(asked: Asked, folder: Path, limit: float) -> Shown:
    """Verifies, unless that was done before, and replays."""
    key = hashlib.sha256(repr((str(asked.file), asked.property, asked.words)).encode()).hexdigest()
    result = folder / f"{asked.name}-{asked.property}-{key[:8]}.json"
    if not result.exists():
        words = ("--time-limit", f"{limit:g}", "--property", asked.property, *asked.words)
        _run(("verify", "--quiet", "--json", str(result), *words, str(asked.file)), 2 * limit + 30)
    data = json.loads(result.read_text()) if result.exists() else {}
    if data.get("verdict") != "false":
        return Shown(asked, "not found", str(data.get("reason", "no result")), 0.0)
    began = time.monotonic()
    status, said = _run(("replay", str(result)), 120)
    without = WITH_REASON if "\nreason: " in said else WITHOUT_REASON
    word = {0: "reproduced", 1: without}.get(status, "refused")
    return Shown(asked, word, " | ".join(said.splitlines()), time.monotonic() - began)


def _run(words: Sequence[str], seconds: float) -> tuple[int, str]:
    command = (sys.executable, "-m", "abpress", *words)
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return 2, f"more than {seconds:g} s"
    return ran.returncode, ran.stdout + ran.stderr


def table(shown: Sequence[Shown]) -> Iterator[str]:
    """The lines of the table: by folder and by property, and all together."""
    yield f"{'':<22} " + " ".join(f"{word:>14}" for word in WORDS)
    for key in ("folder", "property"):
        counts = {name: Counter[str]() for name in sorted({getattr(s.asked, key) for s in shown})}
        for its in shown:
            counts[getattr(its.asked, key)][its.word] += 1
        for name, count in counts.items():
            yield f"{name:<22} " + " ".join(f"{count[word]:>14}" for word in WORDS)
        yield ""
    count = Counter(its.word for its in shown)
    yield f"{'all':<22} " + " ".join(f"{count[word]:>14}" for word in WORDS)
    seconds = sorted(its.seconds for its in shown if its.word == "reproduced")
    if seconds:
        found = sum(count.values()) - count["not found"]
        share = 100 * count["reproduced"] / found
        yield f"{share:.1f} % of {found} reproduced, median {seconds[len(seconds) // 2]:.1f} s"
        said = share + 100 * (count[WITH_REASON] + count["refused"]) / found
        yield f"{said:.1f} % reproduced, or told why not"
