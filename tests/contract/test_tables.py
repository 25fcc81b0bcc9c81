"""Contracts: every row of the tables of engines, reductions and properties fits the others."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given, settings

from abpress.config import Config
from abpress.engines import static
from abpress.engines.static import PROVERS
from abpress.engines.stored import explore_all
from abpress.engines.table import ENGINES, algorithms, engine_of
from abpress.errors import UnsupportedError
from abpress.proof.certificate import Rejected
from abpress.proof.conditions import CONDITIONS
from abpress.proof.kinds import KINDS, CertificateKind
from abpress.properties import PROPERTIES, Aspect, Preserved, property_key
from abpress.reductions.entry import Family, Insight, ReductionEntry
from abpress.reductions.table import REDUCTIONS, STATEFUL, STATELESS, STATIC, TREE
from abpress.result import Verdict
from abpress.semantics.interpreter import Interpreter
from abpress.verify.load import load
from abpress.verify.run import verify
from tests.reductions.toy import Edge, Toy, busy_toys
from tests.sampling import examples, sample

ROOT = Path(__file__).resolve().parent.parent.parent

PROGRAM = """
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;
void *one(void *a) { pthread_mutex_lock(&m); FIRST x++; pthread_mutex_unlock(&m); LAST return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  MAIN
  pthread_join(t, 0);
  assert(x == END);
  return 0;
}
"""
SAFE = {"FIRST": "", "LAST": "", "MAIN": "", "END": "1"}
CYCLE = {
    "FIRST": "pthread_mutex_lock(&n);",
    "LAST": "pthread_mutex_unlock(&n);",
    "MAIN": "pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"
    " pthread_mutex_unlock(&n);",
}
WRONG = {
    "unreach-call": {"END": "2"},
    "no-deadlock": CYCLE,
    "no-partial-deadlock": CYCLE,
    "no-data-race": {"MAIN": "x++;", "END": "x"},
    "valid-memtrack": {"LAST": "malloc(4);"},
    "valid-memcleanup": {"LAST": "malloc(4);"},
    "valid-deref": {"FIRST": "*(int *)0 = x;"},
    "valid-free": {"FIRST": "free(&x);"},
    "no-overflow": {"FIRST": "int y = 2147483647 - x; y = y + 1;"},
    "no-misuse": {"LAST": "pthread_mutex_unlock(&n);"},
}
"""Property -> changes of the program that violate it."""


def program(folder: Path, changes: dict[str, str], **options) -> Config:
    text = PROGRAM
    for word, its in (SAFE | changes).items():
        text = text.replace(word, its)
    file = folder / "program.c"
    file.write_text(text, encoding="utf-8")
    return Config.of(file, **options)


ENTRIES = pytest.mark.parametrize(
    "entry",
    REDUCTIONS.values(),
    ids=[f"{e.family.name.lower()} {e.name}" for e in REDUCTIONS.values()],
)


def test_certificates_name_rules_that_the_checker_has() -> None:
    """The checker's table stands for itself: neither is made from the other."""
    of_the_tree = {entry.certificate for entry in TREE.values()}
    of_clauses = {"preference-order", "preference-order+commuting"}  # of engine horn
    assert of_the_tree | of_clauses == set(CONDITIONS)
    others = [entry for entry in REDUCTIONS.values() if entry.family is not Family.TREE]
    assert not any(entry.certificate for entry in others)


@ENTRIES
def test_the_paper_of_a_reduction_is_a_reference(entry: ReductionEntry) -> None:
    known = re.findall(r"^\*\*\[(\w+)\]\*\*", (ROOT / "docs" / "references.md").read_text(), re.M)
    assert entry.paper in known if entry.name != "none" else entry.paper is None


@ENTRIES
def test_some_engine_runs_each_reduction_and_tells_what_it_needs(entry: ReductionEntry) -> None:
    runs = [e.name for e in ENGINES.values() if e.entries.get(entry.name) is entry]
    assert runs == [engine_of(entry).name]


def test_names_of_algorithms_are_unique() -> None:
    explored = [e for e in REDUCTIONS.values() if engine_of(e).explore is not None]
    assert len(algorithms()) == len(explored)
    for engine in ENGINES.values():
        rows = [e for e in REDUCTIONS.values() if e.family in engine.families]
        assert len(engine.reductions) == len(rows)
        assert engine.preferred in engine.reductions or engine.hunts or engine.proves


@pytest.mark.parametrize("name", PROPERTIES)
def test_every_engine_prefers_what_keeps_what_a_property_needs(name: str) -> None:
    able = [e for e in ENGINES.values() if any(e.answers(name, por) for por in e.reductions)]
    assert able
    for engine in able:
        por = engine.configured(Config.of(Path("p.c"), property=name)).search.por
        assert engine.answers(name, por)


def test_the_order_of_what_is_preserved() -> None:
    for a, b, c in product(Preserved, repeat=3):
        assert a.includes(a)
        assert not (a.includes(b) and b.includes(c)) or a.includes(c)
        assert a is b or not (a.includes(b) and b.includes(a))
    assert all(a.includes(Preserved.VIOLATIONS) for a in Preserved)
    assert not Preserved.OBSERVED_STATES.includes(Preserved.OUTCOMES)
    assert not Preserved.TRACES.includes(Preserved.STATES)


ASKED = {
    Insight.INVISIBLE: {"invisible"},
    Insight.REACH: {"confined", "uncontended"},
    Insight.ACCESSES: {"record", "compound", "creator"},
    Insight.POINTS: {"point", "may_come"},
}
"""What a reduction asks for an insight."""


class Guarded:
    """A toy system that tells no more than a reduction says that it needs."""

    def __init__(self, toy: Toy, needs: frozenset[Insight]) -> None:
        self._toy = toy
        told = set().union(*(ASKED[insight] for insight in needs))
        self._kept = set().union(*ASKED.values()) - told

    @property
    def foresight(self) -> Guarded:
        return self

    def __getattr__(self, name: str) -> object:
        if name in self._kept:
            return self._refuse
        return getattr(self._toy, name)

    def _refuse(self, *_: object) -> NoReturn:
        raise AssertionError("a reduction asks for more than it says")


@pytest.mark.parametrize("entry", [*STATIC.values(), *STATEFUL.values()], ids=lambda e: e.name)
@settings(max_examples=examples(8, whole=20), derandomize=True, deadline=None, database=None)
@given(toy=busy_toys())
def test_a_reduction_asks_for_no_more_than_it_says(entry: ReductionEntry, toy: Toy) -> None:
    system = Guarded(toy, entry.needs)
    assert explore_all(system, entry.name, PROPERTIES["no-deadlock"], keep_going=True).exhausted


@pytest.mark.parametrize("entry", [*STATIC.values(), *STATEFUL.values()], ids=lambda e: e.name)
def test_a_reduction_asks_for_all_that_it_says(entry: ReductionEntry) -> None:
    line = ((Edge("write", 1, 0, 1),), (Edge("await", 2, 0, 1),), (Edge("finish"),))
    for insight in entry.needs:
        system = Guarded(Toy((line, line)), entry.needs - {insight})
        with pytest.raises(AssertionError, match="asks for more"):
            explore_all(system, entry.name, PROPERTIES["no-deadlock"], keep_going=True)


def test_optimal_algorithms_explore_no_class_twice() -> None:
    assert all(entry.classes for entry in STATELESS.values() if entry.optimal)


@pytest.mark.parametrize("name", PROPERTIES)
def test_a_property_says_all_that_is_asked_of_it(name: str, tmp_path: Path) -> None:
    property = PROPERTIES[name]
    assert property.name == name
    assert property.looks_at
    assert property.meaning
    file = tmp_path / "a.prp"
    file.write_text(f"CHECK( init(main()), LTL({property.ltl}) )\n", encoding="utf-8")
    assert property_key(str(file)) == name
    toy = Toy((((Edge("fail"),),),))
    system = Interpreter(load(program(tmp_path, SAFE)).program)
    for aspect, finding in {
        Aspect.STEP: property.of_violation(toy.steps(toy.initial(), 0)[0].violation),
        Aspect.STATE: property.of_state(system, system.initial()),
    }.items():
        assert finding is None or aspect in property.looks_at


@pytest.mark.parametrize(("engine", "property"), [*product(ENGINES, PROPERTIES)])
def test_every_engine_with_every_property(
    engine: str, property: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each combination is answered, with a replayed execution and its sentence, or refused.

    In the sample reductions have turns: half of them have unreach-call, and a
    sixth has another property.
    """
    monkeypatch.setattr(static, "_SECONDS_ALONE", 0.0)  # for invariants that are in vain
    if ENGINES[engine].hunts:
        for changes, verdict in (({}, Verdict.UNKNOWN), (WRONG[property], Verdict.FALSE)):
            config = program(tmp_path, changes, engine=engine, property=property, hunt_steps=5_000)
            assert verify(config).result.verdict is verdict
    if ENGINES[engine].proves:
        safe = program(tmp_path, {}, engine=engine, property=property)
        if property not in ENGINES[engine].proves:
            with pytest.raises(UnsupportedError, match=f"does not check {property}"):
                verify(safe)
            return
        assert verify(safe).result.verdict is Verdict.TRUE
        wrong = program(tmp_path, WRONG[property], engine=engine, property=property)
        finds = Verdict.FALSE if ENGINES[engine].clauses else Verdict.UNKNOWN
        assert verify(wrong).result.verdict is finds
    reductions = [*ENGINES[engine].reductions]
    every = 2 if property == "unreach-call" else 6
    asked = sample(reductions, every, start=[*PROPERTIES].index(property) % every)
    for por in reductions:
        options = {"engine": engine, "property": property, "por": por}
        safe = program(tmp_path, {}, **options)
        if not ENGINES[engine].answers(property, por):
            with pytest.raises(UnsupportedError, match=f"does not check {property}"):
                verify(safe)
            continue
        if por not in asked:
            continue
        assert verify(safe).result.verdict is Verdict.TRUE, por
        result = verify(program(tmp_path, WRONG[property], **options)).result
        assert result.verdict is Verdict.FALSE, por
        assert result.trace.steps, por
        assert result.trace.message in result.reason, por


def test_what_facts_prove_is_in_the_table() -> None:
    assert ENGINES["static"].proves == set(PROVERS)


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_the_functions_of_a_kind_of_certificates_can_be_loaded(kind: CertificateKind) -> None:
    with pytest.raises(Rejected):
        kind.read({})
    for function in (kind.write, kind.check):
        with pytest.raises(TypeError, match="missing"):
            function()
