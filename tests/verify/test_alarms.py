"""Searches that are asked for what facts leave open find all that there is, NOTE(alarms)."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from abpress.config import Config
from abpress.engines import explicit, static
from abpress.modular.analysis import analyse
from abpress.modular.claims import Claims, claimed
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.result import Result, Soundness, Verdict
from abpress.search.limits import Limits
from abpress.verify.certify import left_open
from abpress.verify.load import load
from abpress.verify.run import verify
from abpress.verify.turn import KnownFacts
from tests.modular.test_random_races import texts
from tests.sampling import in_turn, sample

TEXT = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
_Atomic int done;
void *t(void *p) {
  for (int i = 0; i < 20; i++) {
    pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }
  y = 1; done++;
  return 0; }
int main(void) {
  pthread_t h, i;
  pthread_create(&h, 0, t, 0);
  if (MORE) pthread_create(&i, 0, t, 0);
  for (int i = 0; i < 20; i++) {
    LOCK(&m); x++; UNLOCK(&m); }
  while (done < 1) { }
  return y; }
"""
"""Facts know nothing of `done`, so the accesses to y are alarms; they are apart unless there are
MORE threads."""

LOCKED = {"LOCK": "pthread_mutex_lock", "UNLOCK": "pthread_mutex_unlock", "MORE": "0"}
UNLOCKED = {**LOCKED, "LOCK": "(void)", "UNLOCK": "(void)"}


def written(folder: Path, words: dict[str, str]) -> Path:
    text = TEXT
    for word, by in {"UNLOCK": words["UNLOCK"], **words}.items():
        text = text.replace(word, by)
    file = folder / "program.c"
    file.write_text(text)
    return file


def decided(file: Path, *more: str) -> Result:
    properties = ("no-data-race", *more)
    answers = verify(Config.of(file, properties=properties, time_limit=30.0)).answers
    return next(a.result for a in answers if a.result.property == "no-data-race")


@pytest.mark.parametrize("more", sample([(), ("unreach-call",), ("no-overflow", "no-misuse")], 2))
def test_a_proof_of_what_is_open_says_what_facts_assume(
    more: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("abpress.verify.turns._SLICE", 1)
    result = decided(written(tmp_path, LOCKED), *more)
    assert result.verdict is Verdict.TRUE
    assert DEFINED_SO_FAR in result.assumptions
    assert result.statistics["alarms"] == 2


@pytest.mark.parametrize(
    ("words", "more"),
    in_turn([UNLOCKED, {**LOCKED, "MORE": "1"}], [("no-overflow", "no-misuse"), ()]),
)
def test_races_are_found(
    words: dict[str, str],
    more: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("abpress.verify.turns._SLICE", 1)
    assert decided(written(tmp_path, words), *more).verdict is Verdict.FALSE


def forged(solution: Any, found: Any) -> Claims:
    """Claims that have lost the pairs of accesses to x."""
    claims = claimed(solution, found)
    open = {
        pair for pair in claims.alarms if not all(_accesses_x(solution, place) for place in pair)
    }
    assert open != claims.alarms
    return replace(claims, alarms=frozenset(open))


def _accesses_x(solution: Any, place: Any) -> bool:
    cls, location, edge, *_ = place
    template = solution.classes.template(cls)
    return "x" in str(template.locations[location].edges[edge].effects)


def test_what_the_checker_does_not_accept_hides_no_race(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, UNLOCKED)
    monkeypatch.setattr(static, "claimed", forged)
    assert decided(file).verdict is Verdict.FALSE

    monkeypatch.setattr("abpress.proof.facts.check_claims", lambda program, _: analyse(program))
    assert decided(file).verdict is Verdict.TRUE  # wrong, without the checker


def test_what_is_open_is_so_in_one_program(tmp_path: Path) -> None:
    config = Config.of(written(tmp_path, LOCKED), property="no-data-race")
    program, known = load(config).program, KnownFacts()
    known.note(program, config, *proved(program, config))
    assert [alarms.property for alarms in known.alarms(program)] == ["no-data-race"]
    assert known.alarms(load(config.but(property="no-overflow")).program) == ()


def test_what_others_found_is_of_programs_with_the_same_digest(tmp_path: Path) -> None:
    """NOTE(facts-of-others)"""
    config = Config.of(written(tmp_path, LOCKED), property="no-data-race")
    program, found, told = load(config).program, KnownFacts(), KnownFacts()
    found.spread = told.hear
    found.note(program, config, *proved(program, config))
    again = pickle.loads(pickle.dumps(program))
    assert again is not program
    assert told.alarms(again) == found.alarms(program) != ()
    assert told.synchronised(again) == found.synchronised(program)
    assert told.was_asked("no-data-race", again)
    other = load(config.but(property="no-overflow")).program
    assert told.alarms(other) == ()
    assert told.synchronised(other) is None
    assert not told.was_asked("no-data-race", other)


def proved(program: Any, config: Config) -> Any:
    return static.prove(program, config, Limits(), lambda _: None, Soundness())


def compared(file: Path, text: str) -> bool:
    """Whether facts leave something open, and something not; the same races are found."""
    file.write_text(text)
    config = Config.of(file, property="no-data-race", por="s-por", keep_going=True)
    program = load(config).program
    _, evidence = proved(program, config)
    told = None if evidence is None else left_open(program, config, evidence)
    alarms = None if told is None else told[0]
    if alarms is None or not alarms.places:
        return False
    limits = Limits(states=20_000)
    plain = explicit.explore(program, config, limits)
    pruned = explicit.explore(program, config.but(alarms=(alarms,)), limits)
    assert pruned.violations == plain.violations, text
    assert pruned.exhausted == plain.exhausted, text
    return True


@settings(max_examples=15, deadline=None)
@given(texts())
def test_the_same_races_are_found(tmp_path_factory, text: str) -> None:
    compared(tmp_path_factory.mktemp("alarms") / "program.c", text)
