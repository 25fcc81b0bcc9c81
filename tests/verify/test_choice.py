"""The rules by which `auto` shares its time: which features they read, and what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from abpress.config import EQUATIONS, Config
from abpress.ir.program import Program
from abpress.verify.choice import RULES, SOON, ProgramFeatures, chosen, explained, guesses
from abpress.verify.load import load

_THREAD = """
#include <pthread.h>
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
unsigned n, x; int *a;
void *f(void *p) { BODY return 0; }
int main(void) {
  pthread_t t;
  START
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return x;
}
"""


def program_of(folder: Path, body: str, start: str) -> Program:
    file = folder / "program.c"
    file.write_text(_THREAD.replace("BODY", body).replace("START", start), encoding="utf-8")
    return load(Config.of(file, property="unreach-call")).program


def features(folder: Path, body: str, start: str) -> ProgramFeatures:
    return ProgramFeatures.of(program_of(folder, body, start), 256)


@pytest.mark.parametrize(
    ("body", "start", "expected", "rule"),
    [
        ("x++;", "", ProgramFeatures(True, False, 0, 0, 2, 1), "looks finite"),
        (
            "for (unsigned i = 0; i < n; i++) x += a[i];",
            "n = __VERIFIER_nondet_uint(); a = malloc(n * sizeof(int));",
            ProgramFeatures(False, True, 1, 1, 2, 1),
            "arrays of unknown size",
        ),
        (
            "for (unsigned i = 0; i < n; i++) x++;",
            "n = __VERIFIER_nondet_uint();",
            ProgramFeatures(False, True, 1, 0, 2, 1),
            "loops over wide inputs",
        ),
        (
            "x += n;",
            "n = __VERIFIER_nondet_uint(); pthread_create(&t, 0, f, 0); x = 2; return 0;",
            ProgramFeatures(False, True, 0, 0, 2, 1),
            "anything else",
        ),
        (
            "x++;",
            "while (__VERIFIER_nondet_uint()) pthread_create(&t, 0, f, 0);",
            ProgramFeatures(False, True, 1, 0, None, None),
            "threads created for ever",
        ),
        (
            "x++;",
            "for (int i = 0; i < 3; i++) pthread_create(&t, 0, f, 0);",
            ProgramFeatures(True, False, 1, 0, None, 3),
            "threads created in loops, looks finite",
        ),
        (
            "x++;",
            "for (int i = 0; i < 12; i++) pthread_create(&t, 0, f, 0);",
            ProgramFeatures(True, False, 1, 0, None, 12),
            "some more threads",
        ),
    ],
)
def test_features_and_their_rule(
    tmp_path: Path, body: str, start: str, expected: ProgramFeatures, rule: str
) -> None:
    found = features(tmp_path, body, start)
    assert found == expected
    assert chosen(found).name.startswith(rule)


def test_one_thread_is_enumerated_soon() -> None:
    rule = chosen(ProgramFeatures(True, False, 1, 0, 1, 0))
    assert rule.name.startswith("one thread")
    assert rule.early.of_left < chosen(ProgramFeatures(True, False, 1, 0, 2, 1)).early.of_left


def test_every_program_has_a_rule() -> None:
    assert RULES[-1].fits(ProgramFeatures(False, True, 9, 9, None, None))


@pytest.mark.parametrize(
    ("body", "chosen"),
    [
        ("if (x < n) { x = x + 1; a[n] = a[x - 1]; }", True),
        ("for (unsigned i = 0; i < n; i++) if (i + 1 < x) a[x] = a[i];", True),
        ("for (unsigned i = 0; i < n; i++) a[i] = a[x];", True),
        ("for (unsigned i = 0; i < n; i++) { a[i] = a[x]; x++; }", False),
        ("for (unsigned i = 0; i < n; i++) x += a[i];", False),
        ("for (unsigned i = n; i < x; i++) a[i] = a[i + 1];", False),
        ("if (a[x] < a[n]) x++;", False),
    ],
)
def test_equations_are_guessed_by_what_indices_are_for(
    tmp_path: Path, body: str, chosen: bool
) -> None:
    program = program_of(tmp_path, body, "a = malloc(n * sizeof(int));")
    assert [its.name for its in guesses(program)] == ([EQUATIONS] if chosen else [])


def test_the_choice_is_told(tmp_path: Path) -> None:
    rule = chosen(features(tmp_path, "x++;", ""))
    command = [sys.executable, "-m", "abpress", "verify", str(tmp_path / "program.c")]
    options = ["--property", "unreach-call", "--explain-choice", "--quiet"]
    process = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    told = process.stdout + process.stderr
    assert "choice: threads: 2" in told
    assert f"choice: rule: {rule.name}" in told


def test_a_hunt_that_waits_for_facts_is_told(tmp_path: Path) -> None:
    program = program_of(
        tmp_path, "x++;", "while (__VERIFIER_nondet_uint()) pthread_create(&t, 0, f, 0);"
    )
    told = "\n".join(explained(program, Config.of(tmp_path / "program.c")))
    assert f"the first hunt, which waits up to {SOON.most:g} s for facts" in told


def test_guesses_are_told(tmp_path: Path) -> None:
    body = "if (x < n) { x = x + 1; a[n] = a[x - 1]; }"
    start = "n = __VERIFIER_nondet_uint(); a = malloc(n * sizeof(int));"
    file = tmp_path / "program.c"
    for its, said in ((body, f"{EQUATIONS}, as two variables"), ("x = x + a[n];", "bounds only")):
        told = list(explained(program_of(tmp_path, its, start), Config.of(file)))
        assert any(f"guesses for clauses: {said}" in line for line in told), told
