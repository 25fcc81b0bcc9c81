"""Data races of any number of threads, which facts of single threads do not exclude: each program
that is proved has wrong ones beside it. NOTE(races-of-any)"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.analysis.points_to import PointsTo
from abpress.config import Config
from abpress.engines.templates import counters, search, weights
from abpress.engines.templates.engine import races_excluded
from abpress.engines.templates.guesses import Guesses
from abpress.engines.templates.guesses_of_counters import GuessesOfCounters
from abpress.ir.program import UNREACH_CALL, Program
from abpress.logic.formula import FALSE, TRUE
from abpress.modular.analysis import analyse
from abpress.modular.claims import claimed
from abpress.modular.pairs import pairs
from abpress.modular.spots import Spots
from abpress.modular.standing import Detail
from abpress.modular.templates.obligations import Obligations
from abpress.modular.templates.steps import TemplateSteps
from abpress.proof.certificate import Rejected, Unchecked, program_digest
from abpress.proof.facts import FactsProof
from abpress.proof.kinds import kind_of
from abpress.proof.protocols import Claimed
from abpress.proof.races import PairsExcluded, RacesProof, open_pairs, write_races
from abpress.proof.templates.certificate import TemplateCertificate
from abpress.semantics.outcome import Options
from abpress.verify.load import load
from tests.engines.templates import test_elements
from tests.modular.enumeration import enumerated, told
from tests.proof.test_template_invariants import mutant
from tests.sampling import examples, sample

RACES = "no-data-race"
SECONDS = 600.0
SECONDS_OF_STATES = 4.0


@pytest.fixture(scope="module", autouse=True)
def nothing_by_addresses() -> Iterator[None]:
    """Facts leave locks in elements open; they know them by addresses otherwise."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Spots, "by_address", False)
        yield


HEAD = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
#define ATOMIC(code) __VERIFIER_atomic_begin(); code __VERIFIER_atomic_end();
#define LOCK(l) pthread_mutex_lock(&l);
#define UNLOCK(l) pthread_mutex_unlock(&l);
#define ANY(i, n) int i = __VERIFIER_nondet_int(); if (i < 0 || i >= n) abort();
struct entry { int count; pthread_mutex_t m; } table[10];
int held[10], other[10], alive, data;
atomic_int left;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
pthread_mutex_t locks[10], m = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;
"""
MANY = "pthread_t t; for (;;) pthread_create(&t, 0, work, 0);"
BY_NUMBER = (
    "pthread_t t; for (int i = 0; i < 10; i++) pthread_create(&t, 0, work, (void *)(long)i);"
)


def worked(body: str, main: str = MANY) -> str:
    return f"{HEAD} void *work(void *a) {{ {body} return 0; }}\nint main(void) {{ {main} }}\n"


OWN = worked("ANY(i, 10) struct entry *p = &table[i]; LOCK(p->m) p->count++; UNLOCK(p->m)")
BESIDE = worked("ANY(i, 10) LOCK(locks[i]) held[i]++; UNLOCK(locks[i])")
NUMBERED = worked("int i = (int)(long)a; held[i]++; held[i] = 2 * held[i];", BY_NUMBER)
COUNTED = worked(
    "LOCK(d) data = 1; UNLOCK(d) LOCK(m) alive--; UNLOCK(m)",
    "pthread_t t; int n = __VERIFIER_nondet_int();"
    "for (int i = 0; i < n; i++) { LOCK(m) alive++; UNLOCK(m) pthread_create(&t, 0, work, 0); }"
    "LOCK(m) while (alive) { UNLOCK(m) LOCK(m) } UNLOCK(m) return data;",
)
COUNTED_ATOMIC = worked(
    "LOCK(d) data = 1; UNLOCK(d) atomic_fetch_sub(&left, 1);",
    "pthread_t t; int n = __VERIFIER_nondet_int();"
    "for (int i = 0; i < n; i++) { atomic_fetch_add(&left, 1); pthread_create(&t, 0, work, 0); }"
    "while (left); return data;",
)
LATCH = worked(
    "LOCK(d) data = 1; UNLOCK(d) LOCK(m) alive--; pthread_cond_signal(&changed); UNLOCK(m)",
    "pthread_t t; alive = 4; for (int i = 0; i < 4; i++) pthread_create(&t, 0, work, 0);"
    "LOCK(m) while (alive > 0) pthread_cond_wait(&changed, &m); UNLOCK(m) return data;",
)
DONE = worked(
    "LOCK(d) data = 1; UNLOCK(d) LOCK(m) alive++; UNLOCK(m)",
    "pthread_t t; int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) abort();"
    "for (int i = 0; i < n; i++) pthread_create(&t, 0, work, 0);"
    "LOCK(m) while (alive < n) { UNLOCK(m) LOCK(m) } UNLOCK(m) return data;",
)
ALLOCATED = worked(
    "*(int *)a += 1;",
    "pthread_t t; int n = __VERIFIER_nondet_int(); if (n < 0) abort(); int *d = malloc(n * 4);"
    "for (int i = 0; i < n; i++) { d[i] = i; pthread_create(&t, 0, work, &d[i]); }",
)
NEXT = worked(
    "*(int *)a = 1;",
    "pthread_t t; int n = __VERIFIER_nondet_int(); if (n < 2) abort(); int *d = malloc(n * 4);"
    "pthread_create(&t, 0, work, d + 1); for (int i = 2; i < n; i++) d[i] = i;",
)
RIGHT = {
    "a lock in the element": OWN,
    "a lock beside the element": BESIDE,
    "a number of its own": NUMBERED,
    "a counter of those that are left": COUNTED,
    "an atomic counter": COUNTED_ATOMIC,
    "a latch": LATCH,
    "a number of those that are done": DONE,
    "an element of its own": ALLOCATED,
    "the next element": NEXT,
}
WRONG = {
    "another lock": (OWN, "p->count++", "(p == table ? p + 1 : p)->count++"),
    "no lock": (OWN, " LOCK(p->m)", ""),
    "a pointer that moves": (OWN, " LOCK(p->m)", " LOCK(p->m) p = &table[(i + 1) % 10];"),
    "an early unlock": (OWN, "p->count++; UNLOCK(p->m)", "UNLOCK(p->m) p->count++;"),
    "a lock for two": (BESIDE, "held[i]", "held[i / 2]"),
    "a lock of the next": (BESIDE, " LOCK(locks[i])", " LOCK(locks[i > 0 ? i - 1 : 0])"),
    "a number for two": (NUMBERED, "(int)(long)a", "(int)(long)a / 2"),
    "the next one's number": (NUMBERED, "held[i] = 2", "held[(i + 1) % 10] = 2"),
    "the first thread, too": (NUMBERED, "(void *)(long)i);", "(void *)(long)i), held[3] = 1;"),
    "numbers twice": (NUMBERED, "(void *)(long)i", "(void *)(long)(i / 2)"),
    "counted too late": (COUNTED, "LOCK(m) alive++; UNLOCK(m) pthread_create(&t, 0, work, 0);",
                         "pthread_create(&t, 0, work, 0); LOCK(m) alive++; UNLOCK(m)"),
    "an early decrement": (COUNTED, "LOCK(d) data = 1; UNLOCK(d) LOCK(m) alive--; UNLOCK(m)",
                           "LOCK(m) alive--; UNLOCK(m) LOCK(d) data = 1; UNLOCK(d)"),
    "two decrements": (COUNTED, "alive--", "alive -= 2"),
    "one that is not counted": (COUNTED, "int n =", "pthread_create(&t, 0, work, 0); int n ="),
    "no wait": (COUNTED, "while (alive)", "while (alive > 1)"),
    "a decrement without lock": (COUNTED, "LOCK(m) alive--; UNLOCK(m)", "alive--;"),
    "early, atomic": (COUNTED_ATOMIC, "LOCK(d) data", "atomic_fetch_sub(&left, 1); LOCK(d) data"),
    "a counter that wraps around": (
        COUNTED_ATOMIC, "int n = __VERIFIER_nondet_int();for (int i = 0; i < n; i++)",
        "for (unsigned long i = 0; i <= 0xffffffff; i++)",
    ),
    "a latch for fewer": (LATCH, "alive = 4", "alive = 3"),
    "a latch with one more thread": (LATCH, "i < 4", "i < 5"),
    "a latch that is opened before": (LATCH, "LOCK(d)", "LOCK(m) alive--; UNLOCK(m) LOCK(d)"),
    "a latch that counts twice": (LATCH, "alive--", "alive -= 2"),
    "a latch that is set to 0": (LATCH, "alive--", "alive = 0"),
    "a latch that one passes": (LATCH, "alive > 0", "alive > 1"),
    "a latch that is tested once": (LATCH, "while (alive > 0)", "if (alive > 0)"),
    "done but for one": (DONE, "alive < n", "alive < n - 1"),
    "done before it is done": (DONE, "LOCK(d) data = 1; UNLOCK(d) LOCK(m) alive++; UNLOCK(m)",
                               "LOCK(m) alive++; UNLOCK(m) LOCK(d) data = 1; UNLOCK(d)"),
    "two for each round": (DONE, "pthread_create(&t, 0, work, 0);",
                           "{ pthread_create(&t, 0, work, 0); pthread_create(&t, 0, work, 0); }"),
    "done twice": (DONE, "alive++", "alive += 2"),
    "counted by the first thread, too": (DONE, "LOCK(m) while", "LOCK(m) alive++; while"),
    "an element for two": (ALLOCATED, "&d[i])", "&d[i / 2])"),
    "an element that is written late": (ALLOCATED, "d[i] = i; pthread_create(&t, 0, work, &d[i]);",
                                        "pthread_create(&t, 0, work, &d[i]); d[i] = i;"),
    "the next element, too": (ALLOCATED, "*(int *)a += 1;", "((int *)a)[1] += 1;"),
    "an element that is written behind": (ALLOCATED, "&d[i]); }", "&d[i]); d[i / 2] = 1; }"),
    "two for each element": (ALLOCATED, "&d[i]);", "&d[i]); pthread_create(&t, 0, work, &d[i]);"),
    "an even element for two": (
        ALLOCATED, "&d[i]); }", "i % 2 ? &d[2 * i] : &d[2 * (i + 1)]); }"
    ),
    "two for each array": (
        ALLOCATED, "pthread_create(&t, 0, work, &d[i]);",
        "d = malloc(n * 4); pthread_create(&t, 0, work, &d[i]);"
        "pthread_create(&t, 0, work, &d[i]);",
    ),
    "the next element, by a known distance": (NEXT, "i = 2", "i = 1"),
    "another one behind": (DONE, "return data", "pthread_create(&t, 0, work, 0); return data"),
}  # fmt: skip


@cache
def loaded(text: str) -> Program:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "program.c"
        file.write_text(text)
        return load(Config.of(file, property=RACES)).program


def claims_of(program: Program) -> FactsProof:
    """What facts of single threads claim, with the pairs that they leave open."""
    solution = analyse(program, Detail(parts=8))
    assert solution is not None
    assert not solution.doubts
    return FactsProof(program_digest(program), RACES, claimed(solution, pairs(solution)))


def found(program: Program, its: FactsProof, seconds: float) -> RacesProof | None:
    """What the engine has to make a certificate from; None if it finds no proof."""
    parts = races_excluded(program, open_pairs(its.claims), seconds, lambda: False)
    return None if isinstance(parts, str) else RacesProof(its.program, its, parts)


@cache
def certificate(text: str) -> RacesProof:
    program = loaded(text)
    proof = found(program, claims_of(program), SECONDS)
    assert proof is not None
    return proof


def accepted(program: Program, proof: RacesProof) -> bool:
    """Whether the checker accepts a certificate, when it was written and read."""
    data = json.loads(write_races(program, proof, Claimed((RACES,), (RACES,), Options())))
    kind = kind_of(data)
    try:
        kind.check(program, kind.read(data))
    except (Rejected, Unchecked):
        return False
    return True


@pytest.mark.parametrize("name", sample(tuple(RIGHT), 2, 1))
def test_what_is_right_is_proved(name: str) -> None:
    assert open_pairs(certificate(RIGHT[name]).claimed.claims)
    assert accepted(loaded(RIGHT[name]), certificate(RIGHT[name]))


@pytest.mark.parametrize("name", sample(tuple(WRONG), 3))
def test_nothing_is_accepted_of_what_is_wrong(name: str) -> None:
    """Neither what the engine finds, nor what is true of the right program, nor its mutants."""
    check_that_nothing_is_accepted(*WRONG[name], name)


def check_that_nothing_is_accepted(text: str, old: str, new: str, seed: str) -> None:
    """Of a right program with an `old` part replaced, which makes it wrong."""
    assert old in text
    wrong, right = loaded(text.replace(old, new)), certificate(text)
    its = claims_of(wrong)
    proof = found(wrong, its, 0.5)
    assert proof is None or not accepted(wrong, proof)
    for change in (lambda said: said, lambda said: mutant(said, Random(seed))):
        same = tuple(_said(part, change, its.program) for part in right.parts)
        assert not accepted(wrong, RacesProof(its.program, its, same))


def _said(
    part: PairsExcluded, change: Callable[[TemplateCertificate], TemplateCertificate], of: str
) -> PairsExcluded:
    """What a part says, changed, of another program."""
    return replace(part, invariants=replace(change(part.invariants), program=of))


def test_what_it_is_about_counts() -> None:
    program, right = loaded(BESIDE), certificate(BESIDE)
    claims, (part,) = right.claimed, right.parts
    assert not accepted(program, replace(right, program="0"))
    assert not accepted(program, replace(right, parts=(_said(part, lambda said: said, "0"),)))
    other = _said(part, lambda said: replace(said, property=UNREACH_CALL), part.invariants.program)
    assert not accepted(program, replace(right, parts=(other,)))
    assert not accepted(program, replace(right, claimed=replace(claims, property=UNREACH_CALL)))
    nothing = replace(claims.claims, alarms=frozenset())
    assert not accepted(program, replace(right, claimed=replace(claims, claims=nothing)))


def test_each_open_pair_is_in_a_part() -> None:
    program, right = loaded(BESIDE), certificate(BESIDE)
    (part,) = right.parts
    assert not accepted(program, replace(right, parts=()))
    for n in range(len(part.pairs)):
        less = replace(part, pairs=part.pairs[:n] + part.pairs[n + 1 :])
        assert not accepted(program, replace(right, parts=(less,)))
        rest = replace(part, pairs=part.pairs[n : n + 1])
        assert accepted(program, replace(right, parts=(less, rest)))


def test_each_part_excludes_its_own_pairs() -> None:
    """Invariants that exclude nothing are a part as well, of no pairs."""
    program, right = loaded(BESIDE), certificate(BESIDE)
    (part,) = right.parts
    labels = dict.fromkeys(part.invariants.labels, TRUE)
    nothing = PairsExcluded((), replace(part.invariants, labels=labels))
    assert accepted(program, replace(right, parts=(part, nothing)))
    swapped = replace(part, pairs=()), replace(nothing, pairs=part.pairs)
    assert not accepted(program, replace(right, parts=swapped))


def test_invariants_that_say_nothing_of_accesses_are_rejected() -> None:
    """A label is needed where a thread stands before an access that is left open."""
    program, right = loaded(OWN), certificate(OWN)
    (part,) = right.parts
    said = part.invariants
    places = {access[:2] for pair in open_pairs(right.claimed.claims) for access in pair}
    assert places
    for place in places & {key[0] for key in said.labels}:
        labels = {key: TRUE if key == (place,) else f for key, f in said.labels.items()}
        less = replace(part, invariants=replace(said, labels=labels))
        assert not accepted(program, replace(right, parts=(less,)))


@pytest.mark.parametrize(
    ("where", "rule", "instead", "name"),
    [
        (Obligations, "_of_second", lambda _, f: FALSE, "another lock"),
        (TemplateSteps, "standing", lambda *_: (), "no lock"),
        (TemplateSteps, "_assume_chosen", lambda _, __, ___, path: path.assume(FALSE), "no lock"),
        (PointsTo, "in_first_element", lambda *_: True, "the next element, by a known distance"),
    ],
    ids=["what the second one knows", "where threads stand", "other elements", "next elements"],
)
def test_each_rule_of_the_checker_is_needed(
    where: Any, rule: str, instead: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, old, new = WRONG[name]
    wrong = loaded(text.replace(old, new))
    its = claims_of(wrong)
    monkeypatch.setattr(where, rule, instead)
    proof = found(wrong, its, SECONDS)
    assert proof is not None
    assert accepted(wrong, proof)


@pytest.mark.parametrize(
    ("where", "rule", "instead", "name"),
    [
        (weights, "_solved", lambda _: None, "a counter of those that are left"),
        (search, "_equal", lambda *_: frozenset(), "a counter of those that are left"),
        (search, "arrays_of_elements", lambda *_: (), "a lock beside the element"),
        (counters, "_looked_at", lambda *_: frozenset(), "a latch"),
        (GuessesOfCounters, "_of_sums", lambda *_: iter(()), "a number of those that are done"),
    ],
    ids=["sums at creations", "what a register holds", "elements", "others", "sums"],
)
def test_each_way_to_invariants_is_needed(
    where: Any, rule: str, instead: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = loaded(RIGHT[name])
    monkeypatch.setattr(where, rule, instead)
    monkeypatch.setattr(search, "solve_apart", lambda *_: None)
    assert found(program, claims_of(program), 2.0) is None


def test_numbers_are_counted_or_told_of_two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    program = loaded(NUMBERED)
    monkeypatch.setattr(search, "solve_apart", lambda *_: None)
    monkeypatch.setattr(counters, "tests_of", lambda *_: ())
    assert found(program, claims_of(program), SECONDS) is not None
    monkeypatch.setattr(Guesses, "_of_two", lambda *_: iter(()))
    assert found(program, claims_of(program), 2.0) is None


def test_what_threads_weigh_has_a_value() -> None:
    """No proof is found that the checker rejects for that."""
    rest = "int i = (int)((unsigned)(long)a * 2 % 3); LOCK(locks[i]) held[i] = 1; UNLOCK(locks[i])"
    program = loaded(worked(rest, BY_NUMBER.replace("10", "3") + "LOCK(locks[1]) held[1] = 1;"))
    proof = found(program, claims_of(program), 4.0)
    assert proof is None or accepted(program, proof)


HEAD_OF_FEW = """
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
int alive, data;
atomic_int left;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;
pthread_t t;
"""
MORE = (
    "pthread_mutex_lock(&m); alive++; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); alive += 2; pthread_mutex_unlock(&m);",
    "atomic_fetch_add(&left, 1);",
    "alive++;",
    "",
)
LESS = (
    "pthread_mutex_lock(&m); alive--; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); int n = alive; alive = n - 1; pthread_mutex_unlock(&m);",
    "atomic_fetch_sub(&left, 1);",
    "alive--;",
    "",
)
WORK = (
    "pthread_mutex_lock(&d); data = 1; pthread_mutex_unlock(&d);",
    "pthread_mutex_lock(&m); data = 1; pthread_mutex_unlock(&m);",
    "data = 1;",
    "pthread_mutex_lock(&d); int k = data; pthread_mutex_unlock(&d);",
)
WAIT = (
    "pthread_mutex_lock(&m); while (alive) { pthread_mutex_unlock(&m); pthread_mutex_lock(&m); }"
    " pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); int rest = alive; pthread_mutex_unlock(&m); if (rest) return 0;",
    "while (left) ;",
    "if (left > 0) return 0;",
    "",
)


@st.composite
def counting(draw: st.DrawFn) -> str:
    """Programs that count the threads that are left, rightly or but for one thing."""
    kind = draw(st.sampled_from((0, 0, 2)))
    done, less, more = WORK[draw(st.sampled_from((0, 0, 1)))], LESS[kind], MORE[kind]
    wait, after, turned = WAIT[draw(st.sampled_from((0, 1))) if kind == 0 else 2], "", False
    match draw(st.sampled_from("dlmwatnn")):
        case "d":
            done = draw(st.sampled_from(WORK))
        case "l":
            less = draw(st.sampled_from(LESS))
        case "m":
            more = draw(st.sampled_from(MORE))
        case "w":
            wait = draw(st.sampled_from(WAIT))
        case "a":
            more, after = draw(st.sampled_from((("", more), (more, MORE[0]), (more, more))))
        case "t":
            turned = True
        case _:
            pass
    first, second = (less, done) if turned else (done, less)
    last = draw(st.sampled_from(("data = 2;", "return data;")))
    return (
        f"{HEAD_OF_FEW}void *work(void *a) {{ {{ {first} }} {{ {second} }} return 0; }}\n"
        f"int main(void) {{ for (int i = 0; i < {draw(st.integers(2, 3))}; i++) {{\n"
        f"  {more} pthread_create(&t, 0, work, 0); {after} }}\n"
        f"  {wait} {last} return 0; }}\n"
    )


OWN_LOCK, BESIDE_LOCK, ONE_LOCK, NO_LOCK = (test_elements.KEPT[n] for n in (0, 1, 3, 6))
DONE = ("table[i].count++;", "held[i] = 1;", "{ int *p = held + i; *p = 2; }", "held[i]++;")
ASTRAY = (*test_elements.BESIDE[2:9], "", "")


@st.composite
def slots(draw: st.DrawFn) -> str:
    """Programs whose threads work on elements, each with its lock or by numbers of their own,
    rightly or but for one thing."""
    size = draw(st.integers(2, 3))
    chosen = draw(st.sampled_from(test_elements.CHOSEN))
    lock, unlock = draw(st.sampled_from((OWN_LOCK, BESIDE_LOCK, BESIDE_LOCK, ONE_LOCK)))
    if chosen in test_elements.CHOSEN[1:3]:
        lock, unlock = draw(st.sampled_from((NO_LOCK, BESIDE_LOCK)))
    done, last = draw(st.sampled_from(DONE)), draw(st.sampled_from((True, False)))
    inside, beside = draw(st.sampled_from((("", ""), ("", ""), (draw(st.sampled_from(ASTRAY)), ""),
                                           ("", draw(st.sampled_from(ASTRAY))))))  # fmt: skip
    own = f"{{ int i = 1; {lock} {done} {unlock} }}" if last and lock else ""
    text = (
        f"{test_elements.FEW}void *f(void *q) {{ {{ {chosen} {{ {lock} {inside} {done} {unlock}\n"
        f"  {beside} }} }} return 0; }}\n"
        "int main(void) {\n"
        "  for (int k = 0; k < {size}; k++) pthread_create(&a, 0, f, (void *)(long)k);\n"
        f"  {own} return 0;\n}}\n"
    )
    return text.replace("{size}", str(size))


def texts() -> st.SearchStrategy[str]:
    """Programs near what the invariants are for."""
    return st.one_of(counting(), slots())


def compared(text: str, folder: Path, seconds: float = 3.0) -> str:
    """Whether the pairs that facts leave open are excluded; then enumeration finds no race."""
    file = folder / "program.c"
    file.write_text(text)
    program = load(Config.of(file, property=RACES)).program
    its = claims_of(program)
    if not open_pairs(its.claims):
        return f"{RACES}, nothing is open"
    proof = found(program, its, seconds)
    if proof is None or not accepted(program, proof):
        return f"{RACES} {'unknown' if proof is None else 'not accepted'}"
    return told(RACES, enumerated(file, RACES, SECONDS_OF_STATES))


@settings(max_examples=examples(2, whole=3), deadline=None)
@given(texts())
def test_no_race_is_met_that_is_excluded(tmp_path_factory, text: str) -> None:
    compared(text, tmp_path_factory.mktemp("races"), 1.0)
