"""Where the solver gives up, a certificate is neither accepted nor rejected."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from abpress.cli.main import perform
from abpress.config import Config
from abpress.proof.certificate import Accepted, Certificate, Unchecked
from abpress.proof.check import check
from abpress.result import Verdict
from abpress.smt import prover
from abpress.smt.answer import Answer
from abpress.smt.prover import Prover
from abpress.verify.run import verify
from tests.proof.proofs import benchmark, proved, verdict

TASK = "atomics/gcc_message_passing_safe"


class Silent:
    """A solver that always gives up."""

    def __init__(self, encoding: str) -> None:
        self.entails = self.satisfiable = lambda *_: Answer.UNKNOWN


def give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the checker's solver answer nothing."""
    monkeypatch.setattr(prover, "Prover", Silent)


@pytest.fixture(scope="module", params=["none", "s-por", "source", "source+summaries"])
def c(request: pytest.FixtureRequest) -> Certificate:
    return proved(TASK, request.param)


def test_neither_accepted_nor_rejected(monkeypatch: pytest.MonkeyPatch, c: Certificate) -> None:
    assert isinstance(verdict(benchmark(TASK), c), Accepted)
    give_up(monkeypatch)
    with pytest.raises(Unchecked) as unchecked:
        check(benchmark(TASK), c)
    assert unchecked.value.reason.startswith("the solver gave up, so this is open: ")


def test_what_needs_no_solver_is_rejected(monkeypatch: pytest.MonkeyPatch, c: Certificate) -> None:
    give_up(monkeypatch)
    answer = verdict(benchmark(TASK), replace(c, nodes=()))
    assert answer == "there is no node 0"


def test_no_answer_is_no_verdict(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "x.c"
    file.write_text(_PROGRAM.format(guard="x == 7"), encoding="utf-8")
    config = Config.of(file, engine="abpress")
    assert verify(config).result.verdict is Verdict.TRUE
    give_up(monkeypatch)
    result = verify(config).result
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason.startswith("the proof could not be checked: the solver gave up")


def test_answers_and_statuses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A label is taken out without which two 32-bit factors have to be found."""
    file, proof = tmp_path / "x.c", tmp_path / "proof.json"
    guard = "(x == 7) & (a > 1) & (b > 1) & ((unsigned long long)a * b == 8939875030310293193ull)"
    file.write_text(_PROGRAM.format(guard=guard), encoding="utf-8")
    report = verify(Config.of(file, engine="abpress").but(certificate=True))
    assert report.certificate is not None
    data = json.loads(report.certificate)
    proof.write_text(json.dumps(data), encoding="utf-8")
    assert perform(["check-proof", str(proof), str(file)]) == 0
    assert capsys.readouterr().out.startswith("abpress proof: accepted")
    for node in data["nodes"]:
        node["label"] = []
    proof.write_text(json.dumps(data), encoding="utf-8")
    monkeypatch.setattr(prover, "Prover", partial(Prover, rlimit=100_000))
    assert perform(["check-proof", str(proof), str(file)]) == 2
    assert capsys.readouterr().out.startswith("abpress proof: unknown (the solver gave up")
    for node in data["nodes"]:
        node["expanded"] = {}
    proof.write_text(json.dumps(data), encoding="utf-8")
    assert perform(["check-proof", str(proof), str(file)]) == 1
    assert capsys.readouterr().out.startswith("abpress proof: rejected")


_PROGRAM = """\
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
unsigned x;
int main(void) {{
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  for (unsigned i = 0; i < __VERIFIER_nondet_uint(); i++)
    x = 2 * x;
  if ({guard})
    reach_error();
  return 0;
}}
"""
