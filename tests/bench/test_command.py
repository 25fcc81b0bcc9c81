"""`abpress bench`, run as users run it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from abpress.bench.compare import compare, contradictions
from abpress.bench.record import Benchmark, Category, RunLimits
from abpress.bench.store import NAME, read_runs
from abpress.cli.bench import complaint
from abpress.cli.bench_view import Summary, print_summary

from .test_compare import run

ROOT = Path(__file__).resolve().parent.parent.parent
DEFINITION = """\
format_version: '2.0'
input_files: {name}.c
properties:
  - property_file: p.prp
    expected_verdict: {expected}
"""
SAFE = "void reach_error(void) {}\nint main(void) { return 0; }\n"
UNSAFE = "void reach_error(void) {}\nint main(void) { reach_error(); }\n"


@dataclass(frozen=True, slots=True)
class Told:
    status: int
    out: str
    err: str


def bench(folder: Path, *arguments: str) -> Told:
    process = subprocess.run(
        [sys.executable, "-m", "abpress", "bench", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "Traceback" not in process.stderr, process.stderr
    return Told(process.returncode, process.stdout, process.stderr)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two tasks whose expectation is right."""
    (tmp_path / "p.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    for name, text, expected in (("safe", SAFE, "true"), ("unsafe", UNSAFE, "false")):
        (tmp_path / f"{name}.c").write_text(text)
        (tmp_path / f"{name}.yml").write_text(DEFINITION.format(name=name, expected=expected))
    return tmp_path


CONFIGS = ("--config", "plain=--por none", "--config", "other=--engine 'explicit'")


def test_two_configurations_and_all_the_files(folder: Path) -> None:
    told = bench(folder, ".", *CONFIGS, "--output", "out", "-j", "2", "--write-expected", "e.jsonl")
    assert (told.status, told.out) == (3, "")
    assert "--write-expected wants one configuration" in told.err

    told = bench(folder, ".", *CONFIGS, "--output", "out", "-j", "2")
    assert (told.status, told.err) == (0, "")
    assert re.search(r"^plain +2 +2 +1 +1( +0){6} +3 ", told.out, re.M), told.out
    runs = read_runs(folder / "out" / NAME)
    assert len(runs) == 4
    assert {r.category for r in runs} == {Category.CORRECT}
    traces = [r.trace for r in runs if r.trace is not None]
    assert len(traces) == 2
    for trace in traces:
        assert json.loads((folder / "out" / trace).read_text())["steps"]
    for name in ("index.html", "results.csv", NAME):
        assert (folder / "out" / name).is_file()
        assert f"written: out/{name}" in told.out

    again = bench(folder, ".", *CONFIGS, "--output", "out")
    assert again.status == 3
    assert "--resume goes on" in again.err
    before = (folder / "out" / NAME).read_bytes()
    assert bench(folder, ".", *CONFIGS, "--output", "out", "--resume").status == 0
    assert (folder / "out" / NAME).read_bytes() == before

    more = ("--baseline", "out", "--config", "plain=--por none", "--write-expected", "e.jsonl")
    told = bench(folder, "safe.yml", *more)
    assert told.status == 0
    assert "compared with the baseline: 1 runs, 3 of the baseline were not run" in told.out
    assert (folder / "e.jsonl").read_text() == (
        '{"task": "safe", "property": "unreach-call", "verdict": "true"}\n'
    )


def test_a_wrong_verdict_comes_first_and_is_the_status(folder: Path) -> None:
    (folder / "safe.yml").write_text(DEFINITION.format(name="unsafe", expected="true"))
    told = bench(folder, "*.yml")
    assert told.status == 1
    first = told.out.splitlines()[0]
    assert first == "WRONG safe (unreach-call) by default: false, and true is right"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing.yml",), "missing.yml: no such file or folder"),
        ((".", "--property", "safety"), "property 'safety' is neither a file nor one of"),
        (("safe.yml", "--property", "no-deadlock"), "there are no tasks; property unreach-call"),
        ((".", "--config", "x"), "'x' is not NAME='OPTIONS'"),
        ((".", "--config", "x y="), "'x y=' is not NAME='OPTIONS'"),
        ((".", "--config", "x='"), "No closing quotation"),
        ((".", "--config", "x=--por best"), "x: argument --por: invalid choice: 'best'"),
        ((".", "--config", "x=--json f"), "x: --json is for abpress bench to say"),
        ((".", "--config", "x=", "--config", "x=--por none"), "two configurations are called x"),
        ((".", "--resume"), "--resume needs --output"),
        ((".", "--baseline", "none.jsonl"), "cannot read none.jsonl: No such file or directory"),
        ((".", "--write-expected", "no/e"), "no: no such folder"),
        ((".", "--write-expected", "safe.c"), "safe.c:1: a task, a property and a verdict"),
        ((".", "--time-limit", "soon"), "'soon' is not a time"),
        ((".", "-j", "0"), "'0' is not a whole number above zero"),
    ],
)
def test_a_command_line_that_makes_no_sense(
    folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    told = bench(folder, *arguments)
    assert (told.status, told.out) == (3, "")
    assert message in told.err


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), None),
        (("--por", "none", "-DN=2"), None),
        (("--data-model", "LP64"), None),
        (("--prop", "no-deadlock"), "--property is for abpress bench to say"),
        (("--time-limit=3",), "--time-limit is for abpress bench to say"),
        (("--quiet",), "--quiet is for abpress bench to say"),
        (("--sarif=all.sarif",), "--sarif is for abpress bench to say"),
        (("--report=page",), "--report is for abpress bench to say"),
        (("x.c",), "unrecognized arguments: x.c"),
        (("--help",), "there is no option --help"),
    ],
)
def test_options_of_configurations(options: tuple[str, ...], expected: str | None) -> None:
    assert complaint(options) == expected


def test_the_summary_tells_what_is_wrong_first(capsys: pytest.CaptureFixture[str]) -> None:
    old = [run("true", config="a", cpu_s=1.0), run("true", config="b", cpu_s=1.0)]
    runs = (
        run("true", config="a", cpu_s=9.0),
        run("false", config="b", cpu_s=2.5),
        run("unknown", config="b", task="u", category=Category.ERROR, reason="it broke"),
    )
    benchmark = Benchmark(runs, {"a": (), "b": ()}, RunLimits(), "2026-01-01", "1.0")
    comparison = compare(old, runs)
    skipped = {"property termination": 2}
    files = [Path("out/x")]
    summary = Summary(benchmark, 4, skipped, contradictions(runs), comparison, files)
    print_summary(summary, sys.stdout)
    assert capsys.readouterr().out.splitlines() == [
        "WRONG t (unreach-call) by b: false, and true is right",
        "CONTRADICTION t (unreach-call): true by a; false by b",
        "REGRESSION t (unreach-call) by b: was true (correct), is false (wrong)",
        "REGRESSION time by a: 9.00 times the baseline's (median of 1 runs)",
        "error u (unreach-call) by b: it broke",
        "compared: nodes by a: 1.00 times the baseline's (median of 1 runs)",
        "compared with the baseline: 2 runs",
        "configuration  runs  correct  true  false  wrong  unknown  timeout  out of memory  error"
        "  unjudged  score  CPU s",
        "a                 1        1     1      0      0        0        0              0      0"
        "         0      2    9.0",
        "b                 2        0     0      0      1        0        0              0      1"
        "         0    -16    4.0",
        "1 of 4 runs are missing",
        "skipped, 2: property termination",
        "written: out/x",
    ]
