"""The script for gdb tells the switches of the run, and gdb stops at each of them."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Command, abpress
from tests.replay.test_on_the_machine import CAUSES, needs_compiler, trace_of

__all__ = ["abpress"]


def debugged(*words: str) -> str:
    """What gdb prints; empty if there is none."""
    if not shutil.which("gdb"):
        return ""
    run = subprocess.run(("gdb", "-batch", *words), capture_output=True, text=True, timeout=60)
    return run.stdout


@needs_compiler
def test_each_switch_is_told_with_its_place_in_the_trace(abpress: Command, tmp_path: Path) -> None:
    file = CAUSES / "lost_update.c"
    abpress("verify", file, "--property", "unreach-call")
    run = abpress("replay", "result.json", "--gdb", tmp_path / "its.gdb")
    assert run.status == 0, run.out + run.err
    assert (tmp_path / "its.gdb.program" / "schedule").stat().st_size > 0
    text = (tmp_path / "its.gdb").read_text()
    code = ast.parse(text.partition("\npython\n")[2].removesuffix("end\n"))
    (rows,) = (
        ast.literal_eval(its.value)
        for its in code.body
        if isinstance(its, ast.Assign) and ast.unparse(its.targets[0]) == "SWITCHES"
    )
    trace = trace_of(file, "unreach-call")
    threads = [its.thread for its in trace.steps]
    assert len(rows) == trace.context_switches
    for leaves, left, goes_on, enters, step in rows:
        assert (threads[step - 2], threads[step - 1]) == (leaves, goes_on)
        assert left.startswith(f"{file}:") and enters.startswith(f"{file}:")


@needs_compiler
@pytest.mark.skipif("exited normally" not in debugged("-ex", "run", "--args", "true"), reason="gdb")
@pytest.mark.parametrize(
    "name, property, line",
    [("lost_update", "unreach-call", "assert(x == 2);"), ("use_after_free", "valid-deref", "")],
)
def test_gdb_stops_at_each_switch(
    name: str, property: str, line: str, abpress: Command, tmp_path: Path
) -> None:
    script = tmp_path / "its.gdb"
    abpress("verify", CAUSES / f"{name}.c", "--property", property)
    ends = abpress("replay", "result.json", "--gdb", script).out.partition("(")[2].strip()[:-1]
    out = debugged("-x", str(script), *["-ex", "continue"] * 20)
    told = re.findall(r"switch (\d+) of (\d+)", out)
    assert told and [int(number) for number, _ in told] == [*range(1, int(told[0][1]) + 1)]
    assert f"end of the run: {ends}" in out
    assert line in out.partition("end of the run")[2]
