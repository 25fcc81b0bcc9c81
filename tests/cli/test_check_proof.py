"""The contract of `abpress verify --certificate` and `abpress check-proof`."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Command

PROGRAM = """\
#include <assert.h>
#include <pthread.h>
int x, y;
void *worker(void *arg) {
  x = LIMIT;
  y = x + 1;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  int seen = x;
  assert(seen == 0 || seen == 3);
  return 0;
}
"""


def written(folder: Path, limit: int = 3) -> Path:
    file = folder / f"program{limit}.c"
    file.write_text(PROGRAM.replace("LIMIT", str(limit)), encoding="utf-8")
    return file


def test_written_and_accepted(abpress: Command, tmp_path: Path) -> None:
    file, proof = written(tmp_path), tmp_path / "proof.json"
    run = abpress("verify", "--engine", "abpress", "--certificate", proof, file)
    assert (run.status, run.verdict) == (0, "true")
    assert run.data["engine"] == "abpress"
    again = abpress("check-proof", proof, file)
    assert again.status == 0, again.out + again.err
    assert again.out.startswith("abpress proof: accepted (unreach-call)\n")


def test_moved_programs_are_the_same(abpress: Command, tmp_path: Path) -> None:
    file, proof = written(tmp_path), tmp_path / "proof.json"
    abpress("verify", "--certificate", proof, file)
    moved = tmp_path / "elsewhere.c"
    moved.write_text("\n\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    assert abpress("check-proof", proof, moved).status == 0


def test_rejected(abpress: Command, tmp_path: Path) -> None:
    file, proof = written(tmp_path), tmp_path / "proof.json"
    abpress("verify", "--certificate", proof, file)
    text = proof.read_text(encoding="utf-8")
    other = abpress("check-proof", proof, written(tmp_path, 4))
    assert other.status == 1
    assert other.out.startswith("abpress proof: rejected (it is for another program")
    assert abpress("check-proof", proof, file, "--data-model", "ILP32").status == 1
    proof.write_text(text[: len(text) // 2], encoding="utf-8")
    cut = abpress("check-proof", proof, file)
    assert cut.status == 1
    assert cut.out.startswith("abpress proof: rejected (the file is damaged")
    proof.write_text("[]", encoding="utf-8")
    assert abpress("check-proof", proof, file).status == 1


def test_no_certificate_without_a_proof(abpress: Command, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    run = abpress("verify", "--certificate", proof, written(tmp_path, 4))
    assert run.status == 1
    assert not proof.exists()


def test_an_engine_without_certificates(abpress: Command, tmp_path: Path) -> None:
    file, proof = written(tmp_path), tmp_path / "proof.json"
    run = abpress("verify", "--engine", "explicit", "--certificate", proof, file)
    assert run.status == 3
    assert "certificate" in run.err
    assert not proof.exists()


def test_files_that_cannot_be_used(abpress: Command, tmp_path: Path) -> None:
    file = written(tmp_path)
    missing = abpress("check-proof", tmp_path / "missing", file)
    assert missing.status == 3
    assert "cannot read the certificate" in missing.err
    nowhere = abpress("verify", "--certificate", tmp_path / "no" / "folder", file)
    assert nowhere.status == 3
    assert "cannot write" in nowhere.err


OVERFLOW = """\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x;
int main(void) {
  int y = __VERIFIER_nondet_int();
  x = y + 1;
  if (x == -2147483647 - 1) reach_error();
  return 0;
}
"""


def test_assumptions_about_inputs(abpress: Command, tmp_path: Path) -> None:
    """Most values of the input do not overflow; one does."""
    file, proof = tmp_path / "overflow.c", tmp_path / "proof.json"
    file.write_text(OVERFLOW, encoding="utf-8")
    run = abpress("verify", "--engine", "abpress", "--certificate", proof, file)
    assert (run.status, run.verdict) == (0, "true")
    (assumption,) = run.data["assumptions"]
    assert assumption.startswith("no signed overflow")
    assert f"assuming: {assumption}\n" in abpress("check-proof", proof, file).out


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"input_domain": 256', '"input_domain": ' + "9" * 5000),
        ('"input_domain": 256', '"input_domain": ' + "9" * 4000),
        ('"input_domain": 256', '"input_domain": 1e999'),
        ('"input_domain": 256', '"input_domain": NaN'),
        ('"version": 1', '"version": ' + "[" * 500 + "]" * 500),
        ('"version": 1', '"version": ' + "[" * 100_000),
        ('"threads": ["main"', '"threads": ["main", "main.' + "1" * 5000 + '"'),
        ('"threads": ["main"', '"threads": ["main", "main.²"'),
        ('"property": "unreach-call"', '"property": "\\u001b[2J"'),
        ('"formulas": [', '"formulas": ["x:int == ' + "9" * 5000 + '",'),
    ],
    ids=range(10),
)
def test_out_of_measure(abpress: Command, tmp_path: Path, old: str, new: str) -> None:
    file, proof = tmp_path / "x.c", tmp_path / "proof.json"
    body = "int main(void) { if (x) reach_error(); }\n"
    file.write_text("extern void reach_error(void);\nint x;\n" + body)
    run = abpress("verify", file, "--engine", "abpress", "--certificate", proof)
    assert run.verdict == "true"
    text = proof.read_text()
    assert old in text
    proof.write_text(text.replace(old, new, 1))
    run = abpress("check-proof", proof, file)
    assert run.status == 1
    assert run.out.startswith("abpress proof: rejected (")
    assert len(run.out) < 400
    assert run.err == ""


def test_limits(abpress: Command, tmp_path: Path) -> None:
    file = tmp_path / "x.c"
    file.write_text("int x;\nint main(void) {\n" + "x = x + 1;\n" * 100_000 + "}\n")
    for arguments in (("check-proof", _proof(abpress, tmp_path), file), ("show", file)):
        run = abpress(*arguments, "--time-limit", "200ms")
        assert run.status == 2
        assert "time limit of 0.2 s" in run.out + run.err
        assert run.out in ("", "abpress proof: unknown (time limit of 0.2 s)\n")


def _proof(abpress: Command, tmp_path: Path) -> Path:
    small, proof = tmp_path / "small.c", tmp_path / "proof.json"
    small.write_text("int main(void) { return 0; }\n")
    assert abpress("verify", small, "--engine", "abpress", "--certificate", proof).status == 0
    return proof
