"""Waypoints at branchings: `switch`, `?:` and loops in YAML, and conditions with `&&` and `||` in
GraphML. Each right witness has wrong ones beside it, which are rejected. NOTE(observing-code)"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from abpress.config import Config
from abpress.verify.witnesses.validate import WitnessAnswer, WitnessExpectation, validate
from tests.verify.witnesses.test_witness_traps import answer, violation, waypoint

CONFIRMED, REJECTED, UNKNOWN = (
    WitnessAnswer.CONFIRMED,
    WitnessAnswer.REJECTED,
    WitnessAnswer.UNKNOWN,
)

CHOICES = """\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int k = 0;
  switch (n) {
  case 1:
    switch (k) { case 0: k = 1; }
    break;
  case 2:
  case 5 ... 7:
    k = 2;
    break;
  default:
    k = 3;
  }
  int r = k == 2 ? 10 : k == 3 ? 20 : 30;
  int s = r - 20 ?: 7;
  do {
    s--;
  } while (s > 100);
  if (k == 9)
    k = n ? 1 : 2;
  if (r == 10) {
    reach_error();
  }
  return 0;
}
"""
SWITCH, NESTED, CHOSEN, ELVIS, DO, WHILE, DEAD, ERROR = 6, 8, 17, 18, 19, 21, 23, 25


def at(line: int, value: str, column: int = 0, action: str = "follow") -> dict[str, Any]:
    """A segment with a branching."""
    location = {"file_name": "p.c", "line": line} | ({"column": column} if column else {})
    return waypoint("branching", line, value, location=location, action=action)


def column(text: str, line: int, program: str = CHOICES) -> int:
    """Where a text begins last in a line, from 1 on."""
    return program.split("\n")[line - 1].rindex(text) + 1


BRANCHINGS = {
    "a case": ([at(SWITCH, "2")], CONFIRMED),
    "a case by its column": ([at(SWITCH, "2", 3)], CONFIRMED),
    "a number in a range of cases": ([at(SWITCH, "6")], CONFIRMED),
    "a number in hexadecimal": ([at(SWITCH, "0x7")], CONFIRMED),
    "a wrong case": ([at(SWITCH, "1")], REJECTED),
    "a number that is no case": ([at(SWITCH, "4")], REJECTED),
    "the default": ([at(SWITCH, "default")], REJECTED),
    "two cases of one switch": ([at(SWITCH, "2"), at(SWITCH, "6")], REJECTED),
    "a switch inside of the wrong case": ([at(NESTED, "0"), at(SWITCH, "2")], REJECTED),
    "true of a switch": ([at(SWITCH, "true")], UNKNOWN),
    "a variable as a case": ([at(SWITCH, "k")], UNKNOWN),
    "a case of a condition": ([at(24, "2")], UNKNOWN),
    "a choice": ([at(CHOSEN, "true")], CONFIRMED),
    "a choice by its column": ([at(CHOSEN, "true", 18)], CONFIRMED),
    "a wrong choice": ([at(CHOSEN, "false")], REJECTED),
    "a choice inside that is not made":
        ([at(CHOSEN, "false", column("?", CHOSEN))], REJECTED),
    "a choice where its condition begins": ([at(CHOSEN, "true", 11)], UNKNOWN),
    "a choice without a first operand": ([at(ELVIS, "true")], CONFIRMED),
    "the second operand of such a choice": ([at(ELVIS, "false")], REJECTED),
    "the end of a do loop": ([at(DO, "false")], CONFIRMED),
    "the end of a do loop at its while": ([at(WHILE, "false")], CONFIRMED),
    "the end, twice": ([at(DO, "false"), at(WHILE, "false")], REJECTED),
    "another round of a do loop": ([at(WHILE, "true")], REJECTED),
    "a choice in dead code": ([at(DEAD, "true")], REJECTED),
    "in their order": ([at(SWITCH, "5"), at(CHOSEN, "true"), at(ELVIS, "true")], CONFIRMED),
    "out of their order": ([at(CHOSEN, "true"), at(SWITCH, "5")], REJECTED),
}  # fmt: skip


@pytest.mark.parametrize("version", ["2.0", "2.1"])
@pytest.mark.parametrize("name", BRANCHINGS)
def test_branchings_are_followed(tmp_path: Path, name: str, version: str) -> None:
    segments, standing = BRANCHINGS[name]
    told = violation(*segments, waypoint("target", ERROR))
    assert answer(tmp_path, CHOICES, told, version=version) is standing


AVOIDED = {
    "the other cases": ([at(SWITCH, "default"), at(SWITCH, "1"), at(SWITCH, "2")], CONFIRMED),
    "all numbers of the error": ([at(SWITCH, v) for v in ("2", "5", "6", "7")], REJECTED),
    "the wrong choice": ([at(CHOSEN, "false"), at(ELVIS, "false")], CONFIRMED),
    "the right choice": ([at(CHOSEN, "true")], REJECTED),
    "the value of the condition": ([at(ELVIS, "true")], REJECTED),
}


@pytest.mark.parametrize("name", AVOIDED)
def test_branchings_are_avoided(tmp_path: Path, name: str) -> None:
    avoided, standing = AVOIDED[name]
    target = waypoint("target", ERROR)
    for segment in reversed(avoided):
        segment["segment"][0]["waypoint"]["action"] = "avoid"
        target["segment"].insert(0, segment["segment"][0])
    assert answer(tmp_path, CHOICES, violation(target), version="2.0") is standing


TYPED = """\
extern void reach_error(void);
extern {result} __VERIFIER_nondet_{type}(void);
enum colour {{ RED = 3, BLUE }};
int main(void) {{
  {result} x = __VERIFIER_nondet_{type}();
  switch (x) {{
  case {label}:
    reach_error();
  case BLUE: ;
  }}
  return 0;
}}
"""


@pytest.mark.parametrize(
    "result, type, label, value, standing",
    [
        ("unsigned int", "uint", "-1", "-1", CONFIRMED),
        ("unsigned int", "uint", "-1", "4294967295u", CONFIRMED),
        ("unsigned int", "uint", "-1", "default", REJECTED),
        ("unsigned char", "uchar", "255", "-1", REJECTED),
        ("signed char", "char", "'a'", "'a'", CONFIRMED),
        ("signed char", "char", "'a'", "97", CONFIRMED),
        ("long long", "longlong", "1LL << 40", "1099511627776", CONFIRMED),
        ("long long", "longlong", "1LL << 40", "0", REJECTED),
        ("int", "int", "RED", "3", CONFIRMED),
        ("int", "int", "RED", "4", REJECTED),
    ],
)
def test_cases_are_compared_as_the_switch_does(
    tmp_path: Path, result: str, type: str, label: str, value: str, standing: WitnessAnswer
) -> None:
    program = TYPED.format(result=result, type=type, label=label)
    assert answer(tmp_path, program, violation(at(6, value), waypoint("target", 8))) is standing


SHARED = """\
#include <pthread.h>
extern void reach_error(void);
_Atomic int x;
int seen;
void *f(void *a) {
  switch (x) {
  case 2:
    seen = 1;
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 1;
  x = x == 1 ? 2 : 3;
  pthread_join(t, 0);
  if (seen)
    reach_error();
  return 0;
}
"""
STARTS = waypoint("function_enter", 14, thread_id=0)


def by(thread: int, segment: dict[str, Any]) -> dict[str, Any]:
    """The segment with a thread."""
    data = segment["segment"][0]["waypoint"] | {"thread_id": thread}
    return {"segment": [{"waypoint": data}]}


@pytest.mark.parametrize(
    "segments, standing",
    [
        ([by(0, at(16, "true")), by(1, at(6, "2"))], CONFIRMED),
        ([by(1, at(6, "2")), by(0, at(16, "true"))], REJECTED),
        ([by(0, at(16, "true")), by(0, at(6, "2"))], REJECTED),
        ([by(1, at(16, "true")), by(1, at(6, "2"))], REJECTED),
        ([by(0, at(16, "true")), by(1, at(6, "1"))], REJECTED),
        ([by(0, at(16, "true")), by(1, at(6, "default"))], REJECTED),
        ([by(0, at(16, "false")), by(1, at(6, "2"))], REJECTED),
    ],
)
def test_threads_branch(
    tmp_path: Path, segments: list[dict[str, Any]], standing: WitnessAnswer
) -> None:
    told = violation(STARTS, *segments, waypoint("target", 19, thread_id=0))
    assert answer(tmp_path, SHARED, told) is standing


# -- GraphML: lines, whose conditions are those of some control-flow graph -------------------------

JOINED = """\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a == 1 && b == 2)
    reach_error();
  int c = a == 3 || b == 4;
  if (c)
    reach_error();
  int d = a == 5 ? 1 : 0;
  if (!(d == 0 && b == 6) && d)
    reach_error();
  switch (a) { case 8: if (b == 8) reach_error(); }
  return 0;
}
"""


def graph(*edges: tuple[int, str]) -> str:
    """A violation witness of JOINED whose edges are lines, with the value of a condition."""
    data = {
        "witness-type": "violation_witness",
        "programfile": "p.c",
        "specification": "CHECK( init(main()), LTL(G ! call(reach_error())) )",
        "architecture": "64bit",
    }
    nodes = "".join(f'<node id="N{k}"/>' for k in range(1, len(edges)))
    steps = "".join(
        f'<edge source="N{k}" target="N{k + 1}"><data key="startline">{line}</data>'
        + (f'<data key="control">condition-{value}</data>' if value else "")
        + "</edge>"
        for k, (line, value) in enumerate(edges)
    )
    return (
        '<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph>'
        + "".join(f'<data key="{key}">{value}</data>' for key, value in data.items())
        + '<node id="N0"><data key="entry">true</data></node>'
        + f'{nodes}<node id="N{len(edges)}"><data key="violation">true</data></node>'
        + f"{steps}</graph></graphml>"
    )


GRAPHS = {
    "both operands": ([(5, "true"), (5, "true"), (6, "")], CONFIRMED),
    "the whole condition": ([(5, "true"), (6, "")], CONFIRMED),
    "the whole condition is false": ([(5, "false"), (6, "")], REJECTED),
    "the second operand is false": ([(5, "true"), (5, "false"), (6, "")], REJECTED),
    "the second operand is false, and the next error":
        ([(5, "true"), (5, "false"), (9, "")], CONFIRMED),
    "no second operand": ([(5, "false"), (5, "true"), (9, "")], REJECTED),
    "too many operands": ([(5, "true")] * 4 + [(6, "")], REJECTED),
    "operands of a value": ([(7, "false"), (7, "true"), (8, "true"), (9, "")], CONFIRMED),
    "both are false": ([(7, "false"), (7, "false"), (8, "true"), (9, "")], REJECTED),
    "a wrong branch behind a value": ([(7, "true"), (8, "false"), (9, "")], REJECTED),
    "a choice": ([(10, "true"), (12, "")], CONFIRMED),
    "a wrong choice": ([(10, "false"), (12, "")], REJECTED),
    "operands of a negation": ([(11, "true"), (12, "")], UNKNOWN),
    "a switch": ([(13, "true"), (13, "")], UNKNOWN),
    "no condition": ([(4, "true"), (6, "")], UNKNOWN),
}  # fmt: skip


@pytest.mark.parametrize("name", GRAPHS)
def test_conditions_of_graphs_are_those_of_operands_too(tmp_path: Path, name: str) -> None:
    edges, standing = GRAPHS[name]
    file, witness = tmp_path / "p.c", tmp_path / "w.graphml"
    file.write_text(JOINED)
    witness.write_text(graph(*edges))
    config = Config.of(file, time_limit=60.0)
    assert validate(config, witness, WitnessExpectation(any_hash=True)).standing is standing
