"""Properties that are asked together have the verdicts that each has alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.proof.assumptions import DEFINED
from abpress.properties import GROUPS, PROPERTIES, property_key
from abpress.result import Verdict
from abpress.verify.certify import check_proof
from abpress.verify.run import Report, verify
from tests.sampling import in_turn, sample

TEXT = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x, a[4];
pthread_mutex_t m, n;
void *t(void *p) {
  pthread_mutex_lock(&m); pthread_mutex_lock(&n); x++;
  pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t h;
  int *p = malloc(sizeof(int));
  pthread_create(&h, 0, t, 0);
  BEFORE
  pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);
  pthread_join(h, 0);
  AFTER
  return 0; }
"""

PROGRAMS = {
    "right": ("", "assert(x == 2); free(p);"),
    "race": ("x++;", "assert(x > 3); free(p);"),
    "deadlock": (
        "pthread_mutex_lock(&n); pthread_mutex_lock(&m);"
        " pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);",
        "free(p);",
    ),
    "lost": ("", "p = 0; assert(x != 2);"),
    "bounds": ("", "a[2 * x] = 1; assert(x != 2); free(p);"),
    "overflow": ("", "x += 2147483646; assert(x < 0); free(p);"),
    "freed twice": ("", "free(p); if (x == 2) free(p);"),
}

VIOLATED = {
    "right": set(),
    "race": {"unreach-call", "no-data-race"},
    "deadlock": {"no-deadlock", "no-partial-deadlock"},
    "lost": {"unreach-call", "valid-memtrack"},
    "bounds": {"valid-deref"},
    "overflow": {"no-overflow"},
    "freed twice": {"valid-free"},
}

HUNT_STEPS = 2_000
"""What is undefined leaves properties open, for which there are long hunts."""


def asked(folder: Path, name: str, engine: str, *properties: str) -> Report:
    before, after = PROGRAMS[name]
    file = folder / "program.c"
    file.write_text(TEXT.replace("BEFORE", before).replace("AFTER", after))
    config = Config.of(file, properties=properties, engine=engine, time_limit=60.0)
    return verify(config.but(hunt_steps=HUNT_STEPS))


@pytest.mark.parametrize(
    ("name", "engine"), in_turn([*PROGRAMS], ["explicit", "abpress", "stateless"])
)
def test_together_and_alone(name: str, engine: str, tmp_path: Path) -> None:
    together = asked(tmp_path, name, engine, *PROPERTIES)
    results = [answer.result for answer in together.answers]
    asked_alone = sample(results, 2, [*PROGRAMS].index(name) % 2)
    for result in results:
        if result.verdict is not Verdict.FALSE and result not in asked_alone:
            continue
        if result.reason.startswith("unsupported"):
            continue
        alone = asked(tmp_path, name, engine, result.property).result
        if DEFINED in alone.assumptions and result.reason.startswith("undefined behaviour"):
            continue  # what is assumed alone is known not to be so together
        assert result.verdict is alone.verdict, (result.property, result.reason, alone.reason)
        assert result.verdict is not Verdict.FALSE or result.property in VIOLATED[name]


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_that_is_violated_is_found_by_default(name: str, tmp_path: Path) -> None:
    report = asked(tmp_path, name, "auto", *PROPERTIES)
    results = {answer.result.property: answer.result for answer in report.answers}
    assert tuple(results) == tuple(PROPERTIES)
    false = {p for p, result in results.items() if result.verdict is Verdict.FALSE}
    assert false >= VIOLATED[name]
    assert (report.result.verdict is Verdict.TRUE) is (not VIOLATED[name])


def test_undefined_behaviour_withholds_true_and_shows_its_execution(tmp_path: Path) -> None:
    report = asked(tmp_path, "bounds", "explicit", "unreach-call", "valid-deref")
    reach, deref = (answer.result for answer in report.answers)
    assert (reach.verdict, deref.verdict) == (Verdict.UNKNOWN, Verdict.FALSE)
    assert reach.reason.endswith("(see valid-deref)")
    assert reach.trace == deref.trace


FREED_IN_A_THREAD = """
#include <pthread.h>
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int *p;
void *t(void *a) { *p = 1; return 0; }
int main(void) {
  pthread_t h;
  p = malloc(sizeof *p);
  pthread_create(&h, 0, t, 0);
  INPUT
  free(p);
  pthread_join(h, 0);
  return 0; }
"""


def test_nobody_looks_for_more_where_all_executions_were_followed(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(FREED_IN_A_THREAD.replace("INPUT", ""))
    asks = ("valid-free", "valid-deref", "unreach-call")
    report = verify(Config.of(file, properties=asks, engine="auto"))
    verdicts = [answer.result.verdict for answer in report.answers]
    assert verdicts == [Verdict.UNKNOWN, Verdict.FALSE, Verdict.UNKNOWN]
    told = str(report.answers[0].result.statistics["engines"])
    assert "explicit" in told
    assert "hunt" not in told


def test_others_look_where_executions_were_lost_beside_undefined_behaviour(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    wide = "if (__VERIFIER_nondet_int() == 987654321) reach_error();"
    file.write_text(FREED_IN_A_THREAD.replace("INPUT", wide))
    asks = ("valid-deref", "unreach-call")
    report = verify(Config.of(file, properties=asks, engine="auto"))
    assert [answer.result.verdict for answer in report.answers] == [Verdict.FALSE] * 2


def test_one_certificate_for_what_one_tree_proves(tmp_path: Path) -> None:
    report = asked(tmp_path, "right", "abpress", "unreach-call", "valid-deref", "no-overflow")
    assert report.result.verdict is Verdict.TRUE
    assert report.certificate is not None
    accepted = check_proof(Config.of(tmp_path / "program.c"), report.certificate)
    names = {name for its in accepted for name in its.property.split(",")}
    assert names == {"unreach-call", "valid-deref", "no-overflow"}


def test_a_property_file_of_several_lines(tmp_path: Path) -> None:
    file = tmp_path / "x.prp"
    parts = GROUPS["valid-memsafety"]
    lines = (f"CHECK( init(main()), LTL({PROPERTIES[part].ltl}) )" for part in parts)
    file.write_text("\n".join(lines))
    assert property_key(str(file)) == "valid-memsafety"
