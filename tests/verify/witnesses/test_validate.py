"""Validation of standard witnesses: ours are confirmed, and wrong ones are not."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from abpress.config import Config
from abpress.errors import InputError
from abpress.result import Verdict
from abpress.verify.run import verify
from abpress.verify.witnesses.validate import (
    NOTHING_EXPECTED,
    Validation,
    WitnessAnswer,
    WitnessExpectation,
    validate,
)
from abpress.verify.witnesses.write import standard_witness, witness_text

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

RACE = """\
#include <pthread.h>
int x;
int ready;
void *f(void *a) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  ready = 1;
  pthread_create(&t, 0, f, 0);
  x = 2;
  pthread_join(t, 0);
  return 0;
}
"""

LOST_UPDATE = """\
#include <pthread.h>
extern void reach_error(void);
_Atomic int x;
void *f(void *a) {
  int y = x;
  x = y + 1;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (x != 2) {
    reach_error();
  }
  return 0;
}
"""

ASSERTION = LOST_UPDATE.replace("extern void reach_error(void);", "#include <assert.h>").replace(
    "if (x != 2) {\n    reach_error();\n  }", "assert(x == 2);\n\n"
)

INPUT = """\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n == 1234567) {
    reach_error();
  }
  return 0;
}
"""

OVERFLOW = """\
#include <pthread.h>
#include <limits.h>
_Atomic int x;
void *f(void *a) {
  x = INT_MAX;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int y = x;
  y = y + 1;
  pthread_join(t, 0);
  return y == 0;
}
"""

MEMORY = """\
#include <pthread.h>
#include <stdlib.h>
int *p;
pthread_mutex_t m;
void *f(void *a) {
  pthread_mutex_lock(&m);
  free(p);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  p = malloc(sizeof(int));
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  *p = 1;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
"""

DEADLOCK = """\
#include <pthread.h>
pthread_mutex_t a, b;
void *f(void *x) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(t, 0);
  return 0;
}
"""

LOCKED = """\
#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t m;
int used;
void *f(void *a) {
  pthread_mutex_lock(&m);
  used = used + 1;
  used = used - 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  if (used != 0) {
    reach_error();
  }
  pthread_mutex_unlock(&m);
  int i = 0;
  while (i < 3) {
    i++;
  }
  pthread_join(t, 0);
  return 0;
}
"""

VIOLATIONS = {
    "no-data-race": RACE,
    "unreach-call": LOST_UPDATE,
    "assertion": ASSERTION,
    "input": INPUT,
    "no-overflow": OVERFLOW,
    "valid-deref": MEMORY,
    "no-deadlock": DEADLOCK,
}
"""Property (or what is special of unreach-call) -> a program that violates it."""


class Tried:
    """A program in a file, with its witness."""

    def __init__(self, folder: Path, program: str, name: str, suffix: str = ".yml") -> None:
        self.file = folder / "program.c"
        self.file.write_text(program)
        self.witness = folder / f"witness{suffix}"
        known = name if name.startswith(("no-", "valid-", "unreach")) else "unreach-call"
        self.config = Config.of(self.file, property=known, time_limit=60.0)

    def write(
        self, format: str = "auto", verdict: Verdict = Verdict.FALSE, seconds: float = 0.0
    ) -> str:
        """Verifies, and writes the witness; returns its text. `seconds` are for invariants."""
        config = self.config.but(line_markers=False)
        report = verify(config)
        assert report.result.verdict is verdict, report.result.reason
        witness = standard_witness(config, report, seconds)
        assert witness is not None
        text = witness_text(witness, format, self.witness.suffix, NOW)
        self.witness.write_text(text)
        return text

    def change(self, old: str, new: str) -> Tried:
        """The witness with another text in the place of one that it has."""
        text = self.witness.read_text()
        assert old in text
        self.witness.write_text(text.replace(old, new))
        return self

    def validate(self, expected: WitnessExpectation = NOTHING_EXPECTED) -> Validation:
        """The answer for the witness."""
        return validate(Config.of(self.file, time_limit=60.0), self.witness, expected)


def entries(tried: Tried) -> Any:
    """The data of a witness in YAML."""
    return yaml.safe_load(tried.witness.read_text())


@pytest.mark.parametrize("name", VIOLATIONS)
def test_our_violations_are_confirmed(tmp_path: Path, name: str) -> None:
    tried = Tried(tmp_path, VIOLATIONS[name], name)
    tried.write()
    found = tried.validate()
    assert found.standing is WitnessAnswer.CONFIRMED, found.reason
    assert found.trace is not None


@pytest.mark.parametrize("format", ["yaml-2.0", "yaml-2.1", "yaml-2.2"])
def test_each_version_of_yaml_is_confirmed(tmp_path: Path, format: str) -> None:
    tried = Tried(tmp_path, RACE, "no-data-race")
    tried.write(format)
    (entry,) = entries(tried)
    assert entry["metadata"]["format_version"] == format.removeprefix("yaml-")
    waypoints = [w["waypoint"] for s in entry["content"] for w in s["segment"]]
    assert any("thread_id" in w for w in waypoints) == (format == "yaml-2.2")
    assert tried.validate().standing is WitnessAnswer.CONFIRMED


def test_graphml_is_confirmed(tmp_path: Path) -> None:
    tried = Tried(tmp_path, LOST_UPDATE, "unreach-call", ".graphml")
    tried.write()
    assert tried.validate().standing is WitnessAnswer.CONFIRMED


def test_a_race_ends_with_both_accesses(tmp_path: Path) -> None:
    tried = Tried(tmp_path, RACE, "no-data-race")
    tried.write()
    *_, last = entries(tried)[0]["content"]
    targets = {
        (w["waypoint"]["thread_id"], w["waypoint"]["location"]["line"]) for w in last["segment"]
    }
    assert targets == {(0, 12), (1, 5)}


def test_an_input_is_told_and_has_to_be_that(tmp_path: Path) -> None:
    tried = Tried(tmp_path, INPUT, "input")
    assert "\\result == 1234567" in tried.write()
    tried.change("\\result == 1234567", "\\result != 1234567")
    assert tried.validate().standing is WitnessAnswer.REJECTED


def test_what_is_written_depends_on_nothing_but_the_time(tmp_path: Path) -> None:
    tried = Tried(tmp_path, LOST_UPDATE, "unreach-call")
    first = tried.write()
    assert tried.write() == first
    config = tried.config.but(line_markers=False)
    witness = standard_witness(config, verify(config))
    assert witness is not None
    later = witness_text(witness, "auto", ".yml", datetime(2027, 1, 1, tzinfo=UTC))
    assert later.replace("2027-01-01T00:00:00Z", "2026-01-02T03:04:05Z") == first


def test_a_target_that_is_not_reached_is_rejected(tmp_path: Path) -> None:
    tried = Tried(tmp_path, LOST_UPDATE, "unreach-call")
    tried.write()
    tried.file.write_text(LOST_UPDATE.replace("x != 2", "x != 2 && x > 2"))
    assert tried.validate(WitnessExpectation(any_hash=True)).standing is WitnessAnswer.REJECTED


def test_another_target_is_not_confirmed(tmp_path: Path) -> None:
    tried = Tried(tmp_path, RACE, "no-data-race")
    tried.write("yaml-2.0")
    data = entries(tried)
    location = data[0]["content"][-1]["segment"][0]["waypoint"]["location"]
    location |= {"line": 10, "column": 3, "function": "main"}
    tried.witness.write_text(yaml.safe_dump(data))
    assert tried.validate().standing is not WitnessAnswer.CONFIRMED


def test_an_assumption_that_never_holds_is_rejected(tmp_path: Path) -> None:
    tried = Tried(tmp_path, LOST_UPDATE, "unreach-call")
    tried.write()
    data = entries(tried)
    assumption = next(
        w["waypoint"]
        for s in data[0]["content"]
        for w in s["segment"]
        if w["waypoint"]["type"] == "assumption"
    )
    assumption["constraint"]["value"] = "x == 7"
    tried.witness.write_text(yaml.safe_dump(data))
    assert tried.validate().standing is WitnessAnswer.REJECTED


def test_what_is_to_be_avoided_is_not_passed(tmp_path: Path) -> None:
    tried = Tried(tmp_path, INPUT, "input")
    tried.write()
    data = entries(tried)
    branch = {
        "type": "branching",
        "action": "avoid",
        "constraint": {"value": "true"},
        "location": {"file_name": "program.c", "line": 5},
    }
    data[0]["content"][-1]["segment"].insert(0, {"waypoint": branch})
    tried.witness.write_text(yaml.safe_dump(data))
    assert tried.validate().standing is WitnessAnswer.REJECTED
    branch["constraint"] = {"value": "false"}
    tried.witness.write_text(yaml.safe_dump(data))
    assert tried.validate().standing is WitnessAnswer.CONFIRMED


ROUNDS = """\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = 0;
  while (__VERIFIER_nondet_int() == 7) {
    n++;
  }
  if (n == 2) {
    reach_error();
  }
  return 0;
}
"""


def test_a_waypoint_is_as_it_says_when_it_is_first_met(tmp_path: Path) -> None:
    """That the loop is left is followed first, then that it is not: it is left once only. That it
    is left, and then the branch, would be so of an execution with two rounds, if it did not count
    that it goes on at first."""
    tried = Tried(tmp_path, ROUNDS, "unreach-call")
    tried.write()
    data = entries(tried)
    target = data[0]["content"][-1]

    def answer(*branches: tuple[int, str]) -> Validation:
        data[0]["content"] = [
            {
                "segment": [
                    {
                        "waypoint": {
                            "type": "branching",
                            "action": "follow",
                            "constraint": {"value": value},
                            "location": {"file_name": "program.c", "line": line},
                        }
                    }
                ]
            }
            for line, value in branches
        ] + [target]
        tried.witness.write_text(yaml.safe_dump(data))
        return tried.validate()

    assert answer((5, "true"), (5, "true"), (5, "false")).standing is WitnessAnswer.CONFIRMED
    assert answer((5, "false"), (5, "true")).standing is WitnessAnswer.REJECTED
    only_later = answer((5, "false"), (8, "true"))
    assert only_later.standing is WitnessAnswer.REJECTED
    assert "comes to a waypoint before" in only_later.reason


# -- correctness ---------------------------------------------------------------------------------


def invariants(tried: Tried, *stated: tuple[str, int, str], ghosts: Any = None) -> Tried:
    """The witness of the proof, with these invariants: kind, line and expression."""
    tried.write(verdict=Verdict.TRUE)
    data = entries(tried)
    data[0]["content"] = [
        {
            "invariant": {
                "type": kind,
                "location": {"file_name": "program.c", "line": line},
                "value": value,
                "format": "c_expression",
            }
        }
        for kind, line, value in stated
    ]
    if ghosts is not None:
        data[0]["metadata"]["format_version"] = "2.1"
        ghost = {"entry_type": "ghost_instrumentation", "metadata": data[0]["metadata"]}
        data.insert(0, ghost | {"content": ghosts})
    tried.witness.write_text(yaml.safe_dump(data, sort_keys=False))
    return tried


def test_our_proof_is_confirmed(tmp_path: Path) -> None:
    tried = Tried(tmp_path, LOCKED, "unreach-call")
    tried.write(verdict=Verdict.TRUE)
    assert tried.validate().standing is WitnessAnswer.CONFIRMED


@pytest.mark.parametrize(
    "kind, line, value, standing",
    [
        ("loop_invariant", 21, "0 <= i && i <= 3", WitnessAnswer.CONFIRMED),
        ("loop_invariant", 21, "i < 3", WitnessAnswer.REJECTED),
        ("location_invariant", 21, "i == 0", WitnessAnswer.CONFIRMED),
        ("location_invariant", 16, "used == 0", WitnessAnswer.CONFIRMED),
        ("location_invariant", 15, "used == 0", WitnessAnswer.REJECTED),
        ("location_invariant", 22, "i >= 0", WitnessAnswer.CONFIRMED),
        ("location_invariant", 22, "i + 2147483647 > 0", WitnessAnswer.UNKNOWN),
    ],
)
def test_invariants_are_checked(
    tmp_path: Path, kind: str, line: int, value: str, standing: WitnessAnswer
) -> None:
    tried = invariants(Tried(tmp_path, LOCKED, "unreach-call"), (kind, line, value))
    assert tried.validate().standing is standing, tried.validate().reason


def test_a_false_invariant_is_rejected_with_an_execution(tmp_path: Path) -> None:
    tried = invariants(
        Tried(tmp_path, LOCKED, "unreach-call"), ("location_invariant", 15, "used == 0")
    )
    found = tried.validate()
    assert found.standing is WitnessAnswer.REJECTED
    assert "program.c:15: used == 0 does not hold" in found.reason
    assert found.trace is not None


def updates(*at: tuple[int, str]) -> dict[str, Any]:
    """A ghost variable that tells whether the mutex is held, with its updates."""
    return {
        "ghost_variables": [
            {
                "name": "m_locked",
                "scope": "global",
                "type": "int",
                "initial": {"value": "0", "format": "c_expression"},
            }
        ],
        "ghost_updates": [
            {
                "location": {"file_name": "program.c", "line": line},
                "updates": [{"variable": "m_locked", "value": value, "format": "c_expression"}],
            }
            for line, value in at
        ],
    }


def test_ghost_variables_are_written_with_their_statements(tmp_path: Path) -> None:
    held = ("location_invariant", 20, "m_locked || used == 0")
    right = updates((6, "1"), (9, "0"), (15, "1"), (19, "0"))
    tried = invariants(Tried(tmp_path, LOCKED, "unreach-call"), held, ghosts=right)
    assert tried.validate().standing is WitnessAnswer.CONFIRMED, tried.validate().reason
    forgotten = updates((15, "1"), (19, "0"))
    tried = invariants(Tried(tmp_path, LOCKED, "unreach-call"), held, ghosts=forgotten)
    assert tried.validate().standing is WitnessAnswer.REJECTED


def test_an_update_at_several_steps_is_not_understood(tmp_path: Path) -> None:
    several = updates((7, "1"))
    tried = invariants(
        Tried(tmp_path, LOCKED, "unreach-call"), ("location_invariant", 20, "1"), ghosts=several
    )
    assert tried.validate().standing is WitnessAnswer.UNKNOWN


# -- what is no witness of this program ---------------------------------------------------------


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("line: 16", "line: 160", "has fewer lines"),
        ("program.c", "other.c", "is for other.c, not for program.c"),
        ("reach_error()", "nothing()", "specification"),
        ("type: target", "type: tarmac", "'tarmac' is none of"),
        ("entry_type: violation_sequence", "entry_type: [", "not YAML"),
    ],
)
def test_a_wrong_witness_is_an_error_with_its_place(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    tried = Tried(tmp_path, LOST_UPDATE, "unreach-call")
    tried.write()
    tried.change(old, new)
    with pytest.raises(InputError, match=message) as raised:
        tried.validate()
    assert str(raised.value).startswith(f"{tried.witness}:")


def test_a_witness_of_another_content_is_an_error(tmp_path: Path) -> None:
    tried = Tried(tmp_path, LOST_UPDATE, "unreach-call")
    tried.write()
    tried.file.write_text(LOST_UPDATE + "\n")
    with pytest.raises(InputError, match="by its hash"):
        tried.validate()
    assert tried.validate(WitnessExpectation(any_hash=True)).standing is WitnessAnswer.CONFIRMED


def test_the_question_has_to_be_that_of_the_witness(tmp_path: Path) -> None:
    tried = Tried(tmp_path, LOST_UPDATE, "unreach-call")
    tried.write()
    config = Config.of(tried.file, property="no-data-race")
    with pytest.raises(InputError, match="is for unreach-call, not for no-data-race"):
        validate(config, tried.witness, WitnessExpectation(question=True))
    with pytest.raises(InputError, match="ILP32"):
        validate(config.but(data_model="ILP32"), tried.witness, WitnessExpectation(data_model=True))
