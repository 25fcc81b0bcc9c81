"""One enumeration tells which of many invariants hold. NOTE(observing-code)"""

from __future__ import annotations

from pathlib import Path

from abpress.config import Config
from abpress.search.limits import Limits
from abpress.verify.witnesses.places import places_of
from abpress.verify.witnesses.sieve import sieved
from abpress.witness.standard.model import (
    CorrectnessWitness,
    StatedInvariant,
    WitnessLocation,
    WitnessTask,
)

TWO = """\
#include <pthread.h>
int x, y;
void *f(void *a) {
  x = 1;
  x = 2;
  return 0;
}
int main(void) {
  pthread_t t;
  y = 1;
  pthread_create(&t, 0, f, 0);
  y = 2;
  while (y < 4)
    y++;
  pthread_join(t, 0);
  y = 5;
  return 0;
}
"""


def kept(folder: Path, text: str, *stated: tuple[int, str]) -> object:
    """The expressions that hold, of those stated at lines."""
    file = folder / "p.c"
    file.write_text(text)
    lines = text.split("\n")
    its = tuple(
        StatedInvariant(WitnessLocation("p.c", line), value, "while" in lines[line - 1])
        for line, value in stated
    )
    config = Config.of(file, time_limit=60.0).but(line_markers=False)
    witness = CorrectnessWitness(WitnessTask({}, "", ""), its)
    found = sieved(witness, config, places_of(config.program), Limits(60.0))
    return None if found is None else [i.value for i in found]


def test_what_is_behind_a_check_that_always_fails_is_looked_at(tmp_path: Path) -> None:
    its = [(12, "y == 7"), (12, "y == 1"), (13, "y > 2"), (13, "2 <= y && y <= 4"), (16, "x == 1")]
    assert kept(tmp_path, TWO, (10, "0"), *its, (16, "x == 2"), (17, "y != 5")) == [
        "y == 1",
        "2 <= y && y <= 4",
        "x == 2",
    ]


def test_other_threads_are_anywhere(tmp_path: Path) -> None:
    its = [
        (12, "x == 0"),
        (12, "x != 1"),
        (12, "x <= 2"),
        (5, "y == 1"),
        (5, "y <= 5"),
        (5, "x == 1"),
    ]
    assert kept(tmp_path, TWO, *its) == ["x <= 2", "y <= 5", "x == 1"]


def test_an_enumeration_that_is_not_complete_shows_nothing(tmp_path: Path) -> None:
    wide = TWO.replace("y = 1;", "y = __VERIFIER_nondet_int();").replace(
        "int x", "extern int __VERIFIER_nondet_int(void);int x"
    )
    assert kept(tmp_path, wide, (16, "x == 2")) is None
    fault = TWO.replace("y = 5;", "y = 1 / (x - 2);")
    assert kept(tmp_path, fault, (16, "x == 2")) is None
