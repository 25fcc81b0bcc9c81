"""The experiment same-answers, on checkouts whose Python writes made-up reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.harness import main
from experiments.same_answers import counted, questions

TASK = """\
input_files: a.c
properties:
  - property_file: ../unreach-call.prp
options: {data_model: LP64}
"""

PYTHON = """\
#!/bin/sh
echo "$3" >>asked
while [ "$1" != --json ]; do shift; done
printf '{"verdict": "true", "cpu_s": %s, "at": "%s", "steps": [{"nodes": COUNT}]}' $$ "$PWD" >"$2"
[ "$3" != --certificate ] || echo proof >"$4"
echo true
"""
"""In place of Python: notes the command, writes report and certificate."""


@pytest.fixture
def checkouts(tmp_path: Path) -> list[Path]:
    """Two that agree, and one that does not."""
    for name, count in (("same", 3), ("also", 3), ("other", 4)):
        for folder, file in (("svcomp/set", "a.yml"), ("heap", "b.c"), ("clients", "c.c")):
            path = tmp_path / name / "benchmarks" / folder / file
            path.parent.mkdir(parents=True)
            path.write_text(TASK)
        python = tmp_path / name / ".venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(PYTHON.replace("COUNT", str(count)))
        python.chmod(0o755)
    return [tmp_path / name for name in ("same", "also", "other")]


def test_what_is_measured_is_not_compared(
    checkouts: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    same, also, other = map(str, checkouts)
    assert main(["same-answers", same, also]) == 0
    assert capsys.readouterr().out == "5 compared, 1 with a certificate, 0 different, 0 too long\n"
    assert main(["same-answers", same, other, "--only", "linearize"]) == 1
    printed = capsys.readouterr().out
    assert "different: linearize --threads 2 --calls 2 benchmarks/clients/c.c\n" in printed
    assert '  report: {"at": ".", "steps": [{"nodes": 3}], "verdict": "true"}\n' in printed
    assert "1 compared, 0 with a certificate, 1 different, 0 too long\n" in printed
    measured = {"wall_s": 1, "seconds": 2, "peak_memory": 2}
    assert counted({**measured, "n": [{"rows_per_second": 3, "x": 4}]}) == {"n": [{"x": 4}]}


def test_answers_are_kept(checkouts: list[Path], tmp_path: Path) -> None:
    same, _, other = map(str, checkouts)
    command = ["same-answers", "--answers", str(tmp_path / "kept")]
    assert main([*command, same]) == 0
    assert main([*command, same, other]) == 1
    for number, checkout in (("0", same), ("1", other)):
        assert len((Path(checkout) / "asked").read_text().splitlines()) == 5
        assert len(list((tmp_path / "kept" / number).glob("*.json"))) == 5


def test_no_question_and_no_environment(
    checkouts: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same, also, _ = map(str, checkouts)
    assert main(["same-answers", same, also, "--only", "nothing like this"]) == 1
    assert main(["same-answers", str(tmp_path)]) == 3
    assert "has no environment" in capsys.readouterr().err


def test_a_manifest_is_sampled_evenly(checkouts: list[Path], tmp_path: Path) -> None:
    rows = [f"p{n}.c\t{'unreach-call' if n % 2 else 'termination'}\t-DN=1" for n in range(800)]
    manifest = tmp_path / "manifest.tsv"
    manifest.write_text("\n".join(("path\tproperty\tflags", *rows)) + "\n")
    asked = [q for q in questions(checkouts[0], manifest) if q[-1].startswith(str(tmp_path))]
    assert len(asked) == 100
    assert asked[1] == ("verify", "--property", "unreach-call", "-DN=1", str(tmp_path / "p9.c"))
