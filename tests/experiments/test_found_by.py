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
