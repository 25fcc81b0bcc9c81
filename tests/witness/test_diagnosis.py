"""Programs whose cause is known: the second line says it, and `// <-` marks the lines that the
diagnosis has to name."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from abpress.cli.main import build_parser
from abpress.cli.options import config_of
from abpress.verify.run import verify
from abpress.witness.lanes import render
from abpress.witness.trace import Trace

PROGRAMS = Path(__file__).resolve().parents[1] / "programs" / "causes"
FILES = sorted(PROGRAMS.glob("*.c"))


def trace_of(file: Path) -> Trace:
    expected = file.read_text(encoding="utf-8").partition("\n")[0]
    args = shlex.split(expected.partition(" args: ")[2])
    report = verify(config_of(build_parser().parse_args(["verify", str(file), *args])))
    assert isinstance(report.result.trace, Trace)
    return report.result.trace


def test_there_are_programs() -> None:
    assert len(FILES) >= 30


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_cause(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    trace = trace_of(file)
    assert trace.diagnosis is not None
    assert f"// cause: {trace.diagnosis.cause}" == lines[1]
    named = {int(number) for number in re.findall(r"\bline (\d+)", trace.diagnosis.text)}
    marked = {i for i, line in enumerate(lines, 1) if line.endswith("// <-")}
    assert marked <= named, trace.diagnosis.text
    assert trace.to_json()["diagnosis"]["text"] == trace.diagnosis.text
    shown = render(trace, {}, 100)
    assert shown[0].plain.startswith(f"cause: {trace.diagnosis.cause}. ")
