"""The checker of thread-modular proofs accepts what the analysis claims, and no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.ir.program import Program
from abpress.modular.analysis import analyse
from abpress.modular.claims import Claims, claimed
from abpress.modular.pairs import pairs
from abpress.modular.spots import Spot, status
from abpress.modular.standing import Detail
from abpress.modular.state import Known
from abpress.modular.values import SELF, ZERO, Number, Origin
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.certificate import Rejected
from abpress.proof.modular import check_claims
from abpress.result import Verdict
from abpress.verify.certify import check_proof
from abpress.verify.load import load
from abpress.verify.run import verify

TEXT = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *f(void *p) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  y = 1;
  return 0;
}
int main(void) {
  pthread_t a;
  y = 2;
  pthread_create(&a, 0, f, 0);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  y = 3;
  return 0;
}
"""
OWNER = Spot(Origin("static", -1, "m"), 0)
Y = Spot(Origin("static", -1, "y"), 0)


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> tuple[Program, Claims]:
    file = tmp_path_factory.mktemp("claims") / "program.c"
    file.write_text(TEXT)
    program = load(Config.of(file), every_access=True).program
    solution = analyse(program, Detail())
    assert solution is not None
    return program, claimed(solution, pairs(solution))


def test_what_the_analysis_claims_is_accepted(proof: tuple[Program, Claims]) -> None:
    program, claims = proof
    assert not claims.alarms
    assert claims.reasons
    check_claims(program, claims)


def everywhere(claims: Claims, change: Callable[[Known], Known]) -> Claims:
    known = {place: tuple(map(change, parts)) for place, parts in claims.known.items()}
    return replace(claims, known=known)


def holding(known: Known) -> Known:
    return known.refined([(OWNER, frozenset({SELF}))])


def without_owner(known: Known) -> Known:
    return known.but([(OWNER, None)])


def strengthened(known: Known) -> Known:
    if Y in known.values and len(known.values[Y]) > 1:
        return known.refined([(Y, frozenset({min(known.values[Y], key=repr)}))])
    return known


def without_a_location(claims: Claims) -> Claims:
    place = next(place for place in claims.known if place[0] == 1 and place[1] != 0)
    return replace(claims, known={p: parts for p, parts in claims.known.items() if p != place})


def exchanged(claims: Claims) -> Claims:
    places = list(claims.reasons)
    reasons = list(claims.reasons.values())
    assert len(set(reasons)) > 1
    rotated = [*reasons[1:], reasons[0]]
    wrong = {
        place: next(other for other in rotated if other != reason)
        for place, reason in zip(places, reasons, strict=True)
    }
    return replace(claims, reasons=wrong)


def without_reasons(claims: Claims) -> Claims:
    return replace(claims, reasons={})


def ended_early(claims: Claims) -> Claims:
    known, result = claims.ends[1]
    return replace(claims, ends={1: (known.refined([(Y, ZERO)]), result)})


def without_ends(claims: Claims) -> Claims:
    return replace(claims, ends={})


def started_by_nobody(claims: Claims) -> Claims:
    never = frozenset({Number(0)})
    return everywhere(claims, lambda known: known.refined([(status(1), never)]))


def other_template(claims: Claims) -> Claims:
    first, second = claims.classes
    return replace(claims, classes=(first, replace(second, template="main")))


@pytest.mark.parametrize(
    "mutation",
    [
        lambda claims: everywhere(claims, holding),
        lambda claims: everywhere(claims, without_owner),
        lambda claims: everywhere(claims, strengthened),
        without_a_location,
        exchanged,
        without_reasons,
        ended_early,
        without_ends,
        started_by_nobody,
        other_template,
    ],
)
def test_other_claims_are_rejected(
    proof: tuple[Program, Claims], mutation: Callable[[Claims], Claims]
) -> None:
    program, claims = proof
    with pytest.raises(Rejected):
        check_claims(program, mutation(claims))


def test_a_hidden_write_is_found(proof: tuple[Program, Claims], tmp_path: Path) -> None:
    """The claims for a program are none for the same one with another write."""
    _, claims = proof
    file = tmp_path / "program.c"
    for old, new in (("y = 1;", "x = 1;"), ("y = 3;", "x = 3;"), ("x++;\n  p", "y++;\n  p")):
        file.write_text(TEXT.replace(old, new))
        with pytest.raises(Rejected):
            check_claims(load(Config.of(file), every_access=True).program, claims)


def test_a_certificate_is_written_and_checked(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(TEXT)
    config = Config.of(file, property="no-data-race", engine="static", certificate=True)
    report = verify(config)
    assert report.result.verdict is Verdict.TRUE
    assert report.certificate is not None
    (accepted,) = check_proof(Config.of(file), report.certificate)
    assert accepted.property == "no-data-race"
    assert DEFINED_SO_FAR in accepted.assumptions
    for damaged in (
        report.certificate.replace('"values": [', '"values": [[], ', 1),
        report.certificate.replace('"many": []', '"many": [1]', 1),
        report.certificate.replace('"no-data-race"', '"unreach-call"', 1),
        report.certificate.replace('"classes": [', '"classes": [7, ', 1),
    ):
        assert damaged != report.certificate
        with pytest.raises(Rejected):
            check_proof(Config.of(file), damaged)
    file.write_text(TEXT.replace("pthread_mutex_unlock(&m);\n  y", "y"))
    with pytest.raises(Rejected):
        check_proof(Config.of(file), report.certificate)
