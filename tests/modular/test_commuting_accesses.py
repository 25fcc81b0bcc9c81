"""Accesses that need no interleaving: which ones are found, and that they commute with all others.

NOTE(synchronised-accesses)
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.config import Config, Place
from abpress.ir.program import Load, Program, Store
from abpress.ir.reader import parse_program
from abpress.modular.analysis import analyse
from abpress.modular.standing import Detail
from abpress.modular.synchronised import synchronised
from abpress.semantics.reference import Configuration, ReferenceInterpreter
from abpress.semantics.reference_expressions import Unspecified
from abpress.verify.load import load
from tests.modular.enumeration import reached
from tests.modular.test_random_races import texts
from tests.sampling import examples
from tests.strategies.ir_programs import Features, programs
from tests.strategies.ir_racing import racing_program

HEAD = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x;
atomic_int once;
struct node { int value; char part; } *shared;
char c;
"""
LOCKED = "pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m);"
OTHERWISE = "pthread_mutex_lock(&k); {} pthread_mutex_unlock(&k);"
SECTION = "__VERIFIER_atomic_begin(); {} __VERIFIER_atomic_end();"
MADE = "shared = malloc(sizeof *shared); shared->value = 1;"
EMPTY = "shared = malloc(sizeof *shared);"


def found(folder: Path, first: str, second: str, before: str = "") -> set[str]:
    """What the synchronised accesses of the first of two threads are, as effects."""
    file = folder / "program.c"
    file.write_text(
        f"{HEAD}void *f(void *p) {{ {first} return 0; }}\n"
        f"void *g(void *p) {{ {second} return 0; }}\n"
        f"int main(void) {{ pthread_t a, b; {before} pthread_create(&a, 0, f, 0);"
        " pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }\n"
    )
    program = load(Config.of(file), every_access=True).program
    return {
        ("load" if isinstance(effect, Load) else "store")
        for name, i, k in places(program)
        if name == "f"
        for effect in program.templates[name].locations[i].edges[k].effects
        if isinstance(effect, Load | Store)
    }


def places(program: Program) -> frozenset[Place]:
    solution = analyse(program, Detail(occurrences=2))
    return frozenset() if solution is None or solution.doubts else synchronised(solution)


@pytest.mark.parametrize(
    ("first", "second", "before"),
    [
        (LOCKED.format("x = 1;"), LOCKED.format("x = 2;"), ""),
        (LOCKED.format("x = 1;"), SECTION.format("if (0) x = 2;") + LOCKED.format("x = 3;"), ""),
        (
            LOCKED.format("shared->value = 2;"),
            LOCKED.format("free(shared); shared = 0;"),
            MADE,
        ),
    ],
)
def test_what_one_lock_keeps_apart_is_found(
    tmp_path: Path, first: str, second: str, before: str
) -> None:
    assert "store" in found(tmp_path, first, second, before)


@pytest.mark.parametrize(
    ("first", "second", "before"),
    [
        (LOCKED.format("x = 1;"), "x = 2;", ""),
        (LOCKED.format("x = 1;"), OTHERWISE.format("x = 2;"), ""),
        (LOCKED.format("x = 1;"), SECTION.format("x = 2;"), ""),
        ("once = 1;", "once = 2;", ""),  # which is no race
        ("once = 1;", SECTION.format("once = 2;"), ""),
        ("shared->value = 2;", "free(shared);", MADE),
        ("shared->value = 2;", LOCKED.format("free(shared);"), MADE),
    ],
)
def test_what_meets_something_is_not(tmp_path: Path, first: str, second: str, before: str) -> None:
    assert "store" not in found(tmp_path, first, second, before)


def test_reads_that_may_choose_a_value_are_writes(tmp_path: Path) -> None:
    def loads(other: str, before: str) -> bool:
        reads = "c = shared->part;"
        return "load" in found(tmp_path, LOCKED.format(reads), other.format(reads), before)

    assert loads(LOCKED, EMPTY)
    assert not loads(OTHERWISE, EMPTY)


# -- the definition -------------------------------------------------------------------------------


def commuting(program: Program, most: int) -> int:
    """Asserts that synchronised accesses commute with what others do, in so many states at most;
    returns how many were looked at."""
    apart = places(program)
    reference, looked = ReferenceInterpreter(program), 0
    for now in reached(program, most) if apart else ():
        try:
            steps = list(reference.steps(now))
            for t, thread in now.threads.items():
                if thread.location is None:
                    continue
                edges = program.templates[thread.template].locations[thread.location].edges
                if all((thread.template, thread.location, k) in apart for k in range(len(edges))):
                    looked += 1
                    for q in {name for name, _ in steps} - {t}:
                        first = both(reference, steps, t, q)
                        assert first == both(reference, steps, q, t), (t, thread, q)
        except (Unspecified, NotImplementedError):
            continue
    return looked


def both(
    reference: ReferenceInterpreter, steps: list[tuple[str, Configuration]], one: str, other: str
) -> set[str]:
    """The states after a step of one thread and then one of another, while the program runs."""
    return {
        last.key()
        for name, after in steps
        if name == one
        for following, last in reference.steps(after)
        if following == other and last.status == "running"
    }


FEATURES = st.sampled_from(
    (
        Features(threads=2, statements=5),
        Features(threads=3, statements=4, unbounded_loops=False),
        Features(threads=2, statements=6, exits=False, pointers=False),
    )
)


@settings(max_examples=examples(40, whole=80), deadline=None)
@given(st.data())
def test_they_commute_in_random_programs(data: st.DataObject) -> None:
    program = data.draw(FEATURES.flatmap(programs))
    commuting(program, 150)


@settings(max_examples=examples(40, whole=80), deadline=None)
@given(st.integers(0, 1 << 30))
def test_they_commute_with_accesses_of_all_kinds(seed: int) -> None:
    commuting(parse_program(racing_program(seed), "random"), 150)


@settings(max_examples=examples(4, whole=25), deadline=None)
@given(texts())
def test_they_commute_in_random_c(tmp_path_factory, text: str) -> None:
    file = tmp_path_factory.mktemp("synchronised") / "program.c"
    file.write_text(text)
    commuting(load(Config.of(file), every_access=True).program, 60)


def test_the_comparison_sees_what_does_not_commute(monkeypatch: pytest.MonkeyPatch) -> None:
    text = racing_program(7)
    program = parse_program(text, "random")
    everything = frozenset(
        (name, i, k)
        for name, template in program.templates.items()
        for i, at in enumerate(template.locations)
        for k in range(len(at.edges))
    )
    monkeypatch.setitem(globals(), "places", lambda _: everything)
    with pytest.raises(AssertionError):
        commuting(program, 150)
