"""Results in the formats of other tools."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from .conftest import Command
from .test_verify import DEADLOCK, SAFE, UNSAFE

RACE = ("--property", "no-data-race", "--property", "unreach-call")


def line_of(text: str, part: str) -> int:
    return 1 + text[: text.index(part)].count("\n")


@pytest.fixture
def sarif(abpress: Command, tmp_path: Path) -> Any:
    """Runs `verify` on a text and returns the run that SARIF tells."""

    def run(text: str, status: int, *options: str) -> Any:
        (tmp_path / "a.c").write_text(text)
        ran = abpress("verify", "a.c", *options, "--sarif", "a.sarif")
        assert ran.status == status, ran.err
        data = json.loads((tmp_path / "a.sarif").read_text(encoding="utf-8"))
        assert data["version"] == "2.1.0"
        (its,) = data["runs"]
        return its

    return run


def test_a_violation_is_a_failure_with_a_thread_flow_for_each_thread(sarif: Any) -> None:
    run = sarif(UNSAFE, 1)
    (result,) = run["results"]
    assert (result["ruleId"], result["kind"], result["level"]) == ("unreach-call", "fail", "error")
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert rule["id"] == "unreach-call"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a.c"
    assert place["region"]["startLine"] == line_of(UNSAFE, "assert(x == 2)")
    (flow,) = result["codeFlows"]
    threads = {its["id"]: its["locations"] for its in flow["threadFlows"]}
    assert {"main", "main.1", "main.2"} >= set(threads) > {"main.1"}
    orders = [step["executionOrder"] for steps in threads.values() for step in steps]
    assert sorted(orders) == list(range(1, len(orders) + 1))
    assert "lost update" in result["message"]["text"]
    last = max((s for steps in threads.values() for s in steps), key=lambda s: s["executionOrder"])
    assert last["importance"] == "essential"


def test_threads_that_wait_are_told(sarif: Any) -> None:
    (result,) = sarif(DEADLOCK, 1, "--property", "no-deadlock")["results"]
    related = [its["message"]["text"] for its in result["relatedLocations"]]
    assert related == ["main waits for n, held by main.1", "main.1 waits for m, held by main"]


def test_a_proof_passes_and_what_is_unknown_is_open(sarif: Any) -> None:
    (result,) = sarif(SAFE, 0)["results"]
    assert (result["kind"], result["level"]) == ("pass", "none")
    run = sarif(UNSAFE, 2, "--engine", "static", "--alarms")
    kinds = [its["kind"] for its in run["results"]]
    assert kinds == ["open", *["review"] * (len(kinds) - 1)]
    assert len(kinds) > 1
    assert not run["invocations"][0]["executionSuccessful"]


def test_junit_has_a_test_for_each_property(abpress: Command, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(UNSAFE)
    assert abpress("verify", "a.c", *RACE, "--junit", "a.xml").status == 1
    suites = ElementTree.parse(tmp_path / "a.xml").getroot()
    (suite,) = suites
    assert {key: suite.get(key) for key in ("name", "tests", "failures", "errors")} == {
        "name": "a.c",
        "tests": "2",
        "failures": "2",
        "errors": "0",
    }
    race, error = suite
    assert (race.get("name"), error.get("name")) == ("no-data-race", "unreach-call")
    failure = error.find("failure")
    assert failure is not None
    assert failure.text is not None
    assert "main.2" in failure.text
    message = failure.get("message") or ""
    assert message.startswith(f"a.c:{line_of(UNSAFE, 'assert(x == 2)')}:")


def test_junit_takes_unknown_for_an_error(abpress: Command, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(UNSAFE)
    assert abpress("verify", "a.c", "--engine", "static", "--junit", "a.xml").status == 2
    (case,) = ElementTree.parse(tmp_path / "a.xml").getroot().iter("testcase")
    assert case.find("failure") is None
    error = case.find("error")
    assert error is not None
    assert error.get("type") == "unknown"


def test_annotations_are_commands_in_one_line_each(abpress: Command, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(UNSAFE)
    ran = abpress("verify", "a.c", *RACE, "--github", "-")
    commands = [line for line in ran.out.splitlines() if line.startswith("::")]
    pattern = r"::error file=a\.c,line=(\d+),col=\d+,title=AbPress%3A ([\w-]+)::(.+)"
    matches = [re.fullmatch(pattern, command) for command in commands]
    assert [m[2] for m in matches if m] == ["no-data-race", "unreach-call"]
    assert matches[1] is not None
    assert int(matches[1][1]) == line_of(UNSAFE, "assert(x == 2)")
