"""`abpress verify --witness` and `abpress validate`: what they write, print and return."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.cli.main import perform

PROGRAM = """\
extern void reach_error(void);
int main(void) {
  int x = 1;
  if (x == LIMIT) {
    reach_error();
  }
  return 0;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "p.c"
    file.write_text(PROGRAM)
    return file


def verify(file: Path, limit: int, witness: Path) -> int:
    options = ["--property", "unreach-call", "--quiet", "-D", f"LIMIT={limit}"]
    return perform(["verify", str(file), *options, "--witness", str(witness)])


def validate(file: Path, limit: int, witness: Path) -> int:
    return perform(["validate", str(witness), str(file), "-D", f"LIMIT={limit}"])


def test_confirmed_and_rejected(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    witness = tmp_path / "witness.yml"
    assert verify(program, 1, witness) == 1
    capsys.readouterr()
    assert validate(program, 1, witness) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("abpress witness: confirmed (")
    assert f"{program}:5:5" in shown
    assert validate(program, 2, witness) == 1
    assert capsys.readouterr().out == (
        "abpress witness: rejected (no execution does what it says)\n"
    )


def test_a_proof_says_that_it_states_nothing(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    witness = tmp_path / "witness.graphml"
    assert verify(program, 2, witness) == 0
    assert "states no invariants" in capsys.readouterr().err
    assert "correctness_witness" in witness.read_text()
    assert validate(program, 2, witness) == 0
    capsys.readouterr()
    assert validate(program, 1, witness) == 1
    assert "the property is violated" in capsys.readouterr().out


def test_what_is_no_witness_is_bad_input(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    witness = tmp_path / "witness.yml"
    witness.write_text("- entry_type: nothing\n")
    assert validate(program, 1, witness) == 3
    assert capsys.readouterr().err == (
        f"{witness}:1:15: entry_type: 'nothing' is none of violation_sequence, invariant_set,"
        " ghost_instrumentation\n"
    )
    assert validate(program, 1, tmp_path / "missing.yml") == 3
