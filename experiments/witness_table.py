"""What validators say of our witnesses, by property: a table for docs/witnesses.md.

Tasks are verified, and each that is decided as expected writes a witness; `abpress validate` is
asked, and the validators of others that --validator names. Those are commands, to which the witness
and the program are added; their exit statuses are taken as those of abpress: 0 confirms, 1 rejects,
3 does not understand, anything else, and no answer in time, is no answer.

Exit status: 0; 1 if `abpress validate` rejects a witness or does not understand it.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from abpress.bench.inputs import read_inputs
from abpress.bench.record import Task
from experiments.pages import add_write, markdown, show
from experiments.settings import HERE

PAGE = HERE.parent / "docs" / "witnesses.md"

OURS = "abpress"

ANSWERS = {0: "confirmed", 1: "rejected", 3: "refused"}
NONE = "no answer"

WITNESS = {"yaml": "witness.yml", "graphml": "witness.graphml"}
"""Which format a validator reads -> the file of it."""

Found = Mapping[tuple[str, str], Mapping[str, Counter[str]]]
"""Property and verdict -> validator -> how many answers of each kind."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which tasks, which validators, and limits."""
    parser.add_argument("tasks", nargs="+", help="definitions, sets, manifests, folders")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds of a verification")
    parser.add_argument(
        "--patience", type=float, default=30.0, help="seconds that a validator is given"
    )
    for form in WITNESS:
        parser.add_argument(
            "--validator" if form == "yaml" else f"--{form}-validator",
            metavar="NAME=COMMAND",
            action="append",
            default=[],
            help=f"one that reads {form.upper()}; may be given several times",
        )
    add_write(parser, PAGE.name)


def run(options: argparse.Namespace) -> int:
    """Verifies, asks, and prints the table."""
    judges = list(_judges(options))
    found: dict[tuple[str, str], dict[str, Counter[str]]] = {}
    for task in read_inputs(options.tasks).tasks[:: options.every]:
        with tempfile.TemporaryDirectory() as folder:
            for name, form, command in judges:
                witness = Path(folder) / WITNESS[form]
                verdict = task.expected or ""
                if not witness.exists() and not _written(task, witness, options.limit):
                    break
                answer = _answer(command, witness, task, options.patience)
                of = found.setdefault((task.property, verdict.partition("(")[0]), {})
                of.setdefault(name, Counter())[answer] += 1
                print(f"{answer:<10} {name}: {task.name} ({task.property})", flush=True)
    show("witness-table", table([name for name, _, _ in judges], found), options.write, PAGE)
    wrong = (ours[OURS][ANSWERS[1]] + ours[OURS][ANSWERS[3]] for ours in found.values())
    return int(any(wrong))


def _judges(options: argparse.Namespace) -> Iterator[tuple[str, str, list[str]]]:
    """Who is asked: name, format, and command."""
    limit = f"{options.patience:g}s"
    yield (
        OURS,
        "yaml",
        [sys.executable, "-m", "abpress", "validate", "--quiet", "--time-limit", limit],
    )
    for form, given in (("yaml", options.validator), ("graphml", options.graphml_validator)):
        for text in given:
            name, _, command = text.partition("=")
            yield name, form, shlex.split(command)


def _written(task: Task, witness: Path, limit: float) -> bool:
    """Whether the task is decided as expected, and has a witness then."""
    words = ["--data-model", task.data_model, "--property", task.property, *task.options]
    asked = [sys.executable, "-m", "abpress", "verify", "--quiet", "--time-limit", f"{limit:g}s"]
    asked += [*words, "--witness", str(witness), str(task.file)]
    ran = subprocess.run(asked, capture_output=True, check=False)
    expected = {0: "true", 1: "false"}.get(ran.returncode, "none")
    return witness.exists() and (task.expected or "").startswith(expected)


def _answer(command: Sequence[str], witness: Path, task: Task, patience: float) -> str:
    words = [*command, str(witness), str(task.file)]
    try:
        ran = subprocess.run(words, capture_output=True, timeout=patience + 15, check=False)
    except subprocess.TimeoutExpired:
        return NONE
    return ANSWERS.get(ran.returncode, NONE)


def table(judges: Sequence[str], found: Found) -> str:
    """The table of the page: how many each confirms, rejects, does not understand, and leaves."""
    columns = ["property", "verdict", "witnesses", *judges]
    rows = []
    for (property, verdict), its in sorted(found.items()):
        cells = [", ".join(_told(its[name])) if name in its else "–" for name in judges]
        rows.append([f"`{property}`", verdict, str(its[judges[0]].total()), *cells])
    return markdown(columns, rows, words=2)


def _told(counts: Counter[str]) -> Iterator[str]:
    for answer in (*ANSWERS.values(), NONE):
        if counts[answer]:
            yield f"{counts[answer]} {answer}"
