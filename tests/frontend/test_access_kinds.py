"""How the accesses of lowered programs count for data races, with all of them kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from abpress.config import ProgramOptions
from abpress.ir.passes.pipeline import simplify
from abpress.ir.program import AccessKind, Copy, Load, Program, Store, edges
from abpress_frontend.load import load_program

HEAD = """\
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y;
atomic_int a;
char text[4], other[4];
pthread_t id;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t barrier;
pthread_spinlock_t spin;
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_key_t key;
pthread_attr_t attr;
sem_t semaphore;
struct timespec now;
void nothing(void) {}
void *child(void *argument) { return argument; }
int main(void) {
"""

SECTION = "__VERIFIER_atomic_begin(); {} __VERIFIER_atomic_end();"


def kinds(directory: Path, statement: str) -> set[tuple[str, str, str]]:
    """(object, read or write, kind) of the accesses that the statement makes directly."""
    file = directory / "program.c"
    file.write_text(HEAD + statement + "\nreturn 0; }\n")
    program = simplify(load_program(ProgramOptions(file)).program, every_access=True)
    return {found for found in _accesses(program) if not found[0].startswith("__abp_")}


def _accesses(program: Program) -> Iterator[tuple[str, str, str]]:
    main = program.templates["main"]
    for source, edge in edges(main):
        kind = edge.access
        if kind is AccessKind.PLAIN and main.locations[source].atomic:
            kind = AccessKind.SECTION
        for effect in edge.effects:
            match effect:
                case Load(_, address):
                    yield _object(address), "reads", kind.name
                case Store(address, _):
                    yield _object(address), "writes", kind.name
                case Copy(target, read, _):
                    yield _object(target), "writes", kind.name
                    yield _object(read), "reads", kind.name
                case _:
                    pass


def _object(address: object) -> str:
    while hasattr(address, "pointer"):
        address = address.pointer
    return str(getattr(address, "object", "?"))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("x = y;", {"x writes PLAIN", "y reads PLAIN"}),
        (SECTION.format("x = y;"), {"x writes SECTION", "y reads SECTION"}),
        (SECTION.format("x = 1;"), {"x writes SECTION"}),
        ("a = x;", {"a writes ATOMIC", "x reads PLAIN"}),
        ("a++;", {"a writes ATOMIC", "a reads ATOMIC"}),
        ("atomic_init(&a, 1);", {"a writes PLAIN"}),
        ("atomic_fetch_add(&a, x);", {"a writes ATOMIC", "a reads ATOMIC", "x reads PLAIN"}),
        ("__atomic_store(&x, &y, 5);", {"x writes ATOMIC", "y reads PLAIN"}),
        ("__sync_fetch_and_add(&x, y);", {"x writes ATOMIC", "x reads ATOMIC", "y reads PLAIN"}),
        (SECTION.format("a = 1; x = 1;"), {"a writes ATOMIC", "x writes SECTION"}),
        ("strcpy(text, other);", {"text writes PLAIN", "other reads PLAIN"}),
        (
            SECTION.format("strcpy(text, other);"),
            {"text writes SECTION", "other reads SECTION"},
        ),
        ("memcpy(text, other, 4);", {"text writes PLAIN", "other reads PLAIN"}),
        ("pthread_create(&id, 0, child, 0);", {"id writes EXPOSED"}),
        (SECTION.format("pthread_create(&id, 0, child, 0);"), {"id writes SECTION"}),
        ("pthread_create(&id, &attr, child, 0); pthread_detach(id);",
         {"id writes EXPOSED", "id reads PLAIN", "attr reads LIBRARY"}),
        ("pthread_mutex_lock(&mutex);", {"mutex reads LIBRARY", "mutex writes LIBRARY"}),
        ("pthread_mutex_init(&mutex, 0);", {"mutex writes LIBRARY"}),
        ("mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;", {"mutex writes LIBRARY"}),
        (
            "pthread_cond_wait(&cond, &mutex);",
            {f"{o} {w} LIBRARY" for o in ("cond", "mutex") for w in ("reads", "writes")},
        ),
        ("pthread_rwlock_rdlock(&lock);", {"lock reads LIBRARY", "lock writes LIBRARY"}),
        ("pthread_spin_lock(&spin);", {"spin reads LIBRARY", "spin writes LIBRARY"}),
        ("pthread_once(&once, nothing);", {"once reads LIBRARY", "once writes LIBRARY"}),
        ("pthread_barrier_init(&barrier, 0, 2);", {"barrier writes LIBRARY"}),
        ("sem_getvalue(&semaphore, &x);", {"semaphore reads LIBRARY", "x writes PLAIN"}),
        ("pthread_key_create(&key, 0);", {"key writes PLAIN"}),
        ("clock_gettime(CLOCK_MONOTONIC, &now);", {"now writes PLAIN"}),
    ],
)  # fmt: skip
def test_what_counts(tmp_path: Path, statement: str, expected: set[str]) -> None:
    assert {" ".join(found) for found in kinds(tmp_path, statement)} == expected


def test_behind_a_block_that_ends_in_two_places(tmp_path: Path) -> None:
    statement = (
        "pthread_cancel(pthread_self()); read(0, text, 4); pthread_create(&id, 0, child, 0);"
    )
    assert ("id", "writes", "EXPOSED") in kinds(tmp_path, statement)


def test_what_the_library_keeps_for_itself_never_counts(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(
        HEAD + "clock(); clock_gettime(CLOCK_MONOTONIC, &now); pthread_key_create(&key, 0);"
        "pthread_setspecific(key, &x); pthread_detach(pthread_self()); return 0; }"
    )
    program = simplify(load_program(ProgramOptions(file)).program, every_access=True)
    own = {found for found in _accesses(program) if found[0].startswith("__abp_")}
    assert own
    assert {kind for _, _, kind in own} == {"LIBRARY"}
