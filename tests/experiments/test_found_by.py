"""The table of who finds errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.harness import main

PROGRAM = "void reach_error(void); int x; int main(void) { if (x == %s) reach_error(); }\n"


@pytest.mark.parametrize(("number", "status"), [("0", 0), ("1", 1)])
def test_the_table(
    number: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "wrong.c").write_text(PROGRAM % number, encoding="utf-8")
    manifest = tmp_path / "manifest.tsv"
    manifest.write_text(
        "path\tproperty\texpected\tcategory\tflags\n"
        "wrong.c\tunreach-call\tfalse\tfolder\t--data-model LP64\n"
        "right.c\tunreach-call\ttrue\tother\t\n",
        encoding="utf-8",
    )
    command = ["found-by", str(manifest), "--root", str(tmp_path), "--limit", "20"]
    assert main([*command, "--within", "100"]) == status
    lines = capsys.readouterr().out.splitlines()
    assert lines[-4].split()[:4] == ["folder", "1", "1", "1"]
    assert lines[-3].split()[0] == "all"
    assert lines[-1].split() == ["1", "explicit"]
    assert ("false" not in lines[0]) or status == 0


def test_a_sample_of_several_properties(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "right.c").write_text(PROGRAM % 1, encoding="utf-8")
    asked = ("no-data-race", "no-overflow", "unreach-call")
    manifest = tmp_path / "manifest.tsv"
    rows = [f"right.c\t{name}\ttrue\tfolder\t" for name in asked for _ in range(3)]
    heading = "path\tproperty\texpected\tcategory\tflags"
    manifest.write_text("\n".join([heading, *rows]) + "\n", encoding="utf-8")
    command = ["found-by", str(manifest), "--root", str(tmp_path), "--expected", "true"]
    command += ["--engine", "static", "--sample", "2", "--cpu-limit", "20", "--within", "100"]
    command += [word for name in asked[:2] for word in ("--property", name)]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line in asked] == list(asked[:2])
    counted = [int(line.split()[1]) for line in lines if line.startswith("all ")]
    assert sum(counted) == 2 == sum(int(line.split()[2]) for line in lines if line[:4] == "all ")
