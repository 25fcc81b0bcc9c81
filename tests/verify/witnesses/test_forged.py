"""Violation witnesses that tell of no execution, or that are none: none of them is confirmed, and
what is right beside them is. NOTE(observing-code)"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from abpress.config import Config
from abpress.errors import AbPressError
from abpress.verify.witnesses.validate import (
    NOTHING_EXPECTED,
    Validation,
    WitnessAnswer,
    WitnessExpectation,
    validate,
)
from tests.verify.witnesses.test_witness_traps import (
    ORDER,
    STARTS,
    answer,
    ghost,
    stated,
    violation,
    waypoint,
)

CONFIRMED, REJECTED, UNKNOWN = (
    WitnessAnswer.CONFIRMED,
    WitnessAnswer.REJECTED,
    WitnessAnswer.UNKNOWN,
)

ERROR = "extern void reach_error(void);\n"
INPUT = "extern int __VERIFIER_nondet_int(void);\n"


def program(body: str, before: str = "") -> str:
    """A program whose `main` has these lines; the first one is line 4."""
    return f"{ERROR}{INPUT}{before}int main(void) {{\n{body}  return 0;\n}}\n"


def together(*segments: dict[str, Any]) -> dict[str, Any]:
    """One segment of the waypoints of several."""
    return {"segment": [each for segment in segments for each in segment["segment"]]}


def standing(folder: Path, text: str, *entries: dict[str, Any], **more: Any) -> WitnessAnswer:
    """As `answer`; what is an error with a place in the witness is of no standing, and counts as
    UNKNOWN."""
    try:
        return answer(folder, text, *entries, **more)
    except AbPressError as error:
        assert error.position is not None
        assert error.position.file == str(folder / "w.yml")
        return UNKNOWN


FIVE = "  int x = nondet_int();\n  if (x == 5)\n    reach_error();\n"
TWICE = "  f();\n  reach_error();\n"
DEFINED = "int f(void) { return 2; } "
PLAIN = "  int x = 1;\n  x = 2;\n  reach_error();\n"
TWO_ERRORS = "  if (nondet_int() == 7)\n    reach_error();\n  reach_error();\n"
LABELS = "  int x = 3;\n  goto l;\n  x = 2;\nl: x = 1;\n  switch (x) {\n  case 1: x = 4;\n  }\n"

FORGED: dict[str, tuple[str, list[dict[str, Any]], WitnessAnswer]] = {
    "an input of a function that has a result of its own": (
        program(FIVE, "int nondet_int(void) { return 3; } "),
        [waypoint("function_return", 4, "\\result == 5"), waypoint("target", 6)],
        REJECTED,
    ),
    "an input of a function that is not defined": (
        program(FIVE, "extern int nondet_int(void); "),
        [waypoint("function_return", 4, "\\result == 5"), waypoint("target", 6)],
        CONFIRMED,
    ),
    "an input by a variable of that name": (
        program(
            "  int (*__VERIFIER_nondet_int)(void) = f; int x = __VERIFIER_nondet_int();\n"
            "  if (x == 5)\n    reach_error();\n",
            DEFINED,
        ),
        [waypoint("function_return", 4, "\\result == 5"), waypoint("target", 6)],
        REJECTED,
    ),
    "an error by a variable of that name": (
        program("  void (*reach_error)(void) = (void (*)(void))f;\n  reach_error();\n", DEFINED),
        [waypoint("target", 5)],
        REJECTED,
    ),
    "two calls for one": (
        program(TWICE, DEFINED),
        [waypoint("function_enter", 4), waypoint("function_enter", 4), waypoint("target", 5)],
        REJECTED,
    ),
    "two results of one call": (
        program(TWICE, DEFINED),
        [waypoint("function_return", 4, "\\result == 2")] * 2 + [waypoint("target", 5)],
        REJECTED,
    ),
    "a call and its result": (
        program(TWICE, DEFINED),
        [
            waypoint("function_enter", 4),
            waypoint("function_return", 4, "\\result == 2"),
            waypoint("target", 5),
        ],
        CONFIRMED,
    ),
    "an assumption beside the target": (
        program(PLAIN),
        [together(waypoint("assumption", 5, "x == 9"), waypoint("target", 6))],
        UNKNOWN,
    ),
    "two targets for one error": (
        program(TWO_ERRORS, "extern int nondet_int(void); "),
        [together(waypoint("target", 5, thread_id=0), waypoint("target", 6, thread_id=0))],
        UNKNOWN,
    ),
    "a target that is avoided": (
        program(PLAIN),
        [together(waypoint("target", 5, action="avoid"), waypoint("target", 6))],
        UNKNOWN,
    ),
    "a target behind the program": (
        program("  reach_error();\n") + "\n\n",
        [waypoint("target", 7)],
        UNKNOWN,
    ),
    "a target between two statements": (
        program("  reach_error();\n\n\n  int y;\n"),
        [waypoint("target", 5)],
        UNKNOWN,
    ),
    "a target in the middle of another statement": (
        program("  int before = 0; reach_error();\n"),
        [waypoint("target", 4, location={"file_name": "p.c", "line": 4, "column": 9})],
        REJECTED,
    ),
    "a target in the second line of its statement": (
        program("  (void)0,\n    reach_error();\n"),
        [waypoint("target", 5)],
        CONFIRMED,
    ),
    "a target that is not the first of its line": (
        program("  if (nondet_int() == 7) reach_error();\n", "extern int nondet_int(void); "),
        [waypoint("target", 4)],
        CONFIRMED,
    ),
    "a target in another function": (
        program(PLAIN, DEFINED),
        [waypoint("target", 6, location={"file_name": "p.c", "line": 6, "function": "f"})],
        UNKNOWN,
    ),
    "a constraint of a call": (
        program(TWICE, DEFINED),
        [waypoint("function_enter", 4, "0"), waypoint("target", 5)],
        UNKNOWN,
    ),
    "a thread that a function of the program does not create": (
        program(
            "  unsigned long t; int x = 1; pthread_create(&t, 0);\n  x = 2;\n  reach_error();\n",
            "int pthread_create(unsigned long *t, void *a) { *t = 1; return 0; } ",
        ),
        [
            waypoint("function_enter", 4),
            waypoint("assumption", 5, "x == 1", thread_id=1),
            waypoint("target", 6),
        ],
        UNKNOWN,
    ),
    "what is avoided where it is also followed": (
        program(PLAIN),
        [
            together(
                waypoint("assumption", 5, "x == 1", action="avoid"), waypoint("assumption", 5, "1")
            ),
            waypoint("target", 6),
        ],
        REJECTED,
    ),
    "a statement behind a label": (
        program(LABELS + "  reach_error();\n"),
        [
            waypoint("assumption", 7, "x == 3"),
            waypoint("assumption", 9, "x == 1"),
            waypoint("target", 11),
        ],
        CONFIRMED,
    ),
    "another value behind a label": (
        program(LABELS + "  reach_error();\n"),
        [waypoint("assumption", 7, "x == 2"), waypoint("target", 11)],
        REJECTED,
    ),
    "another value behind a case": (
        program(LABELS + "  reach_error();\n"),
        [waypoint("assumption", 9, "x == 3"), waypoint("target", 11)],
        REJECTED,
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_no_execution_is_made_of_a_witness(tmp_path: Path, name: str) -> None:
    text, segments, expected = FORGED[name]
    assert standing(tmp_path, text, violation(*segments)) is expected


CREATED_BY_POINTER = f"""\
#include <pthread.h>
{ERROR}int y;
void *f(void *a) {{
  y = y;
  return 0;
}}
int main(void) {{
  pthread_t t, u;
  int (*start)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = pthread_create;
  start(&t, 0, f, 0);
  start(&u, 0, f, 0);
  y = 1;
  reach_error();
  return 0;
}}
"""


def test_a_program_that_creates_threads_by_a_pointer_has_threads(tmp_path: Path) -> None:
    told = violation(waypoint("assumption", 5, "y == 1"), waypoint("target", 14))
    assert answer(tmp_path, CREATED_BY_POINTER, told, version="2.0") is CONFIRMED


RACE = """\
#include <pthread.h>
int x, y;
void *f(void *a) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  y = 2;
  pthread_join(t, 0);
  return x;
}
"""


@pytest.mark.parametrize("version", ["2.0", "2.2"])
def test_what_a_witness_reads_is_no_part_of_a_race(tmp_path: Path, version: str) -> None:
    for action in ("avoid", "follow"):
        reads = waypoint("assumption", 10, "x == 7", action=action)
        told = [waypoint("function_enter", 9), reads, waypoint("target", 4, thread_id=1)]
        if action == "avoid":
            told[1:] = [together(*told[1:])]
        its = violation(*told)
        assert standing(tmp_path, RACE, its, property="data-race", version=version) is not CONFIRMED


def test_targets_of_a_race_are_of_different_threads(tmp_path: Path) -> None:
    targets = together(*[waypoint("target", 6, thread_id=1)] * 2)
    told = violation(*STARTS, targets)
    assert standing(tmp_path, ORDER, told, property="data-race") is UNKNOWN


DO = program(
    "  int x = __VERIFIER_nondet_int(), y;\n  do {\n    y = 1;\n  } while (x + 1 > 9 && !y);\n"
)


def test_the_condition_of_a_do_loop_is_not_in_its_body(tmp_path: Path) -> None:
    for line, expected in ((5, CONFIRMED), (6, UNKNOWN), (4, UNKNOWN)):
        told = violation(waypoint("target", line))
        assert standing(tmp_path, DO, told, property="overflow") is expected


def test_a_ghost_variable_has_no_name_that_macros_or_headers_make(tmp_path: Path) -> None:
    pasted = (
        "#define V(n) g_##n\nint V(1);\nint main(void) {\n  V(1) = 7;\n  V(1);\n  return 0;\n}\n"
    )
    included = '#include "h.h"\n\nint main(void) {\n  up();\n  1;\n  return 0;\n}\n'
    (tmp_path / "h.h").write_text("int g_1;\nvoid up(void) { g_1 = 7; }\n")
    for text in (pasted, included):
        for line in (4, 5):
            its = ghost((line, "0"), name="g_1")
            assert standing(tmp_path, text, its, stated(6, "g_1 == 0")) is UNKNOWN


def test_invariants_and_updates_are_behind_labels(tmp_path: Path) -> None:
    """Who jumps there may not be meant: what fails there is no reason to reject."""
    text = program(LABELS)
    for line, value, wrong in ((7, "x == 3", "x == 2"), (9, "x == 1", "x == 3")):
        assert answer(tmp_path, text, stated(line, value)) is CONFIRMED
        assert answer(tmp_path, text, stated(line, wrong)) is UNKNOWN
        its = ghost((line, "1"))
        if line == 9:
            assert answer(tmp_path, text, its, stated(11, "g == 1")) is CONFIRMED
            assert answer(tmp_path, text, its, stated(11, "g == 0")) is REJECTED


# -- GraphML ---------------------------------------------------------------------------------------

LINES = program("  int x = __VERIFIER_nondet_int();\n  if (x == 5)\n    reach_error();\n")

Edge = dict[str, str]


def graph(
    folder: Path, text: str, *edges: Edge, hash: str = "0" * 64, any_hash: bool = True
) -> Validation:
    """What is said of a witness in GraphML whose path has these edges."""
    data = {
        "witness-type": "violation_witness",
        "programfile": "p.c",
        "programhash": hash,
        "specification": "CHECK( init(main()), LTL(G ! call(reach_error())) )",
        "architecture": "64bit",
    }
    path = "".join(
        f'<node id="N{k + 1}"/><edge source="N{k}" target="N{k + 1}">'
        + "".join(f'<data key="{key}">{value}</data>' for key, value in edge.items())
        + "</edge>"
        for k, edge in enumerate(edges)
    )
    last = f'<node id="N{len(edges)}"/>'
    path = path.replace(last, last.replace("/>", '><data key="violation">true</data></node>'))
    file, witness = folder / "p.c", folder / "w.graphml"
    file.write_text(text)
    witness.write_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph>'
        + "".join(f'<data key="{key}">{value}</data>' for key, value in data.items() if value)
        + f'<node id="N0"><data key="entry">true</data></node>{path}</graph></graphml>'
    )
    expected = WitnessExpectation(any_hash=True) if any_hash else NOTHING_EXPECTED
    return validate(Config.of(file, time_limit=60.0), witness, expected)


THERE = {"startline": "6"}
GRAPHS: dict[str, tuple[list[Edge], WitnessAnswer]] = {
    "the error": ([THERE], CONFIRMED),
    "a condition at the last edge": ([{"startline": "5", "control": "condition-true"}], CONFIRMED),
    "a wrong condition at the last edge":
        ([{"startline": "5", "control": "condition-false"}], REJECTED),
    "an assumption at the last edge": ([THERE | {"assumption": "x == 6"}], UNKNOWN),
    "a condition and an assumption":
        ([{"startline": "5", "control": "condition-true", "assumption": "x == 6"}, THERE], UNKNOWN),
    "a thread and an assumption":
        ([{"startline": "4", "createThread": "1", "assumption": "x == 6"}, THERE], UNKNOWN),
}  # fmt: skip


@pytest.mark.parametrize("name", GRAPHS)
def test_nothing_that_an_edge_says_is_left_out(tmp_path: Path, name: str) -> None:
    edges, expected = GRAPHS[name]
    one_line = LINES.replace("(x == 5)\n", "(x == 5)")
    text = one_line if name.endswith("condition at the last edge") else LINES
    assert graph(tmp_path, text, *edges).standing is expected


def test_a_witness_says_of_which_text_it_is(tmp_path: Path) -> None:
    with pytest.raises(AbPressError, match=r"no hash of p\.c; --any-hash"):
        graph(tmp_path, LINES, THERE, hash="", any_hash=False)
    assert graph(tmp_path, LINES, THERE, hash="").standing is CONFIRMED
