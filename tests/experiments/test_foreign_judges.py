"""What others say of our files is told, and what a witness costs is counted."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from pathlib import Path

import pytest

from experiments import foreign_witnesses, schemas, witness_cost

LINTER = """\
import sys
text = open(sys.argv[2]).read()
assert sys.argv[1] == "--witness" and sys.argv[3].endswith("x.c") and "graphml" in text
print("WARNING: something")
sys.exit("wrong" in open(sys.argv[3]).read())
"""
READER = """\
import sys
assert "entry_type: invariant_set" in open(sys.argv[-1]).read()
sys.exit(sys.argv[1] == "wrong")
"""


@pytest.mark.parametrize(("wrong", "status"), [(False, 0), (True, 1)])
def test_what_judges_say_is_told(
    wrong: bool, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "x.c"
    program.write_text(f"int main(void) {{ {'/* wrong */' if wrong else ''} }}\n")
    schema = tmp_path / "schema.json"
    runs = {"type": "array", "maxItems": 0 if wrong else 1}
    schema.write_text(json.dumps({"required": ["runs"], "properties": {"runs": runs}}))
    linter = tmp_path / "linter.py"
    linter.write_text(LINTER)
    parser = argparse.ArgumentParser()
    schemas.arguments(parser)
    reader = tmp_path / "reader.py"
    reader.write_text(READER)
    command = shlex.join((sys.executable, str(reader), "wrong" if wrong else "right"))
    judges = ["--sarif-schema", str(schema), "--witness-linter", str(linter)]
    judges += ["--witness-reader", f"another={command}"]
    options = parser.parse_args([str(program), "--property", "unreach-call", *judges])
    assert schemas.run(options) == status
    said = capsys.readouterr().out
    assert f"SARIF: {1 - status} of 1 are valid" in said
    assert f"GraphML: {1 - status} of 1 are valid" in said
    assert ("x.c: GraphML: WARNING: something" in said) is wrong
    assert f"YAML, another: {1 - status} of 1 are valid" in said
    assert "exit statuses: 2 x 0" in said


def test_what_a_witness_costs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    times = iter((1.3, 1.0, 1.0, 1.2, 9.0, 1.0))  # with first, then without first, in turns
    monkeypatch.setattr(witness_cost, "cpu_seconds", lambda *_: next(times))
    parser = argparse.ArgumentParser()
    witness_cost.arguments(parser)
    asked = ["x.c", "--turns", "3"]
    assert witness_cost.run(parser.parse_args(asked)) == 1
    assert "all                                         1.00 s    1.20 s  1.200" in (
        capsys.readouterr().out
    )
    times = iter((1.3, 1.0, 1.0, 1.2, 9.0, 1.0))
    assert witness_cost.run(parser.parse_args([*asked, "--allowed", "21"])) == 0


def test_a_run_without_a_verdict_is_no_measurement(tmp_path: Path) -> None:
    assert witness_cost.cpu_seconds(tmp_path / "missing.c", "unreach-call", ()) is None


JUDGE = """\
import sys
from pathlib import Path
witness, program = map(Path, sys.argv[1:])
print(program.name)
sys.exit(["one.c", "two.c"].index(program.name))
"""


def test_the_program_of_a_foreign_witness(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judge, folder = tmp_path / "judge.py", tmp_path / "all"
    judge.write_text(JUDGE)
    folder.mkdir()
    for name in ("one.c", "two.c"):
        (folder / name).write_text("int main(void) { return 0; }\n")
    entry = "- entry_type: invariant_set\n"
    (folder / "a.yml").write_text(f"{entry}  input_files:\n    - src/two.c\n")
    (folder / "one.c-witness.yaml").write_text(entry)
    (folder / "three.graphml").write_text("<graphml/>\n")
    (folder / "settings.yml").write_text("format: c\n")
    parser = argparse.ArgumentParser()
    foreign_witnesses.arguments(parser)
    asked = [str(folder), "--judge", f"{sys.executable} {judge}"]
    assert foreign_witnesses.run(parser.parse_args(asked)) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[:3] == [
        "rejected   a.yml: two.c",
        "confirmed  one.c-witness.yaml: one.c",
        "error      three.graphml: no program beside it",
    ]
    assert said[3].endswith("3 witnesses: 1 confirmed, 1 error, 1 rejected")
