"""no-overflow from the file to the verdict: facts prove, or searches find the execution."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.proof.certificate import Rejected
from abpress.result import Verdict
from abpress.verify.certify import check_proof
from abpress.verify.run import Report, verify

TEXT = """
#include <pthread.h>
int x = FIRST;
void *work(void *a) { x++; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, work, 0);
    pthread_create(&t, 0, work, 0);
    x++;
    return 0;
}
"""


def answer(folder: Path, text: str, **options: object) -> tuple[Report, Config]:
    file = folder / "program.c"
    file.write_text(text)
    config = Config.of(file, property="no-overflow", **options)
    return verify(config), config


def test_facts_prove_with_a_certificate(tmp_path: Path) -> None:
    report, config = answer(tmp_path, TEXT.replace("FIRST", "0"))
    assert report.result.verdict is Verdict.TRUE
    assert report.engine == "static"
    assert report.certificate is not None
    (accepted,) = check_proof(config, report.certificate)
    assert accepted.property == "no-overflow"
    _, other = answer(tmp_path, TEXT.replace("FIRST", "2147483646"))
    with pytest.raises(Rejected):
        check_proof(other, report.certificate)


@pytest.mark.parametrize("engine", ["auto", "explicit", "abpress", "hunt", "stateless"])
def test_searches_find_the_overflow(engine: str, tmp_path: Path) -> None:
    report, _ = answer(tmp_path, TEXT.replace("FIRST", "2147483646"), engine=engine)
    assert report.result.verdict is Verdict.FALSE
    assert "signed overflow" in report.result.reason


def test_facts_alone_leave_open_what_may_overflow(tmp_path: Path) -> None:
    report, _ = answer(tmp_path, TEXT.replace("FIRST", "2147483646"), engine="static")
    assert report.result.verdict is Verdict.UNKNOWN
    assert "an overflow is not excluded" in report.result.reason
    assert str(tmp_path / "program.c") in report.result.reason


def test_no_proof_beyond_a_bound_of_recursion(tmp_path: Path) -> None:
    text = "int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(100000); }"
    report, _ = answer(tmp_path, text, engine="static")
    assert report.result.verdict is Verdict.UNKNOWN


def test_shifts_and_atomic_updates_in_all_engines(tmp_path: Path) -> None:
    shift = "int main(void) { int i = 1; for (int k = 0; k < %d; k++) i <<= 1; return i; }"
    update = "_Atomic int i = 2147483647; int main(void) { i++; i += 2; return 0; }"
    for engine in "explicit", "abpress", "hunt":
        assert answer(tmp_path, shift % 31, engine=engine)[0].result.verdict is Verdict.FALSE
        if engine != "hunt":
            for text in (shift % 30, update):
                assert answer(tmp_path, text, engine=engine)[0].result.verdict is Verdict.TRUE


MANY = """
#include <pthread.h>
#include <assert.h>
int x = FIRST;
void *work(void *a) { for (int i = 0; i < 300; i++) x++; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(x >= FIRST || x < FIRST);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("first", "names", "assumed"),
    [
        ("0", ("unreach-call",), True),
        ("0", ("unreach-call", "no-overflow"), False),
        ("2147483600", ("unreach-call", "no-overflow"), True),
    ],
)
def test_what_is_proved_in_the_same_run_is_not_assumed(
    first: str, names: tuple[str, ...], assumed: bool, tmp_path: Path
) -> None:
    file = tmp_path / "program.c"
    file.write_text(MANY.replace("FIRST", first))
    report = verify(Config.of(file, properties=names, engine="static"))
    reached = report.answers[0].result
    told = any(its.startswith("no signed overflow") for its in reached.assumptions)
    # NOTE(defined-errors)
    assert (reached.verdict, told) == (Verdict.TRUE, assumed)
    proved = report.answers[-1].result
    if names[-1] == "no-overflow":
        assert (proved.verdict is Verdict.TRUE) is not assumed
        assert assumed or set(proved.assumptions) <= set(reached.assumptions)
