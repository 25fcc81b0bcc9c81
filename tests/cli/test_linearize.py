"""`abpress linearize`, run as users run it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Command

COUNTER = """\
static int count;
//@ operation
int take(void) { int old = count; count = old + 1; return old; }
//@ operation value: 1..3
void reset(int value) { count = value; }
"""

EMPTY = (
    "#include <assert.h>\nstatic int x;\n//@ operation\nint take(void) { assert(!x); return 0; }\n"
)


@pytest.fixture
def counter(tmp_path: Path) -> Path:
    file = tmp_path / "counter.c"
    file.write_text(COUNTER, encoding="utf-8")
    return file


def data(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def test_a_bad_client(abpress: Command, counter: Path, tmp_path: Path) -> None:
    written = tmp_path / "out.json"
    client = "take() || take()"
    run = abpress("linearize", counter, "--client", client, "--json", written)
    assert (run.status, run.verdict) == (1, "false(results)")
    assert f"client 1: {client}\nforbidden: results that no sequential order gives" in run.out
    assert "├ take() = 0 " in run.out
    assert "thread  call    seen  allowed (2 combinations)" in run.out
    assert "counter.c:3 int take" in run.out
    (its,) = data(written)["clients"]
    assert its["answer"] == "forbidden"
    assert its["allowed"] == [[0, 1], [1, 0]]
    assert [call["result"] for call in its["history"]] in ([0, 0], [1, 1])
    assert its["trace"]["steps"]
    assert "reach_error" in its["program"]


def test_good_clients(abpress: Command, counter: Path) -> None:
    run = abpress("linearize", counter, "--client", "take(); take()", "--client", "reset(2)")
    assert (run.status, run.verdict) == (0, "true")
    assert "for the clients that were checked" in run.out


def test_what_an_answer_rests_on(abpress: Command, tmp_path: Path) -> None:
    file = tmp_path / "sum.c"
    file.write_text(
        "static int sum = 2147483646;\n//@ operation\nvoid up(void) { sum = sum + 1; }\n",
        encoding="utf-8",
    )
    written = tmp_path / "out.json"
    run = abpress("linearize", file, "--client", "up(); up()", "--json", written)
    assert (run.status, run.verdict) == (0, "true")
    assert "assuming: no signed overflow (possible at " in run.out
    creation, overflow = data(written)["assumptions"]
    assert creation.startswith("no failure of pthread_create")
    assert overflow.startswith("no signed overflow")


def test_the_same_seed_gives_the_same(abpress: Command, counter: Path, tmp_path: Path) -> None:
    clients = []
    for seed in (3, 3, 4):
        written = tmp_path / "out.json"
        arguments = ("--threads", "2", "--calls", "3", "--sample", "4", "--seed", str(seed))
        run = abpress("linearize", counter, *arguments, "--json", written, "--quiet")
        verdict, assumed = run.out.splitlines()
        assert verdict.startswith("abpress verdict: ")
        assert assumed.startswith("assuming: ")
        clients.append([(its["client"], its["answer"]) for its in data(written)["clients"]])
    assert clients[0] == clients[1] != clients[2]


def test_all_clients_and_the_first_error(abpress: Command, counter: Path, tmp_path: Path) -> None:
    written = tmp_path / "out.json"
    size = ("--threads", "2", "--calls", "2", "--values", "1", "--json", written)
    assert abpress("linearize", counter, "--all", *size).status == 1
    every = [its["answer"] for its in data(written)["clients"]]
    assert len(every) == 3
    assert abpress("linearize", counter, "--all", "--first-error", *size).status == 1
    assert [its["answer"] for its in data(written)["clients"]] == every[
        : every.index("forbidden") + 1
    ]


def test_clients_are_kept(abpress: Command, counter: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    abpress("linearize", counter, "--client", "take() || take()", "--output", kept)
    run = abpress("verify", kept / "client-1.c")
    assert (run.status, run.verdict) == (1, "false(unreach-call)")


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("int f(void);", (), ":1:1: no function is annotated as an operation"),
        ("//@ operation\nint f(void);", (), "call of the undefined function 'f'"),
        (COUNTER, ("--calls", "2"), "3 threads with 2 calls"),
        (COUNTER, ("--share", "all"), "--focus and --share go together"),
        (COUNTER, ("--client", "give()"), "has no operation 'give'"),
        (COUNTER, ("--spec", "missing.c"), "missing.c: no such file"),
        (EMPTY.replace("!x", "x"), (), "the sequential reference fails"),
    ],
)
def test_bad_input(
    abpress: Command, tmp_path: Path, text: str, arguments: tuple[str, ...], message: str
) -> None:
    file = tmp_path / "library.c"
    file.write_text(text, encoding="utf-8")
    written = tmp_path / "out.json"
    run = abpress("linearize", file, *arguments, "--json", written)
    assert run.status == 3, run
    assert message in run.err
    assert data(written)["verdict"] == "unknown"


def test_limits(abpress: Command, counter: Path, tmp_path: Path) -> None:
    written = tmp_path / "out.json"
    run = abpress("linearize", counter, "--time-limit", "1ms", "--json", written)
    assert run.status == 2
    assert run.verdict == "unknown (time limit of 0.001 s)"
    assert data(written)["clients"] == []
    client = " || ".join(["take(); take(); take()"] * 3)
    run = abpress("linearize", counter, "--memory-limit", "1MB", "--client", client)
    assert run.status == 2
    assert "memory limit" in run.verdict
