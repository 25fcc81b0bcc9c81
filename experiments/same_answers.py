"""Compares the answers of two checkouts: verdicts, counts, traces, texts and certificates.

The questions are those of all of benchmarks/ of the first checkout, and a sample of a manifest: a
table of tab-separated values with the columns path (below the manifest's folder), property and
flags. Each is asked in a process of its own in either checkout (with the environment of that
checkout), without a limit that the tool would keep by itself: a search that is ended by the clock
has no numbers to compare. What takes longer than --seconds on one side is counted, not compared.
With --answers, an interrupted run goes on, and a checkout is asked once. With one checkout, its
answers are kept only.

Exit status: 0; 1 if an answer differs, or there are none.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import yaml

from abpress.bench.files import write_whole
from abpress.cli.options import positive
from abpress.errors import InputError
from experiments.settings import read_table

MANIFEST_SAMPLE = 100
"""Questions that are taken from a manifest, evenly."""

STATELESS = ("source", "optimal", "observers", "optimal-cs-observers", "dl-s-por")
HEAP = ("heap-reach+fields", "hybrid", "stateful-dpor")
"""Algorithms that explore benchmarks/exploration and benchmarks/heap."""

MEASURED = re.compile(r".*(_s|_mb|_mib|per_second|memory)$|seconds")
"""Keys of the JSON file whose values are measured, not counted."""

SECONDS = re.compile(r"\b\d+\.\d+ s\b")
"""Where the account of several engines tells the time of each."""

SIZE = ("-D", "N=3")
"""The programs of benchmarks/exploration have no size of their own."""

Arguments = tuple[str, ...]
"""A question: arguments of abpress, with paths that are relative to the checkout."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The checkouts, and which questions."""
    parser.add_argument("checkouts", nargs="+", type=Path, metavar="CHECKOUT")
    parser.add_argument("--manifest", type=Path, help="programs elsewhere, as a table")
    parser.add_argument("--answers", type=Path, metavar="DIR", help="where answers are kept")
    parser.add_argument(
        "--seconds", type=float, default=30.0, help="what one question may take (default: 30)"
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="questions that contain it")
    parser.add_argument("-j", "--jobs", type=positive, default=1, help="questions at a time (1)")


def run(options: argparse.Namespace) -> int:
    """Asks and compares."""
    checkouts = [checkout.resolve() for checkout in options.checkouts]
    for checkout in checkouts:
        if not _python(checkout).exists():
            raise InputError(f"{checkout} has no environment (.venv)")
    every = questions(checkouts[0], options.manifest)
    asked = [question for question in every if options.only in " ".join(question)]
    with tempfile.TemporaryDirectory() as scratch:
        kept = options.answers or Path(scratch)
        first, *others = (
            answers(checkout, asked, kept / str(number), options.seconds, options.jobs)
            for number, checkout in enumerate(checkouts)
        )
    differing = [other for other in others if not compare(asked, first, other)]
    return 1 if differing else 0


def questions(root: Path, manifest: Path | None) -> Iterator[Arguments]:
    """All questions about the benchmarks of a checkout, and those of a sample of a manifest."""
    benchmarks = root / "benchmarks"
    for file in sorted((benchmarks / "svcomp").glob("*/*.yml")):
        task = yaml.safe_load(file.read_text(encoding="utf-8"))
        model = task["options"].get("data_model", "ILP32")
        program = (file.parent / task["input_files"]).relative_to(root)
        for entry in task["properties"]:
            property = Path(entry["property_file"]).stem
            yield ("verify", "--property", property, "--data-model", model, str(program))
    for folder, algorithms, size in (("exploration", STATELESS, SIZE), ("heap", HEAP, ())):
        for file in sorted((benchmarks / folder).glob("*.c")):
            for algorithm in algorithms:
                yield ("explore", "--algorithm", algorithm, *size, str(file.relative_to(root)))
    for file in sorted((benchmarks / "clients").glob("*.c")):
        yield ("linearize", "--threads", "2", "--calls", "2", str(file.relative_to(root)))
    if manifest is not None:
        rows = [row for row in read_table(manifest) if row["property"] == "unreach-call"]
        for row in rows[:: max(1, len(rows) // MANIFEST_SAMPLE)][:MANIFEST_SAMPLE]:
            path = str((manifest.parent / row["path"]).resolve())
            yield ("verify", "--property", row["property"], *row["flags"].split(), path)


def answers(
    checkout: Path, asked: Sequence[Arguments], kept: Path, seconds: float, jobs: int
) -> dict[Arguments, Any]:
    """The answers of a checkout, those that are kept in the folder included. None: too long."""
    kept.mkdir(parents=True, exist_ok=True)

    def answer(question: Arguments) -> Any:
        name = hashlib.sha256("\0".join(question).encode()).hexdigest()[:16]
        file = kept / f"{name}.json"
        if not file.exists():
            write_whole(file, json.dumps(_asked(checkout, question, seconds), sort_keys=True))
        return json.loads(file.read_text(encoding="utf-8"))

    with ThreadPoolExecutor(jobs) as pool:
        return dict(zip(asked, pool.map(answer, asked), strict=True))


def _python(checkout: Path) -> Path:
    return checkout / ".venv" / "bin" / "python"


def _asked(checkout: Path, question: Arguments, seconds: float) -> Any:
    with tempfile.TemporaryDirectory() as scratch:
        report, proof = Path(scratch) / "report.json", Path(scratch) / "proof.json"
        command = [str(_python(checkout)), "-m", "abpress", *question]
        command += ["--quiet", "--json", str(report)]
        if question[0] == "verify" and "unreach-call" in question:
            command += ["--certificate", str(proof)]
        try:
            process = subprocess.run(
                command, cwd=checkout, capture_output=True, text=True, timeout=seconds
            )
        except subprocess.TimeoutExpired:
            return None

        def told(text: str) -> str:  # the same words, wherever the checkout lies
            return text.replace(str(checkout), ".")

        return {
            "status": process.returncode,
            "output": told(process.stdout),
            "errors": told(process.stderr),
            "report": json.loads(told(report.read_text())) if report.exists() else None,
            "proof": hashlib.sha256(proof.read_bytes()).hexdigest() if proof.exists() else None,
        }


def counted(value: Any) -> Any:
    """The value without what was measured."""
    if isinstance(value, dict):
        return {k: counted(v) for k, v in value.items() if not MEASURED.fullmatch(k)}
    if isinstance(value, list):
        return [counted(v) for v in value]
    return SECONDS.sub("", value) if isinstance(value, str) else value


def compare(
    asked: Sequence[Arguments], before: Mapping[Arguments, Any], after: Mapping[Arguments, Any]
) -> bool:
    """Whether the answers are the same and there are some; prints those that differ."""
    both = [q for q in asked if before[q] is not None and after[q] is not None]
    told = {q: (counted(before[q]), counted(after[q])) for q in both}
    different = [q for q, (old, new) in told.items() if old != new]
    for question in different:
        print("different:", " ".join(question))
        old, new = told[question]
        for key in old:
            if old[key] != new.get(key):
                short = _short(old[key]), _short(new.get(key))
                print(f"  {key}: {short[0]}\n  {' ' * len(key)}> {short[1]}")
    proofs = sum(before[question]["proof"] is not None for question in both)
    print(
        f"{len(both)} compared, {proofs} with a certificate, {len(different)} different,"
        f" {len(asked) - len(both)} too long"
    )
    return bool(both) and not different


def _short(value: Any) -> str:
    text = json.dumps(value, sort_keys=True)
    return text if len(text) <= 300 else text[:300] + " …"
