"""The examples of docs/extending.md: each is plugged into its table, and the product uses it."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from abpress.config import Config
from abpress.engines.table import ENGINES, algorithms
from abpress.errors import UnsupportedError
from abpress.itp.methods import METHODS
from abpress.properties import PROPERTIES, property_key
from abpress.reductions.table import REDUCTIONS, STATIC
from abpress.result import Verdict
from abpress.search.limits import Limits
from abpress.verify.compare import compare
from abpress.verify.run import verify
from abpress_frontend.library import LIBRARY, Model
from tests.contract.test_tables import (
    test_every_engine_prefers_what_keeps_what_a_property_needs as some_engine_answers,
)
from tests.extending.toy_interpolant import fewest
from tests.extending.toy_property import FewThreads
from tests.extending.toy_reduction import ENTRY
from tests.reductions.test_reductions import run
from tests.reductions.test_reductions import test_agrees_with_the_dumb_search as dumb_search_agrees
from tests.reductions.toy import Edge, Toy

HERE = Path(__file__).resolve().parent

THREADS = """
#include <pthread.h>
#include <assert.h>
extern int toy_raise(int *cell, int value);
int x;
void *work(void *its) { CALL; return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, work, 0);
#ifdef ONE_BY_ONE
  pthread_join(s, 0);
#endif
  pthread_create(&t, 0, work, 0);
#ifndef ONE_BY_ONE
  pthread_join(s, 0);
#endif
  pthread_join(t, 0);
  assert(x == END);
  return 0;
}
"""


def threads(folder: Path, call: str = "x++", end: str = "2", **options) -> Config:
    """Two threads that make a call, after which x is expected to have a value."""
    file = folder / "threads.c"
    file.write_text(THREADS.replace("CALL", call).replace("END", end), encoding="utf-8")
    return Config.of(file, **options)


@pytest.mark.parametrize("example", sorted(HERE.glob("toy_*")), ids=lambda file: file.stem)
def test_an_example_is_small(example: Path) -> None:
    assert len(example.read_text(encoding="utf-8").splitlines()) < 40


@pytest.fixture
def few_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROPERTIES, FewThreads.name, FewThreads())


@pytest.mark.usefixtures("few_threads")
def test_a_property(tmp_path: Path) -> None:
    file = tmp_path / "few.prp"
    file.write_text(f"CHECK( init(main()), LTL({FewThreads.ltl}) )\n", encoding="utf-8")
    assert property_key(str(file)) == FewThreads.name
    config = threads(tmp_path, property=FewThreads.name)
    wrong = verify(config).result
    assert (wrong.verdict, wrong.reason) == (Verdict.FALSE, "too many threads are alive")
    assert [step.note for step in wrong.trace.steps if step.note] == [
        "creates main.1",
        "creates main.2",
    ]
    assert verify(config.but(defines=("ONE_BY_ONE",))).result.verdict is Verdict.TRUE


@pytest.mark.usefixtures("few_threads")
def test_a_property_is_matched_with_engines_and_reductions(tmp_path: Path) -> None:
    config = threads(tmp_path, property=FewThreads.name)
    report = verify(config)
    assert (report.engine, report.reduction) == ("explicit", "none")
    report = verify(config.but(engine="stateless"))
    assert (report.engine, report.reduction) == ("stateless", "none")
    assert report.result.verdict is Verdict.FALSE
    optimal = {"engine": "stateless", "por": "optimal"}
    for refused in ({"por": "s-por"}, optimal, {"engine": "abpress"}):
        with pytest.raises(UnsupportedError, match="does not check few-threads"):
            verify(config.but(**refused))


@pytest.mark.usefixtures("few_threads")
def test_a_property_by_the_contract() -> None:
    some_engine_answers(FewThreads.name)


@pytest.fixture
def others_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REDUCTIONS, (ENTRY.family, ENTRY.name), ENTRY)


@pytest.mark.usefixtures("others_first")
def test_a_reduction(tmp_path: Path) -> None:
    assert ENTRY.name in ENGINES["explicit"].reductions
    assert ENTRY.name in algorithms()
    config = threads(tmp_path, por=ENTRY.name)
    report = verify(config)
    assert (report.engine, report.reduction) == ("explicit", ENTRY.name)
    assert report.result.verdict is Verdict.FALSE
    assert report.result.trace.steps
    assert verify(config.but(defines=("ONE_BY_ONE",))).result.verdict is Verdict.TRUE
    names = ("stateful", ENTRY.name, "s-por", "optimal")
    rows = compare(config.but(por="auto"), names, Limits())
    states = [row.explored.result.statistics.get("states") for row in rows[:3]]
    assert states[0] >= states[1] >= states[2]


def test_a_reduction_by_the_contract() -> None:
    dumb_search_agrees(ENTRY)


def test_a_reduction_reduces() -> None:
    """Two threads with invisible steps: all orders, one of two of them, one order."""
    line = ((Edge("local", 1),), (Edge("local", 2),), (Edge("finish"),))
    toy = Toy((line, line))
    entries = (STATIC["none"], ENTRY, STATIC["s-por"])
    states = [run(entry, toy)[0].states for entry in entries]
    assert states[0] > states[1] >= states[2]


def test_an_interpolation_method(tmp_path: Path) -> None:
    config = threads(tmp_path, engine="abpress", paranoid=True, defines=("ONE_BY_ONE",))
    with patch.dict(METHODS, {"fewest": fewest}, clear=True):  # gives back their order, too
        report = verify(config.but(certificate=True))
    assert report.result.verdict is Verdict.TRUE
    assert str(report.result.statistics["refined_by"]).startswith("fewest: ")
    assert report.certificate is not None


def test_a_library_function(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    config = threads(tmp_path, call="toy_raise(&x, 3)", end="3")
    with pytest.raises(UnsupportedError, match="undefined function 'toy_raise'"):
        verify(config)
    monkeypatch.setitem(LIBRARY, "toy_raise", Model(str(HERE / "toy_library.c")))
    for engine in ENGINES.values():
        if not engine.hunts and not engine.proves:
            assert verify(config.but(engine=engine.name)).result.verdict is Verdict.TRUE
    assert verify(threads(tmp_path, "toy_raise(&x, 3)", "2")).result.verdict is Verdict.FALSE
