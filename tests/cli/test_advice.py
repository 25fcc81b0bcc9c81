"""What is said of an unknown answer: how far the run has come, what made it large, what to try."""

from __future__ import annotations

import shlex
from dataclasses import replace

import pytest

from abpress.cli.advice import advice
from abpress.cli.main import build_parser
from abpress.result import Alarm, Soundness, proved, undecided
from abpress.verify.run import PropertyAnswer, Report

from .conftest import Command

COUNTERS = """\
#include <assert.h>
#include <pthread.h>
unsigned count, other;
void *work(void *unused) {
  for (;;) {
    count++;
  }
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  while (count != 1000000) { other ^= 1; assert(other < 2); }
  return 0;
}
"""


KEPT = "a b, after 1,234 executions"


def unknown(reason: str, *others: str, engine: str = "auto", **numbers: str) -> Report:
    answers = [PropertyAnswer(undecided("unreach-call", reason, numbers), engine, "none")]
    done = (proved(name, Soundness(), True, {}) for name in others)
    return Report((*answers, *(PropertyAnswer(its, engine, "none") for its in done)), {})


@pytest.mark.parametrize(
    ("report", "words", "tried"),
    [
        (
            unknown("time limit of 10 s"),
            "verify --time-limit 10s --workers 2 a.c -- --time-limit 1",
            ["verify --time-limit 40s --workers 2 a.c -- --time-limit 1"],
        ),
        (
            unknown("more than 8 threads"),
            "verify --max-threads=8 'a b.c'",
            ["verify --max-threads 32 'a b.c'"],
        ),
        (
            unknown("recursion of f deeper than 10"),
            "verify a.c",
            ["verify --recursion-bound 40 a.c"],
        ),
        (
            unknown("arbitrary pointer: uninitialised argv at a.c:3:5"),
            "verify a.c",
            ["verify --any-arguments 2 a.c"],
        ),
        (unknown("memory limit of 90 MB"), "verify a.c", ["verify --engine stateless a.c"]),
        (
            unknown("gives up", "no-deadlock", engine="explicit"),
            "verify --engine explicit a.c",
            ["verify --engine auto a.c", "verify --property unreach-call --engine explicit a.c"],
        ),
        (unknown("unsupported: call of f"), "verify a.c", []),
        (
            unknown("time limit of 10 s", engine="stateless", checkpoint=KEPT),
            "explore --time-limit 10s --workers 2 --checkpoint 'a b' a.c",
            ["explore --time-limit 40s --resume 'a b' --workers 2 --checkpoint 'a b' a.c"],
        ),
        (
            unknown("interrupted", engine="stateless", checkpoint=KEPT),
            "explore --resume c --checkpoint 'a b' a.c",
            ["explore --resume 'a b' --checkpoint 'a b' a.c"],
        ),
    ],
    ids=[
        *("time", "threads", "recursion", "arguments", "memory", "engine", "unsupported"),
        *("kept", "interrupted"),
    ],
)
def test_what_to_try(report: Report, words: str, tried: list[str]) -> None:
    told = [line for line in advice(report, shlex.split(words)) if line.startswith("try: ")]
    assert told == [f"try: abpress {line}" for line in tried]
    for line in tried:
        build_parser(line.split()[0]).parse_args(shlex.split(line))


def test_an_engine_that_stopped_at_arguments_is_listened_to() -> None:
    engines = (
        "hunt unknown (its share is over), abpress unknown (pointer: uninitialised argv at a.c)"
    )
    for told, advised in ((engines, True), ("abpress unknown (gives up)", False)):
        result = undecided("unreach-call", "time limit of 10 s", {"engines": told})
        report = Report((PropertyAnswer(result, "auto", "none"),), {})
        tried = advice(report, ["verify", "a.c"])
        assert ("try: abpress verify --any-arguments 2 a.c" in tried) is advised


def test_the_property_that_was_asked_is_named() -> None:
    alarm = Alarm("valid-deref", "an access may be invalid", (), ())
    results = (
        undecided("unreach-call", "time limit of 10 s"),
        replace(undecided("no-data-race", "time limit of 10 s"), alarms=(alarm, alarm)),
        replace(undecided("valid-deref", "time limit of 10 s"), alarms=(alarm,)),
    )
    report = Report(tuple(PropertyAnswer(its, "auto", "none") for its in results), {})
    for words, tried in (
        ("a.c", "valid-deref"),
        ("--property=no-data-race --property=valid-deref a.c", "no-data-race"),
        ("--property unreach-call --property no-data-race a.c", "unreach-call"),
    ):
        told = advice(report, shlex.split(f"verify --workers 2 {words}"))
        file = "--workers 2 a.c"
        assert (
            told[1:3]
            == [
                f"try: abpress verify --property {tried} {file}",
                f"try: abpress verify --alarms --property {tried} {file}",
            ][: len(told) - 1]
        )
        assert len(told) == 2 + (tried != "unreach-call")
        shown = advice(report, shlex.split(f"verify --workers 2 --alarms {words}"))
        assert len(shown) == 2


def test_more_workers_do_not_read_faster() -> None:
    told = advice(unknown("time limit of 6 s, while reading the program"), ["verify", "a.c"])
    assert told == ["try: abpress verify --time-limit 24s a.c"]


def test_nothing_is_advised_of_an_answer() -> None:
    result = proved("unreach-call", Soundness(), True, {"states": 7})
    assert advice(Report((PropertyAnswer(result, "explicit", "none"),), {}), ["verify"]) == []


def test_what_made_the_states_many(abpress: Command, tmp_path) -> None:
    file = tmp_path / "program.c"
    file.write_text(COUNTERS)
    limited = ("--property", "unreach-call", "--core=python", "--time-limit", "3s")
    run = abpress("verify", file, "--engine", "explicit", *limited)
    told = run.out.splitlines()
    values = next(line for line in told if "variables with the most values" in line)
    assert values.partition(": ")[2].startswith("count ")
    assert "other 2" in values
    loops = next(line for line in told if "in the loop at" in line)
    assert f"{file}:6 " in loops
    threads = next(line for line in told if "threads by their states" in line)
    assert {"main", "main.1"} <= set(threads.split())
    assert run.data["advice"] == told[1:-2]
    assert run.data["advice"][0].startswith("covered: ")
    assert "advice" not in abpress("verify", file, "--engine", "static", "--quiet").out
