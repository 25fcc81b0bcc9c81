"""What steps do to stored states is kept by what they depend on, NOTE(step-effects): also by what
they look at that is neither read nor written by the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.core.build import find_compiler
from abpress.core.search import ALGORITHMS
from abpress.verify.load import load
from tests.core.comparison import compare_both, told
from tests.parallel.mutants import broken
from tests.sampling import in_turn, sample

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

HELD = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int go;
void *tries(void *given) { pthread_mutex_trylock(&m); return 0; }
void *lets(void *given) { __atomic_store_n(&go, 1, __ATOMIC_SEQ_CST); return 0; }
int main(void) {
    pthread_t a, b;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, tries, 0); pthread_create(&b, 0, lets, 0);
    while (!__atomic_load_n(&go, __ATOMIC_SEQ_CST)) ;
    pthread_mutex_unlock(&m);
    return 0;
}
"""
"""A thread ends as it stands, first without the mutex, later with it."""

JOINED = """
#include <pthread.h>
int x;
void *first(void *given) { x = 1; return (void *)1; }
void *second(void *given) { x = 2; return (void *)2; }
int main(void) {
    pthread_t a, b; void *result;
    pthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0);
    pthread_join(a, &result);
    int seen = x;
    if (result != (void *)1) x = 7;
    pthread_join(b, &result);
    return seen + (result == (void *)2);
}
"""

FREED = """
#include <pthread.h>
#include <stdlib.h>
int *kept, taken;
void *frees(void *given) { int *its = kept; kept = 0; free(its); return 0; }
int main(void) {
    pthread_t a, b;
    kept = malloc(sizeof *kept); *kept = 1;
    pthread_create(&a, 0, frees, 0); pthread_create(&b, 0, frees, 0);
    int *its = kept;
    if (its) taken = *its;
    pthread_join(a, 0); pthread_join(b, 0);
    return 0;
}
"""
"""What a free and a read do depends on whether the object lives."""

SHOWN = """
#include <pthread.h>
int *kept, taken;
void *shows(void *given) {
    for (int k = 0; k < 2; k++) { int mine = k; kept = &mine; taken++; }
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, shows, 0);
    int *its = kept;
    if (its) taken = *its;
    pthread_join(a, 0);
    return taken;
}
"""
"""An object begins to live, and ends."""


LOOKING = {
    "held": (HELD, ("unreach-call", "no-misuse"), "a thread ends that holds m"),
    "joined": (JOINED, ("unreach-call", "no-data-race"), "data race"),
    "freed": (FREED, ("valid-deref", "valid-free"), "valid"),
    "shown": (SHOWN, ("unreach-call", "valid-deref"), "valid-deref"),
}
"""Programs, what is asked of them, and what is told then."""


@pytest.mark.parametrize(("name", "por"), in_turn([*LOOKING], [*ALGORITHMS]))
def test_effects_depend_on_what_a_step_looks_at(name: str, por: str, tmp_path: Path) -> None:
    text, properties, expected = LOOKING[name]
    file = tmp_path / "program.c"
    file.write_text(text)
    config = Config.of(file, por=por, properties=properties)
    program = load(config).program
    assert compare_both(program, config) == {"same"}
    for keep_going in (False, True):
        its = told(program, config.but(keep_going=keep_going), True)
        assert expected in str((its.found, its.fault, its.soundness))


MUTANTS = {
    "who lives is not looked at": (
        "held",
        "footprints.c",
        "    else effect_touch_object(c, o);",
        "",
    ),
    "nor which threads have ended": (
        "joined",
        "footprints.c",
        "    if (stores(c)) effect_touch_thread(c, thread, writes);",
        "    if (stores(c)) ;",
    ),
    "nor what is read": (
        "joined",
        "footprints.c",
        "    if (stores(c)) effect_touch(c, cell);\n    else note_read(c, cell);",
        "    if (!stores(c)) note_read(c, cell);",
    ),
    "the thread stays where it was": (
        "joined",
        "effects.c",
        "    c->row[own_column(c, its->thread)] = its->frame_after;",
        "",
    ),
    "so does what is asked for": (
        "joined",
        "effects.c",
        "    if (!table_change(t, packed, own_column(c, its->thread),"
        " its->frame, its->frame_after)) return 0;",
        "",
    ),
    "objects that change are not told apart": (
        "freed",
        "effects.c",
        "    if (c->row[c->chunks] != before[c->chunks]) {",
        "    if (0) {",
    ),
    "three bytes of four are read": (
        "shown",
        "stored.c",
        "FOUR_BYTES: count = 4",
        "FOUR_BYTES: count = 3",
    ),
    "codes of longer words are words": ("shown", "stored.c", " && one[k] < SMALL", ""),
}
"""Rules that are left out: which program shows it, a file, a line, and what stands there then."""


@pytest.mark.parametrize("rule", sample([*MUTANTS], 2))
def test_each_rule_is_needed(rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, source, line, instead = MUTANTS[rule]
    file = tmp_path / "program.c"
    file.write_text(LOOKING[name][0])
    config = Config.of(file, por="none", properties=LOOKING[name][1], keep_going=True)
    program = load(config).program
    right = told(program, config, True)
    broken(tmp_path, monkeypatch, source, line, instead)
    assert told(program, config, True) != right
