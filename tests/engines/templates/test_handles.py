"""Ids of threads in arrays: what is joined is the id of a thread, or it is not said.

Takes NOTE(handles-in-arrays) at its word: what is wrong joins what no creation has written.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.templates.handles import joins_read_handles
from abpress.ir.program import UNREACH_CALL, Join
from abpress.modular.assertions import failures
from abpress.result import Verdict
from abpress.verify.load import load
from abpress.verify.run import verify
from tests.sampling import sample

HEAD = """
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t all[100];
int x;
void *work(void *a) {
  pthread_mutex_lock(&m); x++; x--; pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t t[100];
"""


def created(begin: str, until: str, by: str = "i++", array: str = "t") -> str:
    return f"for (int i = {begin}; i < {until}; {by}) pthread_create(&{array}[i], 0, work, 0);"


def joined(begin: str, until: str, by: str = "i++", array: str = "t") -> str:
    return f"for (int i = {begin}; i {until}; {by}) pthread_join({array}[i], 0);"


INPUT = "int n = __VERIFIER_nondet_int(); if (n < 0 || n > 99) abort();"

RIGHT = {
    "all": created("0", "100") + joined("0", "< 100"),
    "backwards": created("0", "100") + joined("99", ">= 0", "i--"),
    "an input": INPUT + created("0", "n") + joined("0", "< n"),
    "of the program": created("0", "100", array="all") + joined("0", "< 100", array="all"),
    "some": created("0", "100") + joined("3", "< 9"),
}
WRONG = {
    "one too few": created("0", "99") + joined("0", "< 100"),
    "not the first": created("1", "100") + joined("0", "< 100"),
    "every other": created("0", "100", "i += 2") + joined("0", "< 100"),
    "one more than the input": INPUT + created("0", "n") + joined("0", "<= n"),
    "another array": created("0", "100") + joined("0", "< 100", array="all"),
    "a number": created("0", "100") + "t[3] = 7;" + joined("0", "< 100"),
    "before": joined("0", "< 100") + created("0", "100"),
    "the next one": created("0", "99").replace("[i]", "[i + 1]") + joined("0", "< 100"),
}


def found(body: str, folder: Path, seconds: float) -> bool:
    file = folder / "program.c"
    file.write_text(HEAD + body + " return 0; }\n")
    program = load(Config.of(file, property=UNREACH_CALL)).program
    places = list(failures(program, lambda effect: isinstance(effect, Join)))
    assert places
    return joins_read_handles(program, places, seconds, lambda: False)


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_joined_was_created(name: str, tmp_path: Path) -> None:
    assert found(RIGHT[name], tmp_path, 20.0)


@pytest.mark.parametrize("name", sample(tuple(WRONG), 2))
def test_what_was_not_created_is_not_said_to_be(name: str, tmp_path: Path) -> None:
    assert not found(WRONG[name], tmp_path, 0.5)


def test_errors_are_excluded_where_all_are_joined(tmp_path: Path) -> None:
    body = RIGHT["all"] + " pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m);"
    file = tmp_path / "program.c"
    file.write_text(HEAD + body + " return 0; }\n")
    config = Config.of(file, property=UNREACH_CALL, engine="static", time_limit=60.0)
    assert verify(config).result.verdict is Verdict.TRUE
