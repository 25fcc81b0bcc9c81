"""Proofs by the program in which threads run one after the other, and what must not be proved so.

Takes NOTE(one-after-another) and NOTE(paths-together) at their word: each wrong program breaks a
rule of one, and differs little from a right one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines import errors_by_facts
from abpress.engines.static import prove
from abpress.ir.check import check
from abpress.ir.program import Program, Spawn, edges
from abpress.modular.analysis import analyse
from abpress.modular.sequence import in_sequence
from abpress.proof.certificate import Rejected
from abpress.proof.kinds import KINDS
from abpress.proof.protocols import Claimed
from abpress.proof.sequence import SequenceProof, check_sequence, read_sequence, write_sequence
from abpress.result import Soundness, Verdict
from abpress.search.limits import Limits
from abpress.semantics.outcome import Options
from abpress.verify.load import load

HEAD = """
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int in, one, two;
pthread_t a, b;
"""

DOUBLE = "void *f(void *p) { one = in > 5 ? 5 : in; return 0; }\n"
TWICE = DOUBLE + "void *g(void *p) { two = in > 5 ? 5 : in; return 0; }\n"
BEGIN = "in = __VERIFIER_nondet_int(); "
CREATED = BEGIN + "pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); "
JOINED = "pthread_join(a, 0); pthread_join(b, 0); "


def main_of(text: str) -> str:
    return f"int main(void) {{ {text} return 0; }}\n"


RIGHT = {
    "two threads compute the same": TWICE + main_of(CREATED + JOINED + "assert(one == two);"),
    "joined in the other order": TWICE
    + main_of(CREATED + "pthread_join(b, 0); pthread_join(a, 0); assert(one == two);"),
    "one is joined, one is not": TWICE
    + main_of(CREATED + "pthread_join(a, 0); assert(one == (in > 5 ? 5 : in));"),
    "the second begins when the first has ended": "void *f(void *p) { one = in; return 0; }\n"
    "void *g(void *p) { two = one; return 0; }\n"
    + main_of(
        BEGIN + "pthread_create(&a, 0, f, 0); pthread_join(a, 0); in = 0;"
        " pthread_create(&b, 0, g, 0); pthread_join(b, 0); assert(one == two);"
    ),
    "the error is in a thread": "void *f(void *p) { int x = in; if (x > 3) one = x; else one = 4;"
    " assert(one > 3); return 0; }\n" + main_of(BEGIN + "pthread_create(&a, 0, f, 0);"),
    "a thread that does not end": "void *f(void *p) { one = in; __VERIFIER_assume(one != in);"
    " return 0; }\n"
    + main_of(BEGIN + "pthread_create(&a, 0, f, 0); pthread_join(a, 0); assert(two == in);"),
}

WRONG = {
    "they compute different things": DOUBLE
    + "void *g(void *p) { two = in > 4 ? 4 : in; return 0; }\n"
    + main_of(CREATED + JOINED + "assert(one == two);"),
    "one is not joined": TWICE + main_of(CREATED + "pthread_join(a, 0); assert(one == two);"),
    "none is joined": TWICE + main_of(CREATED + "assert(one == two);"),
    "one is joined on one branch": TWICE
    + main_of(
        CREATED + "pthread_join(a, 0); if (__VERIFIER_nondet_int()) pthread_join(b, 0);"
        " assert(one == two);"
    ),
    "the input changes meanwhile": TWICE
    + main_of(CREATED + "in = 0; " + JOINED + "assert(one == two);"),
    "the input changes before the second": TWICE
    + main_of(
        BEGIN + "pthread_create(&a, 0, f, 0); pthread_join(a, 0); in = 0;"
        " pthread_create(&b, 0, g, 0); pthread_join(b, 0); assert(one == two);"
    ),
    "the result changes afterwards": TWICE
    + main_of(CREATED + JOINED + "one = 7; assert(one == two);"),
    "both write the same": "void *f(void *p) { one = 1; return 0; }\n"
    "void *g(void *p) { one = 2; return 0; }\n" + main_of(CREATED + JOINED + "assert(one == 2);"),
    "both write the same, joined in the other order": "void *f(void *p) { one = 1; return 0; }\n"
    "void *g(void *p) { one = 2; return 0; }\n"
    + main_of(CREATED + "pthread_join(b, 0); pthread_join(a, 0); assert(one == 1);"),
    "one reads what the other writes": "void *f(void *p) { one = 1; return 0; }\n"
    "void *g(void *p) { two = one; return 0; }\n" + main_of(CREATED + JOINED + "assert(two == 1);"),
    "they write under a lock": "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    "void *f(void *p) { pthread_mutex_lock(&m); one = 1; pthread_mutex_unlock(&m); return 0; }\n"
    "void *g(void *p) { pthread_mutex_lock(&m); one = 2; pthread_mutex_unlock(&m); return 0; }\n"
    + main_of(CREATED + JOINED + "assert(one == 2);"),
    "they write by atomic operations": "_Atomic int n;\n"
    "void *f(void *p) { n = 1; return 0; }\nvoid *g(void *p) { n = 2; return 0; }\n"
    + main_of(CREATED + JOINED + "assert(n == 2);"),
    "an error in a thread that is joined": "void *f(void *p) { one = in; assert(one != 3);"
    " one = 4; return 0; }\n" + main_of(BEGIN + "pthread_create(&a, 0, f, 0); pthread_join(a, 0);"),
    "an error in a thread that is not joined": "void *f(void *p) { one = in; assert(one != 3);"
    " return 0; }\n" + main_of(BEGIN + "pthread_create(&a, 0, f, 0);"),
    "an error in a thread that does not end": "void *f(void *p) { one = in; assert(one != 3);"
    " while (1); return 0; }\n"
    + main_of(BEGIN + "pthread_create(&a, 0, f, 0); pthread_join(a, 0);"),
    "an error beside a thread that does not end": "void *f(void *p) { while (1); return 0; }\n"
    + main_of(BEGIN + "pthread_create(&a, 0, f, 0); assert(in != 3);"),
    "an error beside a thread that waits": "void *f(void *p) { one = in; __VERIFIER_assume(0);"
    " return 0; }\n" + main_of(BEGIN + "pthread_create(&a, 0, f, 0); assert(in != 3);"),
    "an error beside a thread that aborts": "void *f(void *p) { abort(); return 0; }\n"
    + main_of(BEGIN + "pthread_create(&a, 0, f, 0); assert(in != 3);"),
    "an error beside a thread that may exit": "void *f(void *p) { if (in) exit(0); one = 1;"
    " return 0; }\n"
    + main_of(BEGIN + "pthread_create(&a, 0, f, 0); pthread_join(a, 0); assert(!one);"),
    "an error after main has ended its thread": "void *f(void *p) { one = in; assert(one != 3);"
    " return 0; }\n" + main_of(BEGIN + "pthread_create(&a, 0, f, 0); pthread_exit(0);"),
    "the handle is that of the second": TWICE
    + main_of(
        BEGIN + "pthread_create(&a, 0, f, 0); pthread_create(&a, 0, g, 0); pthread_join(a, 0);"
        " assert(one == two);"
    ),
    "the handle is one of two": TWICE
    + main_of(
        CREATED + "pthread_t h = __VERIFIER_nondet_int() ? a : b; pthread_join(h, 0);"
        " assert(one == two);"
    ),
    "the handles are exchanged": TWICE
    + main_of(CREATED + "a = b; pthread_join(a, 0); assert(one == two);"),
    "created in a loop": DOUBLE
    + main_of(
        "for (int i = 0; i < 2; i++) { in = i; pthread_create(&a, 0, f, 0); }"
        " pthread_join(a, 0); assert(one == 1);"
    ),
    "a thread creates another one": "void *g(void *p) { two = 1; return 0; }\n"
    "void *f(void *p) { pthread_create(&b, 0, g, 0); one = 1; return 0; }\n"
    + main_of("pthread_create(&a, 0, f, 0); pthread_join(a, 0); assert(two == one);"),
    "a thread joins another one": "void *f(void *p) { one = 1; return 0; }\n"
    "void *g(void *p) { pthread_join(a, 0); two = one; return 0; }\n"
    + main_of(CREATED + "pthread_join(b, 0); assert(two == 0);"),
    "an argument that changes": "void *f(void *p) { one = *(int *)p; return 0; }\n"
    + main_of(
        "int n = 1; pthread_create(&a, 0, f, &n); n = 2; pthread_join(a, 0); assert(one == 1);"
    ),
    "arguments of two threads of the same code": "void *f(void *p) { *(int *)p = 1; return 0; }\n"
    + main_of(
        "pthread_create(&a, 0, f, &one); pthread_create(&b, 0, f, &two); pthread_join(a, 0);"
        " assert(one == two);"
    ),
    "the result is another one": "void *f(void *p) { return in > 3 ? &one : &two; }\n"
    + main_of(
        BEGIN + "void *r; pthread_create(&a, 0, f, 0); pthread_join(a, &r); *(int *)r = 1;"
        " assert(one == 1);"
    ),
    "a local object of a thread that has ended": "void *f(void *p) { int *q = p; int n = 3; p = &n;"
    " *(int **)q = p; return 0; }\n"
    + main_of("int *n; pthread_create(&a, 0, f, &n); pthread_join(a, 0); assert(*n == 3);"),
    "each thread has its own": "_Thread_local int mine;\n"
    "void *f(void *p) { mine = 1; return 0; }\n"
    + main_of("pthread_create(&a, 0, f, 0); pthread_join(a, 0); assert(mine == 1);"),
    "a static variable of a function": "int next(void) { static int n; return ++n; }\n"
    "void *f(void *p) { one = next(); return 0; }\nvoid *g(void *p) { two = next(); return 0; }\n"
    + main_of(CREATED + JOINED + "assert(one < two);"),
    "an input of a thread": "void *f(void *p) { one = __VERIFIER_nondet_int(); return 0; }\n"
    + main_of("pthread_create(&a, 0, f, 0); pthread_join(a, 0); assert(one == 0);"),
    "two inputs are not the same": "void *f(void *p) { one = __VERIFIER_nondet_int(); return 0; }\n"
    "void *g(void *p) { two = __VERIFIER_nondet_int(); return 0; }\n"
    + main_of(CREATED + JOINED + "assert(one == two);"),
    "undefined memory is not the same": "int *p1, *p2;\n"
    "void *f(void *p) { one = *p1; return 0; }\nvoid *g(void *p) { two = *p2; return 0; }\n"
    + main_of(
        "p1 = malloc(4); p2 = malloc(4); pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);"
        + JOINED
        + "assert(one == two);"
    ),
    "a thread divides by zero": "void *f(void *p) { one = 4 / in; return 0; }\n"
    + main_of(BEGIN + "pthread_create(&a, 0, f, 0); pthread_join(a, 0); assert(two == 0);"),
    "a thread waits for a flag": "_Atomic int flag;\n"
    "void *f(void *p) { while (!flag); one = 1; return 0; }\n"
    + main_of("pthread_create(&a, 0, f, 0); flag = 1; pthread_join(a, 0); assert(one == 0);"),
    "the ids of two threads": TWICE
    + main_of(CREATED + JOINED + "assert(one == two); assert(pthread_equal(a, b));"),
    "a branch that is taken": TWICE
    + main_of(CREATED + JOINED + "if (in == 9) one++; assert(one == two);"),
    "one of many branches": DOUBLE
    + "void *g(void *p) { int r = in; if (r > 5) r = 5; if (in == 77) r = 6; two = r; return 0; }\n"
    + main_of(CREATED + JOINED + "assert(one == two);"),
    "an element that the other one writes": "int t[3];\n"
    "void *f(void *p) { t[in & 1] = 1; return 0; }\nvoid *g(void *p) { t[1] = 2; return 0; }\n"
    + main_of(CREATED + JOINED + "assert(t[1] == 2);"),
}


def program_of(text: str, folder: Path) -> tuple[Program, Config]:
    file = folder / "program.c"
    file.write_text(HEAD + text)
    config = Config.of(file, property="unreach-call", data_model="ILP32")
    return load(config).program, config


def proof_of(text: str, folder: Path) -> tuple[Program, Verdict, object]:
    program, config = program_of(text, folder)
    answers, proof = prove(program, config, Limits(), lambda _: None, Soundness())
    return program, answers["unreach-call"].verdict, proof


@pytest.mark.parametrize("name", RIGHT)
def test_what_threads_do_one_after_the_other_is_proved(name: str, tmp_path: Path) -> None:
    program, verdict, proof = proof_of(RIGHT[name], tmp_path)
    assert verdict is Verdict.TRUE
    kind = KINDS[proof.format]  # type: ignore[attr-defined]
    claimed = Claimed(("unreach-call",), ("unreach-call",), Options())
    text = kind.write(program, proof, claimed)
    assert kind.check(program, kind.read(json.loads(text))).property == "unreach-call"


@pytest.mark.parametrize("name", WRONG)
def test_what_may_go_wrong_is_not_proved(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors_by_facts, "_INVARIANTS", lambda *_: "not asked")
    _, verdict, proof = proof_of(WRONG[name], tmp_path)
    assert verdict is Verdict.UNKNOWN
    assert not isinstance(proof, SequenceProof)


def certificate(
    folder: Path, name: str = "two threads compute the same"
) -> tuple[Program, SequenceProof]:
    program, verdict, proof = proof_of(RIGHT[name], folder)
    assert verdict is Verdict.TRUE
    assert isinstance(proof, SequenceProof)
    return program, proof


def test_the_program_in_sequence_is_well_formed_and_has_one_thread(tmp_path: Path) -> None:
    for name, text in RIGHT.items():
        program, _ = program_of(text, tmp_path)
        solution = analyse(program)
        assert solution is not None, name
        sequence = in_sequence(solution)
        assert sequence is not None, name
        check(sequence)
        (main,) = sequence.templates.values()
        assert not any(isinstance(e, Spawn) for _, edge in edges(main) for e in edge.effects)


def forgets_a_class(proof: SequenceProof) -> SequenceProof:
    known = {at: its for at, its in proof.claims.known.items() if at[0] != 1}
    return replace(proof, claims=replace(proof.claims, known=known))


def knows_nothing(proof: SequenceProof) -> SequenceProof:
    known = dict.fromkeys(proof.claims.known, ())
    return replace(proof, claims=replace(proof.claims, known=known))


def has_other_ends(proof: SequenceProof) -> SequenceProof:
    ends = proof.claims.ends
    return replace(proof, claims=replace(proof.claims, ends=dict.fromkeys(ends, ends[1])))


def is_of_another_property(proof: SequenceProof) -> SequenceProof:
    return replace(proof, property="no-overflow")


def is_of_races(proof: SequenceProof) -> SequenceProof:
    return replace(proof, property="no-data-race")


def is_of_another_program(proof: SequenceProof) -> SequenceProof:
    return replace(proof, program="0" * len(proof.program))


def has_many_threads(proof: SequenceProof) -> SequenceProof:
    return replace(proof, claims=replace(proof.claims, many=frozenset({1})))


@pytest.mark.parametrize(
    "mutate",
    [
        forgets_a_class,
        knows_nothing,
        has_other_ends,
        is_of_another_property,
        is_of_races,
        is_of_another_program,
        has_many_threads,
    ],
)
def test_mutants_are_rejected(
    mutate: Callable[[SequenceProof], SequenceProof], tmp_path: Path
) -> None:
    program, proof = certificate(tmp_path)
    check_sequence(program, proof)
    with pytest.raises(Rejected):
        check_sequence(program, mutate(proof))


def test_the_sequence_of_another_program_is_rejected(tmp_path: Path) -> None:
    program, proof = certificate(tmp_path)
    _, other = certificate(tmp_path, "joined in the other order")
    with pytest.raises(Rejected):
        check_sequence(program, replace(proof, sequence=other.sequence))
    with pytest.raises(Rejected):
        check_sequence(program, replace(proof, claims=other.claims))


def test_a_part_that_is_no_certificate_is_rejected(tmp_path: Path) -> None:
    program, proof = certificate(tmp_path)
    claimed = Claimed(("unreach-call",), ("unreach-call",), Options())
    data = json.loads(write_sequence(program, proof, claimed))
    assert read_sequence(data).program == proof.program
    for changed in ({"version": 9}, {"sequence": {}}, {"sequence": None}, {"claims": {}}):
        with pytest.raises(Rejected):
            read_sequence({**data, **changed})
