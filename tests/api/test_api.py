"""The Python API: what users ask, what they get, and that importing it costs nothing."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import get_type_hints
from xml.etree import ElementTree

import pytest

import abpress
from abpress.api.asking import RunOptions, config_for
from abpress.config import MACHINE, PART_OF
from tests.cli.conftest import ROOT, environment

ACCOUNT = ROOT / "docs" / "examples" / "account.c"

RACE = """\
#include <pthread.h>
int x;
void *run(void *p) { x = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    x = 2;
    pthread_join(t, 0);
}
"""


def test_a_violation_has_its_execution_and_its_cause() -> None:
    result = abpress.verify(ACCOUNT, "unreach-call")
    assert not result
    assert result.verdict is abpress.Verdict.FALSE
    assert result.diagnosis is not None
    assert result.diagnosis.cause == "check then act"
    its = result["unreach-call"]
    assert its == result.violated
    assert its.place == abpress.Position(str(ACCOUNT), 32, 5, "main")
    last = its.trace[-1]
    assert (last.thread, last.line, last.violation) == ("main", 32, True)
    assert last.text == "assert(balance >= 0);"
    assert "reads balance=-1" in last.details
    assert {line.thread for line in its.trace} == {"main", "main.1", "main.2"}
    assert "18 balance -= x;" in its.shown_trace()
    assert max(map(len, its.shown_trace(60).splitlines())) <= 60
    assert result.certificate is None
    assert str(result) == f"unreach-call: false: {its.place}: assertion balance >= 0 fails"


def test_a_proof_has_a_certificate_that_is_checked(tmp_path: Path) -> None:
    locked = ["LOCKED"]
    result = abpress.verify(str(ACCOUNT), "unreach-call", defines=locked, certificate=True)
    assert result
    assert (result.reason, result.trace, result.violated) == ("", (), None)
    assert result.assumptions
    file = tmp_path / "proof.json"
    assert result.write_certificate(file)
    proof = file.read_text(encoding="utf-8")
    assert proof == result.certificate
    checked = abpress.check_proof(proof, ACCOUNT, defines=locked)
    assert checked
    assert checked.properties == ("unreach-call",)
    assert checked.assumptions == result.assumptions
    other = abpress.check_proof(proof, ACCOUNT)
    assert not other
    assert other.rejected
    assert "another program" in other.reason


def test_a_text_is_a_program_and_every_property_is_asked() -> None:
    result = abpress.verify(RACE, ["no-data-race", "no-deadlock,unreach-call"])
    assert [its.name for its in result] == ["no-data-race", "no-deadlock", "unreach-call"]
    assert result["no-data-race"].verdict is abpress.Verdict.FALSE
    assert result["no-deadlock"]
    assert not result
    place = result["no-data-race"].place
    assert place is not None
    assert (place.file, place.line) in {("source.c", 3), ("source.c", 7)}
    with pytest.raises(KeyError):
        result["valid-free"]


def test_several_files_are_one_program(tmp_path: Path) -> None:
    a, b = tmp_path / "a.c", tmp_path / "b.c"
    a.write_text("extern int x; int main(void) { if (x != N) reach_error(); }\n")
    b.write_text("int x = N;\n")
    assert abpress.verify([a, b], "unreach-call", defines=["N=3"])
    with pytest.raises(abpress.InputError, match="there is no file"):
        abpress.verify([], "unreach-call")


def test_a_limit_is_a_reason_and_no_proof() -> None:
    result = abpress.verify(ACCOUNT, "unreach-call", defines=["LOCKED"], time_limit=0.01)
    assert result.verdict is abpress.Verdict.UNKNOWN
    assert not result
    assert "time limit" in result.reason
    assert not result.write_certificate("/nowhere/at/all")


def test_what_cannot_be_read_is_an_exception_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(abpress.InputError, match=r"^source\.c:2:11: syntax error") as error:
        abpress.verify("int main(void) {\n return 0 }\n")
    assert error.value.position == abpress.Position("source.c", 2, 11)
    with pytest.raises(abpress.UnsupportedError) as unsupported:
        abpress.verify("int main(void) {\n _Complex double x = 1;\n return x > 0; }\n")
    assert unsupported.value.position is not None
    assert unsupported.value.position.line == 2
    with pytest.raises(abpress.InputError, match="no such file"):
        abpress.verify(tmp_path / "missing.c")
    with pytest.raises(abpress.InputError, match="neither a file nor one of"):
        abpress.verify(RACE, "no-dada-race")
    assert issubclass(abpress.UnsupportedError, abpress.AbPressError)


def test_options_are_those_of_the_command() -> None:
    types = get_type_hints(RunOptions)
    assert len(types) > 15
    assert set(types) <= set(PART_OF)
    config = config_for("x.c", "no-data-race", {"include_dirs": ["a"], "time_limit": 3})
    assert config.program.include_dirs == (Path("a"),)
    assert (config.bounds.time_limit, config.question.named) == (3, "no-data-race")
    assert config.program.data_model == MACHINE
    for wrong in ({"speed": 9}, {"engine": 3}, {"defines": "A"}, {"file": "x"}):
        with pytest.raises(TypeError):
            config_for("x.c", "no-data-race", wrong)


def test_a_stop_by_the_user_is_an_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("abpress.verify.run.Programs.of", stopped)
    with pytest.raises(KeyboardInterrupt):
        abpress.verify(RACE)


IMPORT = """\
import sys
import tomllib
import abpress
print(*sorted(name for name in sys.modules if name.startswith("abpress")))
import abpress.verify.load
from abpress.verify.run import verify
print(abpress.verify("int main(void) { }", "unreach-call"))
"""


def test_to_import_it_loads_next_to_nothing_and_the_function_stays_one() -> None:
    """`abpress.verify` is a package, too, whatever of it is imported."""
    asked = [sys.executable, "-c", IMPORT]
    run = subprocess.run(asked, capture_output=True, text=True, env=environment(), check=False)
    assert run.stdout.splitlines() == [
        "abpress abpress.verify abpress.version",
        "unreach-call: true",
    ], run.stderr


def test_names_are_complete() -> None:
    assert set(abpress.__all__) <= set(dir(abpress))
    assert all(getattr(abpress, name) is not None for name in abpress.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = abpress.nothing  # type: ignore[attr-defined]


@pytest.mark.parametrize("page", ["docs/python.md", "abpress/__init__.py"])
def test_the_examples_of_the_page_are_so(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried > 1


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert abpress.__version__ == project["version"]


def test_it_writes_what_the_command_writes(tmp_path: Path) -> None:
    result = abpress.verify(ACCOUNT, "unreach-call")
    assert result.write_witness(tmp_path / "witness.yml")
    asked = [sys.executable, "-m", "abpress", "validate", tmp_path / "witness.yml", ACCOUNT]
    run = subprocess.run(asked, capture_output=True, text=True, env=environment(), check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    page = result.write_report(tmp_path / "pages" / "account")
    assert page == tmp_path / "pages" / "account" / "index.html"
    assert "check then act" in page.read_text()
    result.write_sarif(tmp_path / "account.sarif")
    runs = json.loads((tmp_path / "account.sarif").read_text())["runs"]
    assert runs[0]["results"][0]["ruleId"] == "unreach-call"
    result.write_junit(tmp_path / "account.xml")
    suite = ElementTree.parse(tmp_path / "account.xml").getroot()
    assert [case.find("failure") is not None for case in suite.iter("testcase")] == [True]


def test_a_witness_of_a_proof_states_invariants_if_asked(tmp_path: Path) -> None:
    file = ROOT / "tests" / "programs" / "causes" / "lost_update_lock_released.c"
    proved = abpress.verify(file, "no-data-race", certificate=True)
    assert proved.write_witness(tmp_path / "bare.yml", invariants_time=0)
    assert "invariant_set" in (tmp_path / "bare.yml").read_text()
    with pytest.raises(ValueError, match="no format 'yaml'"):
        proved.write_witness(tmp_path / "other.yml", format="yaml")
    assert not (tmp_path / "other.yml").exists()


def test_of_no_verdict_and_of_a_text_there_is_no_witness(tmp_path: Path) -> None:
    unknown = abpress.verify(ACCOUNT, "unreach-call", engine="abpress", time_limit=0.001)
    assert unknown.verdict is abpress.Verdict.UNKNOWN
    assert not unknown.write_witness(tmp_path / "unknown.yml")
    with pytest.raises(abpress.UnsupportedError, match="in no file"):
        abpress.verify(RACE, "no-data-race").write_witness(tmp_path / "text.yml")
    assert list(tmp_path.iterdir()) == []
