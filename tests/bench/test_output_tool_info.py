"""The tool-info module, judged by BenchExec, and the benchmark definitions that use it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from abpress.properties import GROUPS, PROPERTIES
from abpress.version import __version__

pytest.importorskip("benchexec", reason="BenchExec is not installed")

from benchexec import tooladapter, util
from benchexec.tools.template import UnsupportedFeatureException

from abpress.bench.tool_info import Tool

ROOT = Path(__file__).parents[2]
DEFINITIONS = (ROOT / "abpress/bench/svcomp.xml", ROOT / "benchmarks/benchexec.xml")
BASE = tooladapter.CURRENT_BASETOOL


@pytest.fixture
def path_with_abpress(tmp_path: Path) -> str:
    """A PATH that begins with a folder in which there is a command `abpress`."""
    command = tmp_path / "abpress"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m abpress "$@"\n')
    command.chmod(0o755)
    return f"{tmp_path}:{os.environ['PATH']}"


def execute(path: str, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_check_of_benchexec_passes(path_with_abpress: str) -> None:
    task = ROOT / "benchmarks/svcomp/pthread-atomic/peterson_safe.yml"
    module = ("-m", "benchexec.test_tool_info", "abpress.bench.tool_info", "--no-container")
    done = execute(path_with_abpress, ROOT, *module, "--task-definition", str(task))
    assert done.returncode == 0, done.stderr
    assert f"Version: “{__version__}”" in done.stderr
    warnings = [line for line in done.stderr.splitlines() if "WARNING" in line]
    expected = ("absolute", "multiple input files")
    assert all(any(word in warning for word in expected) for warning in warnings), warnings
    assert "peterson_safe.c" in done.stderr


def test_benchexec_runs_our_definition(path_with_abpress: str, tmp_path: Path) -> None:
    """With neither containers nor limits of memory and cores, which not every machine allows."""
    text = DEFINITIONS[0].read_text(encoding="utf-8")
    tasks = ROOT / "benchmarks/svcomp"
    own = tmp_path / "few.set"
    own.write_text(f"{tasks}/pthread-atomic/peterson_*safe.yml\n")
    text = text.replace("sv-benchmarks/c/Concurrency.set", str(own))
    (tmp_path / "d.xml").write_text(
        text.replace("sv-benchmarks/c/properties", f"{tasks}/properties")
    )
    program = "import sys; from benchexec.benchexec import main; sys.exit(main())"
    limits = ("-T", "60s", "-W", "60s", "-M", "-1", "-c", "-1")
    command = ("-c", program, "d.xml", "--no-container", "--no-compress-results", *limits)
    done = execute(path_with_abpress, tmp_path, *command)
    assert done.returncode == 0, done.stderr
    [results] = (tmp_path / "results").glob("*.ConcurrencySafety-Main.xml")
    runs = {
        Path(str(run.get("name"))).stem: {c.get("title"): c.get("value") for c in run}
        for run in ElementTree.parse(results).getroot().iter("run")
    }
    assert sorted(runs) == ["peterson_loop_safe", "peterson_safe", "peterson_unsafe"]
    assert [runs[name]["status"] for name in sorted(runs)] == [
        *("true", "true", "false(unreach-call)")
    ]
    assert {run["category"] for run in runs.values()} == {"correct"}
    assert all(int(str(run["states"])) > 10 for run in runs.values())


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda path: path.name)
def test_definitions_name_what_there_is(definition: Path) -> None:
    root = ElementTree.parse(definition).getroot()
    assert root.get("tool") == "abpress.bench.tool_info"
    names = {Path(str(element.text)).stem for element in root.iter("propertyfile")}
    assert names
    assert names <= PROPERTIES.keys() | GROUPS.keys()


def test_every_property_is_in_the_definition_of_our_tasks() -> None:
    root = ElementTree.parse(DEFINITIONS[1]).getroot()
    folder = DEFINITIONS[1].parent
    for tag in ("includesfile", "propertyfile"):
        assert all((folder / str(element.text)).is_file() for element in root.iter(tag))
    named = {Path(str(element.text)).name for element in root.iter("propertyfile")}
    assert named == {file.name for file in (folder / "svcomp/properties").glob("*.prp")}


def command_line(
    options: object, cputime: int | None = None, memory: int | None = None
) -> list[str]:
    task = BASE.Task.with_files(["p.c"], property_file="u.prp", options=options)
    limits = BASE.ResourceLimits(cputime=cputime, memory=memory)
    return Tool().cmdline("abpress", ["--por", "none"], task, limits)


def test_the_command_line_has_property_model_and_limits() -> None:
    assert command_line({"language": "C", "data_model": "LP64"}, 900, 15 * 10**9) == [
        *("abpress", "verify", "--stats", "--property", "u.prp", "--data-model", "LP64"),
        *("--time-limit", "900s", "--memory-limit", "15000MB", "--por", "none", "p.c"),
    ]
    assert command_line(None) == [
        *("abpress", "verify", "--stats", "--property", "u.prp", "--por", "none", "p.c")
    ]


@pytest.mark.parametrize("options", [{"data_model": "LP32"}, {"language": "Java"}])
def test_other_models_and_languages_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(UnsupportedFeatureException):
        command_line(options)


@pytest.mark.parametrize(
    ("lines", "status", "expected"),
    [
        (["abpress verdict: true", "assuming: nothing"], 0, "true"),
        (["5 f() │ abpress verdict: true", "abpress verdict: false(unreach-call)"], 1,
         "false(unreach-call)"),
        (["abpress verdict: unknown (time limit (5 s))"], 2, "unknown"),
        (["abpress verdict: unknown (unsupported: setjmp)"], 3, "unknown"),
        (["abpress verdict: unknown (input error: no file)"], 3, "ERROR (input error: no file)"),
        (["abpress verdict: true"], 3, "ERROR (status 3)"),
        (["abpress verdict: truefalse"], 0, "ERROR (no verdict)"),
        ([], 1, "ERROR (no verdict)"),
        (["abpress verdict: true"], -9, "ERROR (signal 9)"),
    ],
)  # fmt: skip
def test_results(lines: list[str], status: int, expected: str) -> None:
    code = (
        util.ProcessExitCode.create(signal=-status)
        if status < 0
        else util.ProcessExitCode.create(value=status)
    )
    output = BASE.RunOutput([line + "\n" for line in lines])
    assert Tool().determine_result(BASE.Run(["abpress"], code, output, None)) == expected


def test_values_of_the_statistics() -> None:
    output = BASE.RunOutput(
        ["abpress verdict: true\n", "  engines   explicit true\n", "  states    26,961,001\n",
         "  cpu time  0.05 s\n", "  a, b      1\n"]
    )  # fmt: skip
    value = Tool().get_value_from_output
    assert value(output, "states") == "26961001"
    assert value(output, "cpu time") == "0.05s"
    assert value(output, "engines") == "explicit true"
    assert value(output, "state") is None
