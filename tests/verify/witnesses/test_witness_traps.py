"""Witnesses and programs that try to have something confirmed that is not so.
NOTE(observing-code)"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from abpress.config import Config
from abpress.errors import AbPressError
from abpress.verify.witnesses.validate import WitnessAnswer, WitnessExpectation, validate

THREADS = """\
#include <pthread.h>
extern void reach_error(void);
int x, y;
pthread_mutex_t m;
"""


def task(specification: str, version: str) -> dict[str, Any]:
    """The metadata of a witness for p.c."""
    return {
        "format_version": version,
        "uuid": "00000000-0000-0000-0000-000000000000",
        "creation_time": "2026-01-01T00:00:00Z",
        "producer": {"name": "test", "version": "0"},
        "task": {
            "input_files": ["p.c"],
            "input_file_hashes": {"p.c": "0" * 64},
            "specification": f"CHECK( init(main()), LTL({specification}) )",
            "data_model": "LP64",
            "language": "C",
        },
    }


def answer(
    folder: Path,
    program: str,
    *entries: dict[str, Any],
    property: str = "call(reach_error())",
    version: str = "2.2",
) -> WitnessAnswer:
    """What is said of a witness with these entries."""
    file, witness = folder / "p.c", folder / "w.yml"
    file.write_text(program)
    formula = property if property.startswith("valid-") else f"! {property}"
    metadata = task(f"G {formula}", version)
    witness.write_text(yaml.safe_dump([entry | {"metadata": metadata} for entry in entries]))
    config = Config.of(file, time_limit=60.0)
    return validate(config, witness, WitnessExpectation(any_hash=True)).standing


def stated(line: int, value: str, column: int = 0, loop: bool = False) -> dict[str, Any]:
    """An invariant."""
    location: dict[str, Any] = {"file_name": "p.c", "line": line}
    if column:
        location["column"] = column
    kind = "loop_invariant" if loop else "location_invariant"
    invariant = {"type": kind, "location": location, "value": value, "format": "c_expression"}
    return {"entry_type": "invariant_set", "content": [{"invariant": invariant}]}


def ghost(*updates: tuple[int, str], name: str = "g", type: str = "int") -> dict[str, Any]:
    """A ghost variable with updates at lines."""
    variable = {
        "name": name,
        "scope": "global",
        "type": type,
        "initial": {"value": "0", "format": "c_expression"},
    }
    return {
        "entry_type": "ghost_instrumentation",
        "content": {
            "ghost_variables": [variable],
            "ghost_updates": [
                {
                    "location": {"file_name": "p.c", "line": line},
                    "updates": [{"variable": name, "value": value, "format": "c_expression"}],
                }
                for line, value in updates
            ],
        },
    }


def waypoint(type: str, line: int, value: str = "", **more: Any) -> dict[str, Any]:
    """A segment of one waypoint, which is followed if no other `action` is given."""
    data: dict[str, Any] = {
        "type": type,
        "action": "follow",
        "location": {"file_name": "p.c", "line": line},
    } | more
    if value:
        data["constraint"] = {"value": value, "format": "c_expression"}
    return {"segment": [{"waypoint": data}]}


def violation(*segments: dict[str, Any]) -> dict[str, Any]:
    """A violation witness."""
    return {"entry_type": "violation_sequence", "content": list(segments)}


MAIN = "int main(void) {{\n  int i = 0, n = 3;\n{}\n  return 0;\n}}\n"

UNHELD = [
    ("the last round", "  while (i < n)\n    i++;", stated(3, "i < n", loop=True)),
    ("a for loop", "  for (; i < n; i++)\n    ;", stated(3, "i < 3", loop=True)),
    ("a for loop without condition", "  for (;;)\n    if (i++ == n) break;",
     stated(3, "i < n", loop=True)),
    ("continue", "  while (i < n) {\n    i++;\n    if (i == 2) continue;\n  }",
     stated(3, "i != 2", loop=True)),
    ("an if without braces", "  if (n == 3)\n    i = 7;", stated(4, "i == 7")),
    ("an else without braces", "  if (n == 4)\n    i = 1;\n  else\n    i = 7;",
     stated(6, "i == 7")),
    ("a jump behind a label", "  goto l;\n  i = 1;\nl:\n  i = 2;", stated(6, "i == 1")),
    ("a case that is jumped to",
     "  switch (n) {\n  case 2:\n    i = 1;\n  case 3:\n    i = 2;\n  }", stated(7, "i == 1")),
    ("a declaration", "  int k = 5;\n  int l = k;", stated(4, "k == 6")),
    ("the second of a line", "  i = 1; i = 2;", stated(3, "i == 0", column=10)),
    ("a shadowed variable", "  { int i = 9;\n    n = i;\n  }", stated(4, "i == 0")),
    ("unsigned arithmetic", "  n = 1;", stated(3, "n - 4u < 0")),
]  # fmt: skip


@pytest.mark.parametrize("body, entry", [case[1:] for case in UNHELD], ids=[c[0] for c in UNHELD])
def test_what_does_not_hold_is_rejected(tmp_path: Path, body: str, entry: dict[str, Any]) -> None:
    assert answer(tmp_path, MAIN.format(body), entry) is WitnessAnswer.REJECTED


def test_who_jumps_to_a_label_may_be_meant_or_not(tmp_path: Path) -> None:
    program = MAIN.format("l: if (i < n) {\n    i++;\n    goto l;\n  }")
    assert answer(tmp_path, program, stated(3, "i == 0")) is WitnessAnswer.UNKNOWN
    assert answer(tmp_path, program, stated(3, "i == 0", column=4)) is WitnessAnswer.REJECTED
    assert answer(tmp_path, program, stated(3, "i <= 3")) is WitnessAnswer.CONFIRMED


HELD = [
    ("the value of a loop", "  while (i < n)\n    i++;", stated(3, "i <= n", loop=True)),
    ("a label", "  goto l;\n  i = 1;\nl:\n  i = 2;", stated(6, "i == 0")),
    ("dead code", "  if (n == 4)\n    i = 1;", stated(4, "i == 77")),
    ("a shadowed variable", "  { int i = 9;\n    n = i;\n  }", stated(4, "i == 9")),
    ("a cast", "  n = 1;", stated(3, "(long)(n + i) == 3L")),
]


@pytest.mark.parametrize("body, entry", [case[1:] for case in HELD], ids=[c[0] for c in HELD])
def test_what_holds_is_confirmed(tmp_path: Path, body: str, entry: dict[str, Any]) -> None:
    assert answer(tmp_path, MAIN.format(body), entry) is WitnessAnswer.CONFIRMED


@pytest.mark.parametrize(
    "value",
    [
        "1; i = 3",
        "i = 3",
        "i++ < 3",
        "reach_error()",
        "(reach_error)()",
        "__abp_passed == 1",
        "1) || (1",
        "({ 1; })",
        "nothing == 1",
        "",
    ],
)
def test_what_is_no_expression_that_only_reads_is_not_confirmed(tmp_path: Path, value: str) -> None:
    program = "extern void reach_error(void);\n" + MAIN.format("  n = i;\n  if (n) reach_error();")
    try:
        assert answer(tmp_path, program, stated(4, value)) is WitnessAnswer.UNKNOWN
    except AbPressError as error:
        assert error.position is not None
        assert error.position.file == str(tmp_path / "w.yml")


COUNT = f"""\
{THREADS}void *f(void *a) {{
  x = 1;
  x = 0;
  return 0;
}}
int main(void) {{
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  y = 1;
  pthread_join(t, 0);
  y = 2;
  return 0;
}}
"""


def test_other_threads_move_where_an_invariant_stands(tmp_path: Path) -> None:
    assert answer(tmp_path, COUNT, stated(13, "x == 0")) is WitnessAnswer.REJECTED
    assert answer(tmp_path, COUNT, stated(15, "x == 0")) is WitnessAnswer.CONFIRMED


def test_an_invariant_is_before_the_update_of_its_statement(tmp_path: Path) -> None:
    updated = ghost((13, "1"))
    assert answer(tmp_path, COUNT, updated, stated(13, "g == 0")) is WitnessAnswer.CONFIRMED
    assert answer(tmp_path, COUNT, updated, stated(14, "g == 0")) is WitnessAnswer.REJECTED
    assert answer(tmp_path, COUNT, updated, stated(14, "g == y")) is WitnessAnswer.CONFIRMED


def test_a_ghost_variable_is_none_of_the_program(tmp_path: Path) -> None:
    for name, type in (("x", "int"), ("t", "int"), ("g", "int x; int"), ("__abp_g", "int")):
        with pytest.raises(AbPressError):
            answer(tmp_path, COUNT, ghost((13, "0"), name=name, type=type), stated(15, "1"))


def test_a_ghost_variable_does_not_make_one_step_of_several(tmp_path: Path) -> None:
    program = COUNT.replace("  x = 1;\n  x = 0;", "  x = y + x;\n")
    assert answer(tmp_path, program, ghost((6, "1")), stated(15, "1")) is WitnessAnswer.UNKNOWN


STEPS = "pthread_mutex_t *chosen(int n) { x = 1; x = 0; return &m; } "
OWN = "void sem_post(int *p) { x = 1; x = 0; } "
SEVERAL = {
    "an argument that writes": ("", "pthread_mutex_lock((x = 1, x = 0, &m));"),
    "an argument that is a call": (STEPS, "pthread_mutex_lock(chosen(1));"),
    "an argument that is read": ("pthread_mutex_t *p = &m; ", "pthread_mutex_lock(p);"),
    "a function of its own": (OWN, "sem_post(&y);"),
    "a result that is written": ("", "x = pthread_mutex_trylock(&m);"),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_a_call_with_an_update_is_one_step_of_the_library(tmp_path: Path, name: str) -> None:
    defined, statement = SEVERAL[name]
    program = COUNT.replace("void *f", f"{defined}void *f").replace("  x = 1;\n  x = 0;", statement)
    its = ghost((program[: program.index(statement)].count("\n") + 1, "1"))
    line = program[: program.index("y = 1")].count("\n") + 1
    assert answer(tmp_path, program, its, stated(line, "x == 0")) is WitnessAnswer.UNKNOWN


CREATION = "pthread_create(&t, 0, f, 0);"


@pytest.mark.parametrize(
    "declared", ["", "static pthread_t t;", "pthread_t t; pthread_t *known = &t;"]
)
def test_where_the_id_of_a_thread_is_stored_may_be_seen(tmp_path: Path, declared: str) -> None:
    program = COUNT.replace("void *f", "pthread_t t; void *f").replace(
        "pthread_t t;\n", f"{declared}\n"
    )
    created = ghost((program[: program.index(CREATION)].count("\n") + 1, "1"))
    assert answer(tmp_path, program, created, stated(6, "t != 0")) is WitnessAnswer.UNKNOWN


def test_a_creation_that_stores_for_itself_is_one_step(tmp_path: Path) -> None:
    line = COUNT[: COUNT.index(CREATION)].count("\n") + 1
    created = ghost((line, "1"))
    assert answer(tmp_path, COUNT, created, stated(6, "g == 1")) is WitnessAnswer.CONFIRMED
    assert answer(tmp_path, COUNT, created, stated(line, "g == 1")) is WitnessAnswer.REJECTED


def test_a_call_of_the_library_is_one_step(tmp_path: Path) -> None:
    program = COUNT.replace("  x = 1;\n  x = 0;", "pthread_mutex_lock(&m);", 1)
    assert (
        answer(tmp_path, program, ghost((6, "1")), stated(6, "g == 0")) is WitnessAnswer.CONFIRMED
    )


ORDER = f"""\
{THREADS}void *f(void *a) {{
  x = 1;
  y = 1;
  return 0;
}}
int main(void) {{
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  if (x == 1) {{
    reach_error();
  }}
  return 0;
}}
"""
STARTS = [waypoint("function_enter", 12), waypoint("function_enter", 13)]
TARGET = waypoint("target", 15)


@pytest.mark.parametrize(
    "segments, standing",
    [
        ([TARGET], WitnessAnswer.CONFIRMED),
        ([*STARTS, TARGET], WitnessAnswer.CONFIRMED),
        ([*STARTS, waypoint("assumption", 7, "x == 1", thread_id=2), TARGET],
         WitnessAnswer.CONFIRMED),
        ([*STARTS, waypoint("assumption", 6, "y == 1", thread_id=2), TARGET],
         WitnessAnswer.CONFIRMED),
        ([*STARTS, waypoint("assumption", 7, "x == 0", thread_id=1), TARGET],
         WitnessAnswer.REJECTED),
        ([*STARTS, waypoint("assumption", 6, "1", thread_id=0), TARGET], WitnessAnswer.REJECTED),
        ([*STARTS, waypoint("assumption", 6, "1"), TARGET], WitnessAnswer.REJECTED),
        ([*reversed(STARTS), TARGET], WitnessAnswer.REJECTED),
        ([STARTS[0], STARTS[0], TARGET], WitnessAnswer.REJECTED),
        ([*STARTS, waypoint("branching", 14, "false"), TARGET], WitnessAnswer.REJECTED),
        ([*STARTS, waypoint("target", 15, thread_id=1)], WitnessAnswer.REJECTED),
        ([*STARTS, waypoint("target", 15, thread_id=3)], WitnessAnswer.UNKNOWN),
        ([*STARTS, waypoint("target", 6, thread_id=1)], WitnessAnswer.REJECTED),
        ([waypoint("assumption", 14, "x == 1"), waypoint("assumption", 14, "x == 1"), TARGET],
         WitnessAnswer.REJECTED),
    ],
)  # fmt: skip
def test_the_order_and_the_threads_of_waypoints_matter(
    tmp_path: Path, segments: list[dict[str, Any]], standing: WitnessAnswer
) -> None:
    assert answer(tmp_path, ORDER, violation(*segments)) is standing


def test_a_race_elsewhere_is_not_the_one_that_is_told(tmp_path: Path) -> None:
    race = "data-race"
    right = waypoint("target", 6, thread_id=1)
    right["segment"] += waypoint("target", 14, thread_id=0)["segment"]
    told = violation(*STARTS, right)
    assert answer(tmp_path, ORDER, told, property=race) is WitnessAnswer.CONFIRMED
    wrong = waypoint("target", 8, thread_id=1)
    told = violation(*STARTS, wrong)
    assert answer(tmp_path, ORDER, told, property=race) is not WitnessAnswer.CONFIRMED


def test_a_race_counts_only_behind_all_waypoints(tmp_path: Path) -> None:
    targets = waypoint("target", 6, thread_id=1)
    targets["segment"] += waypoint("target", 14, thread_id=0)["segment"]
    never = waypoint("assumption", 6, "y == 7", thread_id=1)
    told = violation(*STARTS, never, targets)
    assert answer(tmp_path, ORDER, told, property="data-race") is not WitnessAnswer.CONFIRMED


def test_two_threads_may_have_the_same_target(tmp_path: Path) -> None:
    targets = waypoint("target", 7, thread_id=1)
    targets["segment"] += waypoint("target", 7, thread_id=2)["segment"]
    told = violation(*STARTS, targets)
    program = ORDER.replace("  x = 1;", "  ;")
    assert answer(tmp_path, program, told, property="data-race") is WitnessAnswer.CONFIRMED


def test_a_function_that_fails_inside_of_the_target_is_not_overlooked(tmp_path: Path) -> None:
    program = "extern void reach_error(void);\nvoid g(int x) { if (x) reach_error(); }\n"
    told = violation(waypoint("target", 5))
    for body in ("  g(i);", "  g(n);"):
        assert answer(tmp_path, program + MAIN.format(body), told) is WitnessAnswer.UNKNOWN
    inside = violation(
        waypoint("target", 2, location={"file_name": "p.c", "line": 2, "column": 25})
    )
    assert answer(tmp_path, program + MAIN.format("  g(i);"), inside) is WitnessAnswer.REJECTED
    assert answer(tmp_path, program + MAIN.format("  g(n);"), inside) is WitnessAnswer.CONFIRMED
