"""The native core tells what the Python search tells, to the last number, NOTE(core-refuses)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from abpress.config import Config
from abpress.core.build import find_compiler
from abpress.core.search import ALGORITHMS
from abpress.ir.program import Program
from abpress.verify.load import load
from tests.core.comparison import (
    QUESTIONS,
    STATES,
    compare,
    compare_all,
    compare_both,
    compare_text,
    told,
)
from tests.sampling import examples, in_turn, sample
from tests.strategies.c_programs import random_program
from tests.strategies.ir_programs import Features, programs

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

ROOT = Path(__file__).resolve().parents[2]

FILES = (
    *("benchmarks/executions/adders.c", "benchmarks/executions/ring.c"),
    *("benchmarks/heap/linked_list.c", "benchmarks/heap/prod_cons.c"),
    *("benchmarks/svcomp/pthread/queue_safe.c",),
)

FEATURES = """
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct pair { unsigned char small; long long wide; struct pair *next; } *head;
int ready; unsigned long long mask = 0xffffffffffffffffULL;
void *worker(void *given) {
    int local[3] = {1, 2, 3}; int *at = &local[*(int *)given];
    struct pair *p = malloc(sizeof *p);
    p->small = (unsigned char)(250 + *at * 3); p->wide = -((long long)*at << 40); p->next = 0;
    pthread_mutex_lock(&m);
    while (!ready) pthread_cond_wait(&c, &m);
    p->next = head; head = p; mask >>= *at;
    pthread_mutex_unlock(&m);
    return (void *)(long)p->small;
}
int main(void) {
    pthread_t t[2]; int n[2] = {0, 2}; int input = __VERIFIER_nondet_int();
    void *result; int sum = 0, count = 0;
    __VERIFIER_assume(input >= 0 && input < 3);
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, &n[i]);
    pthread_mutex_lock(&m); ready = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);
    for (int i = 0; i < 2; i++) { pthread_join(t[i], &result); sum += (int)(long)result; }
    while (head) { struct pair *p = head; head = p->next; count++;
        sum %= 7 + (p->wide < 0); free(p); }
    assert(count == 2 && (mask >> 60) == 0);
    assert(sum * input / 2 - input != 1 + BUG);
    return 0;
}
"""


@pytest.mark.parametrize(("name", "por"), in_turn(FILES, [*ALGORITHMS]))
def test_programs(name: str, por: str) -> None:
    config = Config.of(ROOT / name, por=por, properties=("unreach-call", "no-deadlock"))
    assert compare(load(config).program, config, 2_000) == "same"


@pytest.mark.parametrize(
    ("name", "por"),
    in_turn(["never_written", "never_written_freed", "never_written_unused"], [*ALGORITHMS]),
)
def test_pointers_that_were_never_written(name: str, por: str) -> None:
    """NOTE(never-written): the core tries what the Python search tries, and proves as little."""
    file = ROOT / "tests/programs/memory" / f"{name}.c"
    config = Config.of(file, por=por, properties=("valid-deref", "valid-free"), keep_going=True)
    program = load(config).program
    assert compare(program, config, 2_000) == "same"
    assert "arbitrary pointer" in str(told(program, config, True).soundness)


ORDERED = """
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int go = 1, x, y;
void *spins(void *given) { while (__atomic_load_n(&go, 5)) ; return 0; }
void *stops(void *given) {
    pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);
    y = 1;
    __atomic_store_n(&go, 0, 5);
    return 0;
}
void *writes(void *given) {
    pthread_mutex_lock(&n); if (y) x = 3; pthread_mutex_unlock(&n);
    pthread_mutex_lock(&m); x += 2; y += x; pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, spins, 0); pthread_create(&b, 0, stops, 0);
    pthread_create(&c, 0, writes, 0);
    pthread_join(b, 0); pthread_join(c, 0); pthread_join(a, 0);
    assert(x != 9);
    return 0;
}
"""
"""Accesses with a lock, which happen after a later step, beside a circle."""


@pytest.mark.parametrize("por", STATES.others)
def test_what_happens_behind_visited_states(por: str, tmp_path: Path) -> None:
    file = tmp_path / "ordered.c"
    file.write_text(ORDERED)
    config = Config.of(file, por=por, properties=("unreach-call", "no-deadlock"), keep_going=True)
    assert compare(load(config).program, config) == "same"


@pytest.mark.parametrize("por", STATES.reductions)
def test_the_table_grows_under_states_on_the_stack(por: str) -> None:
    file = ROOT / "experiments/models/philosophers.c"  # a column for each thread: five in the end
    config = Config.of(file, por=por, properties=("no-deadlock",), defines=("N=1",))
    program = load(config).program
    native = told(program, config, True)
    assert native == told(program, config, False)
    assert native.statistics["states"] > 10_000


@pytest.mark.parametrize(
    ("por", "bug"), in_turn([*ALGORITHMS], ["0", "-1", "__VERIFIER_nondet_int()"])
)
def test_what_programs_have(por: str, bug: str, tmp_path: Path) -> None:
    file = tmp_path / "features.c"
    file.write_text(FEATURES)
    config = Config.of(file, por=por, defines=(f"BUG={bug}",))
    assert compare_both(load(config).program, config, 5_000) == {"same"}


@pytest.mark.parametrize(
    ("text", "properties", "expected"),
    [
        ("int *p; int main(void) { return *p; }", ("valid-deref",), "valid-deref"),
        ("int x; int main(void) { return 7 / x; }", ("unreach-call",), "division by zero"),
        (
            "int x = 2147483647; int main(void) { x = x + 1; return x; }",
            ("no-overflow",),
            "no-overflow",
        ),
        (
            "#include <stdlib.h>\n"
            "int main(void) { char *p = malloc(3); free(p); free(p); return 0; }",
            ("valid-free",),
            "valid-free",
        ),
        (
            "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
            "int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }",
            ("no-deadlock",),
            "no-deadlock",
        ),
    ],
)
def test_what_is_found(
    text: str, properties: tuple[str, ...], expected: str, tmp_path: Path
) -> None:
    file = tmp_path / "program.c"
    file.write_text(text)
    config = Config.of(file, por="none", properties=properties)
    program = load(config).program
    assert compare(program, config) == "same"
    native = told(program, config, True)
    assert expected in str((native.found, native.fault, native.soundness))


THREAD = """#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned long long x; int y;
void *first(void *given) { %s return 0; }
void *second(void *given) { %s return 0; }
int main(void) {
    pthread_t a, b; %s
    pthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0);
    pthread_join(b, 0); %s
    return 0;
}
"""


@pytest.mark.parametrize("por", ALGORITHMS)
@pytest.mark.parametrize(
    ("first", "second", "before", "behind", "expected"),
    [
        ("x = 0xf000000000000000ull;", "y = -7;", "", "assert(x > 5 || x == 0);", ""),
        ("x = 1;", "y = -7;", "", "assert(y / 2 == -3 && y % 2 == -1 && y < 0);", ""),
        ("for (int i = 0; i < 1; i *= 1) ;", "assert(0);", "", "", "assertion"),
        ("", "pthread_mutex_lock(&m);", "pthread_mutex_lock(&m);", "", "no-deadlock"),
    ],
    ids=["unsigned", "signed", "ignored", "join"],
)
def test_rules_of_the_search(
    first: str, second: str, before: str, behind: str, expected: str, por: str, tmp_path: Path
) -> None:
    """Each fails where the core leaves a rule out: of numbers, of circles, of what waits."""
    file = tmp_path / "program.c"
    file.write_text(THREAD % (first, second, before, behind))
    config = Config.of(file, por=por, properties=("unreach-call", "no-deadlock"))
    program = load(config).program
    assert compare(program, config) == "same"
    assert expected in str(told(program, config, True).found)


def test_the_search_stops_at_the_same_step(tmp_path: Path) -> None:
    config = Config.of(ROOT / "benchmarks/executions/ring.c", por="none")
    program = load(config).program
    for most in (1, 500, 4_321):
        native = told(program, config, True, most)
        assert native.stopped is not None
        assert native == told(program, config, False, most)


@given(program=programs(Features(threads=3, statements=4)))
@settings(max_examples=examples(4, whole=50), deadline=None)
def test_random_programs(program: Program) -> None:
    answers = compare_all(program)
    assert set(answers) == {"same"}


def test_random_program_with_locks(tmp_path: Path) -> None:
    questions = sample(QUESTIONS, every=2)
    assert "same" in compare_text(random_program(1), tmp_path, 300, questions)
