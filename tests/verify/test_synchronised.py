"""Searches in which synchronised accesses do not interleave decide as those in which they do.

NOTE(synchronised-accesses)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.analysis.facts import Facts
from abpress.config import Alarms, Config, Synchronised
from abpress.engines import explicit, static
from abpress.engines.abpress.engine import prove_each
from abpress.engines.by_facts import FactsTime
from abpress.engines.table import ENGINES
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.certificate import Rejected
from abpress.reductions.static import s_por
from abpress.result import Result, Soundness, Verdict
from abpress.search.limits import Limits
from abpress.verify.certify import certified, check_proof, left_open
from abpress.verify.load import load
from abpress.verify.run import verify
from tests.modular.test_random_races import texts
from tests.sampling import examples
from tests.strategies.ir_programs import Features, programs
from tests.strategies.ir_racing import racing_program

MUTEX = """
#include <pthread.h>
void reach_error(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
"""
COUNTERS = (
    MUTEX
    + """
void *t(void *p) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m); x++; y++; pthread_mutex_unlock(&m); }
  return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, t, 0);
  pthread_create(&b, 0, t, 0);
  LOCK(&m); int seen = x; if (seen != y) reach_error(); UNLOCK(&m);
  pthread_join(a, 0); pthread_join(b, 0);
  if (x != 6) reach_error();
  return 0; }
"""
)
SPINNING = (
    MUTEX
    + """
void *spins(void *p) { while (1) x = 1; return 0; }
void *fails(void *p) { reach_error(); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, spins, 0);
  pthread_create(&b, 0, fails, 0);
  pthread_join(a, 0);
  if (x > 1) reach_error();
  return 0; }
"""
)
"""`x` is accessed by two threads, but not at the same time; the first one never ends."""

RACING = (
    MUTEX
    + """
void *t(void *p) { x = 1; x = 0; return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, t, 0);
  if (x == 1) reach_error();
  return 0; }
"""
)

LOCKED = {"UNLOCK": "pthread_mutex_unlock", "LOCK": "pthread_mutex_lock"}
UNLOCKED = dict.fromkeys(LOCKED, "(void)")


def written(folder: Path, text: str, words: dict[str, str] | None = None) -> Path:
    for word, by in (words or {}).items():
        text = text.replace(word + "(", by + "(")
    file = folder / "program.c"
    file.write_text(text)
    return file


def decided(file: Path, *properties: str, **options: Any) -> dict[str, Result]:
    config = Config.of(file, properties=properties, time_limit=60.0, **options)
    return {answer.result.property: answer.result for answer in verify(config).answers}


def known(program: Program, config: Config) -> tuple[Alarms, Synchronised] | None:
    """What facts of single threads leave open of races."""
    config = config.but(property="no-data-race")
    time = FactsTime(Limits())
    _, evidence = static.PROVERS["no-data-race"](program, "no-data-race", time, Soundness())
    return None if evidence is None else left_open(program, config, evidence)


def everything(program: Program) -> frozenset[tuple[str, int, int]]:
    """The visible edges that are no synchronisation."""
    visible = Facts.of(program).visible
    return frozenset(
        (name, i, k)
        for name, template in program.templates.items()
        for i, k in visible[name]
        if _accesses(template, i, k)
    )


def _accesses(template: Any, i: int, k: int) -> bool:
    edge = template.locations[i].edges[k]
    atomic = template.locations[i].atomic or template.locations[edge.target].atomic
    return not atomic and any(type(e).__name__ in ("Load", "Store") for e in edge.effects)


# -- a run ----------------------------------------------------------------------------------------


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that have a first short turn have none."""
    monkeypatch.setattr("abpress.verify.turns._SLICE", 1)


@pytest.mark.usefixtures("at_once")
def test_what_is_proved_first_is_used_then(tmp_path: Path) -> None:
    file = written(tmp_path, COUNTERS, LOCKED)
    alone = decided(file, "unreach-call", engine="auto")["unreach-call"]
    assert alone.verdict is Verdict.TRUE and "synchronised accesses" not in alone.statistics
    used = decided(file, "no-data-race", "unreach-call")["unreach-call"]
    assert used.verdict is Verdict.TRUE and used.statistics["synchronised accesses"] == 6
    assert used.statistics["states"] < alone.statistics["states"]
    assert DEFINED_SO_FAR in used.assumptions


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("other", ["unreach-call", "no-deadlock", "valid-memtrack"])
def test_racing_accesses_interleave(tmp_path: Path, other: str) -> None:
    file = written(tmp_path, COUNTERS, UNLOCKED)
    answers = decided(file, "no-data-race", other)
    assert answers["no-data-race"].verdict is Verdict.FALSE
    assert (answers[other].verdict is Verdict.FALSE) == (other == "unreach-call")


@pytest.mark.usefixtures("at_once")
def test_what_is_left_at_the_end_is_not_asked_so(tmp_path: Path) -> None:
    file = written(tmp_path, COUNTERS, LOCKED)
    left = decided(file, "no-data-race", "valid-memcleanup")["valid-memcleanup"]
    assert left.verdict is Verdict.TRUE and "synchronised accesses" not in left.statistics


def test_who_uses_it() -> None:
    def uses(engine: str, property: str, por: str = "auto") -> bool:
        config = Config.of(Path("a.c"), property=property, por=por)
        return ENGINES[engine].merges(config)

    assert uses("explicit", "unreach-call") and uses("explicit", "no-data-race")
    assert uses("abpress", "no-deadlock") and uses("abpress", "valid-memtrack")
    assert not uses("explicit", "valid-memcleanup")
    assert not uses("explicit", "unreach-call", "none")
    assert not uses("stateless", "unreach-call") and not uses("hunt", "unreach-call")


# -- traps ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["explicit", "abpress"])
def test_forged_facts_hide_a_violation(tmp_path: Path, engine: str) -> None:
    config = Config.of(written(tmp_path, RACING), engine=engine)
    program = load(config).program
    config = ENGINES[engine].configured(config)
    told = known(program, config)
    assert told is not None
    for places, verdict in ((told[1].places, Verdict.FALSE), (everything(program), Verdict.TRUE)):
        its = config.but(synchronised=Synchronised(places))
        arguments = (program, its, Limits(), lambda _: None, Soundness())
        found = ENGINES[engine].search(*arguments)["unreach-call"].verdict
        assert found is verdict  # the second one is wrong


def test_the_proviso_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config.of(written(tmp_path, SPINNING), engine="explicit", por="s-por")
    program = load(config).program
    told = known(program, config)
    assert told is not None and told[1].places
    config = config.but(synchronised=told[1])
    assert explicit.search(program, config, Limits()).verdict is Verdict.FALSE
    monkeypatch.setattr(s_por, "_suffice", lambda steps, on_stack: bool(steps))
    assert explicit.search(program, config, Limits()).verdict is Verdict.TRUE  # wrong


def certificate(file: Path) -> tuple[Config, dict[str, Any]]:
    """A certificate of a tree that uses facts, as data."""
    config = Config.of(file, engine="abpress", por="source+summaries")
    program = load(config).program
    told = known(program, config)
    assert told is not None
    config = config.but(synchronised=told[1])
    results, tree = prove_each(program, config, Limits())
    assert results["unreach-call"].verdict is Verdict.TRUE and tree is not None
    return config, json.loads(certified(program, config, tree))


def test_a_certificate_has_the_facts(tmp_path: Path) -> None:
    config, data = certificate(written(tmp_path, COUNTERS, LOCKED))
    assert len(data["synchronised"]) == 6
    (accepted,) = check_proof(config, json.dumps(data))
    assert DEFINED_SO_FAR in accepted.assumptions
    places = data["synchronised"]
    forgeries: list[dict[str, Any]] = [
        {"facts": []},
        {"synchronised": [*places, ["t", 0, 0]]},
        {"synchronised": [*places, ["other", 0, 0]]},
        {"synchronised": places[1:]},
        {"synchronised": [["t", 0]]},
        {"facts": [{**data["facts"][0], "known": data["facts"][0]["known"][1:]}]},
    ]
    for forged in forgeries:
        with pytest.raises(Rejected):
            check_proof(config, json.dumps({**data, **forged}))


def test_the_checker_asks_for_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree of a program that fails, in which accesses do not interleave that do."""
    config = Config.of(written(tmp_path, RACING), engine="abpress")
    config = ENGINES["abpress"].configured(config)
    program = load(config).program
    told = known(program, config)
    assert told is not None
    forged = replace(told[1], places=everything(program))
    config = config.but(synchronised=forged)
    results, tree = prove_each(program, config, Limits())
    assert results["unreach-call"].verdict is Verdict.TRUE and tree is not None  # wrong
    with pytest.raises(AssertionError, match="no facts show"):
        certified(program, config, tree)
    monkeypatch.setattr("abpress.proof.facts.synchronised", lambda _: everything(program))
    assert certified(program, config, tree)


# -- random programs ------------------------------------------------------------------------------

FEATURES = st.sampled_from(
    (
        Features(threads=2, statements=5),
        Features(threads=3, statements=4, unbounded_loops=False),
    )
)
STATES = Limits(states=20_000)


def compared(program: Program, config: Config) -> bool:
    """Asserts that the same violations are found; returns whether anything was synchronised."""
    told = known(program, config)
    if told is None or not told[1].places:
        return False
    alarms, apart = told
    for name in ("unreach-call", "no-deadlock", "no-data-race"):
        its = config.but(property=name, keep_going=True, max_threads=5)
        if name == "no-data-race":
            its = its.but(alarms=(alarms,))
        plain = explicit.explore(program, its.but(por="none"), STATES)
        merged = explicit.explore(program, its.but(por="s-por", synchronised=apart), STATES)
        if plain.exhausted and merged.exhausted:
            if name == "no-deadlock":
                assert bool(merged.violations) == bool(plain.violations)
            else:
                assert places_of(merged.violations) == places_of(plain.violations)
    return True


def places_of(violations: Iterable[str]) -> set[frozenset[str]]:
    """Where the violations are: one place of each, or two."""
    return {frozenset(re.findall(r"[.\w]+:\d+:\d+", text)) for text in violations}


@settings(max_examples=examples(24, whole=60), deadline=None)
@given(st.data())
def test_random_programs(tmp_path_factory, data: st.DataObject) -> None:
    compared(data.draw(FEATURES.flatmap(programs)), Config.of(Path("random.abp")))


@settings(max_examples=examples(24, whole=60), deadline=None)
@given(st.integers(0, 1 << 30))
def test_random_accesses(seed: int) -> None:
    program = parse_program(racing_program(seed), "random")
    compared(program, Config.of(Path("random.abp")))


def failing(text: str) -> str:
    """The program with errors in it."""
    text = text.replace("y = 3;", "y = 3; if (x == 2) reach_error();")
    return "void reach_error(void);" + text.replace("x++;", "{ x++; if (y == 1) reach_error(); }")


@settings(max_examples=examples(8, whole=20), deadline=None)
@given(texts())
def test_random_c(tmp_path_factory, text: str) -> None:
    file = tmp_path_factory.mktemp("synchronised") / "program.c"
    file.write_text(failing(text))
    config = Config.of(file)
    compared(load(config, every_access=True).program, config)


@settings(max_examples=examples(6, whole=12), deadline=None)
@given(texts())
def test_random_trees(tmp_path_factory, text: str) -> None:
    file = tmp_path_factory.mktemp("synchronised") / "program.c"
    file.write_text(failing(text))
    compared_tree(file)


def compared_tree(file: Path) -> bool:
    """Asserts that a tree says what enumeration does; returns whether both said anything."""
    config = Config.of(file, engine="abpress", por="source+summaries")
    program = load(config).program
    told = known(program, config)
    if told is None or not told[1].places:
        return False
    config = config.but(synchronised=told[1])
    results, tree = prove_each(program, config, Limits(time=8.0))
    verdict = results["unreach-call"].verdict
    plain = explicit.search(program, config.but(por="none", synchronised=None), STATES).verdict
    if Verdict.UNKNOWN in (verdict, plain):
        return False
    assert verdict is plain
    if tree is not None and verdict is Verdict.TRUE:
        certified(program, config, tree)
    return True
