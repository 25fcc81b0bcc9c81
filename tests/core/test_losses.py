"""Lost memory: the core finds what the Python search finds, `abpress/semantics/tracking.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.core.build import find_compiler
from abpress.verify.load import load
from tests.core.comparison import compare, told

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

PROGRAMS = Path(__file__).parents[1] / "programs" / "memory"

BESIDE = """
#include <stdlib.h>
int *past;
int main(void) {
    int *p = malloc(4 * sizeof *p);
    past = p + 2; p = 0;
    past += 3; past -= 3;
    free(past - 2);
    return 0;
}
"""
"""For a moment only a pointer beyond its bounds leads to the object."""

PAST = """
#include <stdlib.h>
int *end;
int main(void) {
    int *p = malloc(4 * sizeof *p);
    end = p + 4; p = 0;
    end -= 4;
    free(end);
    return 0;
}
"""

ENDED = """
#include <pthread.h>
#include <stdlib.h>
int x;
void *ends(void *given) {
    int n = 1 + x;
    int *own[n];
    own[0] = malloc(sizeof *own[0]);
    x = 2;
    pthread_exit(0);
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, ends, 0);
    pthread_join(a, 0);
    return 0;
}
"""
"""What an array of a variable length holds is lost with its thread."""

AT_THE_END = """
#include <pthread.h>
#include <stdlib.h>
int *end, x;
void *looks(void *given) { x = end != 0; return 0; }
int main(void) {
    pthread_t a;
    end = malloc(sizeof *end);
    end++;
    x = 1;
    pthread_create(&a, 0, looks, 0);
    pthread_join(a, 0);
    free(end - 1);
    return 0;
}
"""

TEMPORARY = """
#include <stdlib.h>
int main(void) { *(int *)malloc(sizeof(int)) = 1; return 0; }
"""

DROPPED = """
#include <pthread.h>
#include <stdlib.h>
int *shared, seen;
void *drops(void *given) { if (!seen) shared = 0; if (!seen) return 0; return 0; }
int main(void) {
    pthread_t a;
    shared = malloc(sizeof *shared);
    pthread_create(&a, 0, drops, 0);
    free(shared);
    pthread_join(a, 0);
    return 0;
}
"""
"""The same store over the same pointer loses nothing where main has freed the object."""

WRITTEN = """
#include <pthread.h>
#include <stdlib.h>
int *shared, seen;
void *writes(void *given) { *shared = seen; return 0; }
void *drops(void *given) { if (!seen) shared = 0; if (!seen) return 0; return 0; }
int main(void) {
    pthread_t a, b;
    shared = calloc(1, sizeof *shared);
    pthread_create(&a, 0, writes, 0); pthread_create(&b, 0, drops, 0);
    if (shared) return *shared;
    return 0;
}
"""
"""Nor where another thread is about to write there."""

FRAMES = """
#include <pthread.h>
#include <stdlib.h>
int *shared;
void *keeps(void *given) {
    int *own = malloc(sizeof *own);
    if (shared == 0) shared = own; else free(own);
    return 0;
}
void *drops(void *given) { shared = 0; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, keeps, 0); pthread_create(&b, 0, drops, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    free(shared);
    return 0;
}
"""
"""Of a store what is lost depends on where the other thread stands."""


TWICE = """
#include <pthread.h>
#include <stdlib.h>
pthread_t shared;
void *gives(void *given) { return malloc(1); }
void *joins(void *given) { void *result; pthread_join(shared, &result); free(result); return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&shared, 0, gives, 0);
    pthread_create(&a, 0, joins, 0); pthread_create(&b, 0, joins, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    return 0;
}
"""
"""The joins forget one result, and are in no order."""

EARLIER = """
#include <pthread.h>
#include <stdlib.h>
int *shared;
void *drops(void *given) { shared = 0; return 0; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, drops, 0);
    shared = malloc(sizeof *shared);
    exit(0);
}
"""
"""The store that loses the object does more where that was not stored."""


def same(file: Path, por: str, keep_going: bool, engine: str = "explicit") -> str:
    """What both searches tell, which has to be the same."""
    config = Config.of(
        file, properties=("valid-memtrack",), por=por, keep_going=keep_going, engine=engine
    )
    program = load(config, every_access=engine == "stateless").program
    assert compare(program, config, 3_000) == "same"
    its = told(program, config, True, 3_000)
    return str((its.found, its.soundness))


NAMES = (
    *("lost_by_thread", "lost_result", "lost_cycle", "lost_by_copy", "lost_atomic_exit"),
    *("lost_thread_ends", "lost_pthread_exit", "lost_vla"),
    *("kept_interior", "kept_list", "kept_two_threads", "kept_struct_param"),
)


@pytest.mark.parametrize("name", NAMES)
def test_programs(name: str) -> None:
    its = same(PROGRAMS / f"{name}.c", "s-por", name != "lost_result")
    assert ("is lost" in its) is name.startswith("lost")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BESIDE, "only a pointer beyond its bounds"),
        (PAST, "[]"),
        (TEMPORARY, "is lost"),
        (DROPPED, "is lost"),
        (WRITTEN, "is lost"),
        (FRAMES, "is lost"),
        (EARLIER, "is lost"),
        (ENDED, "is lost"),
        (AT_THE_END, "[]"),
    ],
    ids=[
        *("beside", "past", "temporary", "dropped", "written", "frames", "earlier", "ended"),
        "at_the_end",
    ],
)
def test_what_leads_to_an_object(text: str, expected: str, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(text)
    for por in ("none", "s-por"):
        assert expected in same(file, por, True)
    for por in ("source", "optimal"):
        assert expected in same(file, por, True, "stateless")
    assert expected in same(file, "dl-s-por", True)


@pytest.mark.parametrize("por", ["persistent", "source", "optimal", "none"])
@pytest.mark.parametrize("name", NAMES)
def test_without_stored_states(name: str, por: str) -> None:
    its = same(PROGRAMS / f"{name}.c", por, True, "stateless")
    assert ("is lost" in its) is name.startswith("lost")


def test_a_thread_that_is_joined_twice(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(TWICE)
    config = Config.of(file, properties=("valid-memtrack",), engine="stateless", por="source")
    program = load(config, every_access=True).program
    assert "a thread that is joined twice" in compare(program, config.but(keep_going=True))
