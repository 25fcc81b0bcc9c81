"""Lifetimes of local objects end with their blocks; every engine gives the same answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.errors import InputError
from abpress.result import Result
from abpress.verify.run import verify

ENGINES = ("explicit", "abpress", "stateless")

DEAD = (
    "int *p; { int x = 1; p = &x; } CHECK(*p == 1);",
    "int *p; for (int k = 0; k < 1; k++) p = &k; CHECK(*p == 1);",
    "int *p; while (1) { int x = 1; p = &x; break; } CHECK(*p == 1);",
    "int *p; { int x = 1; p = &x; goto out; } out: CHECK(*p == 1);",
    "int *p; { p = (int[]){1, 2}; } CHECK(*p == 1);",
    "int *p; if ((p = (int[]){4})) ; CHECK(*p == 4);",
    "int *p = ({ int x = 3; &x; }); CHECK(*p == 3);",
    "int *p; do { int x = 1; p = &x; } while (*p < 0);",
    "int *p = 0; for (int k = 0; k < 2; k += *p + 1) { int x = 0; p = &x; }",
    "int n = 2, *p; { int a[n]; a[0] = 1; p = a; } CHECK(*p == 1);",
    "int n = 2, *p; for (;;) { int a[n]; a[0] = 1; p = a; break; } CHECK(*p == 1);",
    "int k = 1, *q = 0; again:; if (k == 2) CHECK(*q == 1); int a[k]; a[0] = 1; q = a;"
    " if (k < 2) { k++; goto again; }",
    "int *p = block(1); CHECK(*p == 1);",
    "int *p = array(2); CHECK(*p == 1);",
    "pthread_t t; { int x = 1; pthread_create(&t, 0, add, &x); } pthread_join(t, 0);",
    "int n = -1; int a[n]; CHECK(sizeof a != 4);",
)
"""Uses after the end of the lifetime, and an array without elements."""

ALIVE = (
    "int *p; { p = (int[]){1, 2}; CHECK(p[1] == {2}); }",
    "struct s r = ({ struct s x = {1, 3}; struct s *p = &x; *p; }); CHECK(r.i == {3});",
    "int *p; goto in; { int x; in: p = &x; x = 4; CHECK(*p == {4}); }",
    "int k = 0, n = 0; goto in; for (; k < 3; k++) { int y; in: y = k; int *p = &y; n += *p; }"
    " CHECK(n == {3});",
    "int s = 0, k = 0; again: { int x = k; int *p = &x; s += *p; k++; if (k < 3) goto again; }"
    " CHECK(s == {3});",
    "int n = 0, c = 5; switch (c % 4) { case 0: do { int x; n++; case 3: x = 1; { int *p = &x;"
    " n += *p; } case 2: n++; case 1: n++; } while ((c -= 4) > 0); } CHECK(n == {5});",
    "int s = 0; for (int k = 0; k < 3; k++) switch (k) { int x; case 0: x = 1; case 1: x = 2;"
    " { int *p = &x; s += *p; } break; default: x = 3; { int *p = &x; s += *p; } }"
    " CHECK(s == {7});",
    "int k = 1, s = 0; again:; int a[k]; a[k - 1] = k; s += a[k - 1]; if (k < 3) { k++; goto"
    " again; } CHECK(s == {6});",
    "CHECK(inner(0) == 1); CHECK(inner(1) == {5});",
    "pthread_t t; int s = 0; for (int k = 0; k < 2; k++) { int x = k;"
    " pthread_create(&t, 0, add, &x); pthread_join(t, 0); s += x; } CHECK(s == {3});",
)
"""Uses within the lifetime; another number in place of the one in braces is wrong."""

AFRESH = (
    "for (int k = 0; k < 2; k++) { int x; int *q = &x; if (k == 0) x = 5; else CHECK(*q == 5); }",
    "for (int k = 1; k < 3; k++) { int a[k]; if (k == 1) a[0] = 5; else CHECK(a[0] == 5); }",
    "int n = 0; top:; int x; int *p = &x; if (n == 0) { *p = 7; n = 1; goto top; } CHECK(*p == 7);",
)
"""A lifetime that begins again has no value of the one before."""

HEAD = """
#include <pthread.h>
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
struct s { char c; int i; };
int *kept;
int *block(int a) { for (int k = 0; k < 2; k++) { int x = 1; kept = &x; if (a) return kept; }
  return 0; }
int *array(int n) { int a[n]; a[0] = 1; int *p = a; return p; }
int inner(int a) { for (int k = 0; k < 2; k++) { int x = k; kept = &x; if (a) return x + 5;
  if (k == 1) return *kept; } return 0; }
void *add(void *p) { *(int *)p += 1; return 0; }
"""


def result(directory: Path, body: str, engine: str) -> Result:
    file = directory / "a.c"
    file.write_text(f"{HEAD}int main(void) {{\n{body}\nreturn 0; }}\n")
    return verify(Config.of(file, engine=engine, time_limit=60.0)).result


def answer(directory: Path, body: str, engine: str) -> tuple[str, str]:
    found = result(directory, body, engine)
    return found.verdict.value, found.reason


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("body", DEAD)
def test_a_use_after_the_end_is_undefined(tmp_path: Path, body: str, engine: str) -> None:
    verdict, reason = answer(tmp_path, body, engine)
    assert verdict == "unknown"
    assert "lifetime" in reason or "without elements" in reason
    assert "a.c:" in reason


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("body", ALIVE)
def test_a_use_within_the_lifetime(tmp_path: Path, body: str, engine: str) -> None:
    before, _, rest = body.rpartition("== {")
    number, _, after = rest.partition("}")
    assert answer(tmp_path, f"{before}== {number}{after}", engine)[0] == "true"
    assert answer(tmp_path, f"{before}== {number} + 1{after}", engine)[0] == "false"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("body", AFRESH)
def test_a_new_lifetime_has_no_old_value(tmp_path: Path, body: str, engine: str) -> None:
    assert answer(tmp_path, body, engine)[0] == "false"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "body",
    [
        "int *p = 0; for (int k = 0; k < 2; k++) { int x = 7; if (k == 0) { p = &x; continue; }"
        " CHECK(*p == 7); }",
        "for (int k = 0; k < 2; k++) { int x = 7; if (k == 0) { kept = &x; continue; }"
        " CHECK(*kept == 7); }",
    ],
)
def test_an_old_pointer_is_assumed_not_to_be_used(tmp_path: Path, body: str, engine: str) -> None:
    found = result(tmp_path, body, engine)
    assert found.verdict.value == "true"
    assert any("pointer to x of an earlier round" in a for a in found.assumptions)


def test_a_round_without_old_pointers_assumes_nothing(tmp_path: Path) -> None:
    body = "for (int k = 0; k < 3; k++) { int x = k; add(&x); CHECK(x == k + 1); }"
    assert not result(tmp_path, body, "explicit").assumptions


def test_no_jump_into_the_scope_of_a_variable_length_array(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="scope of a variable-length array"):
        answer(tmp_path, "int n = 2; goto in; { int a[n]; in: a[0] = 1; }", "explicit")
