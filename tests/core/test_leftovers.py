"""Memory that is left when the program ends: the core finds what the Python search finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.core import search
from abpress.core.build import find_compiler
from abpress.core.lower import lower
from abpress.engines.order import InOrder
from abpress.result import Soundness
from abpress.verify.load import load
from tests.core.comparison import compare_both, told

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

PROGRAM = """
#include <alloca.h>
#include <pthread.h>
#include <stdlib.h>
int *kept[2], taken;
void *take(void *arg) {
    int k = taken;
    int *here = alloca(sizeof *here);
    *here = k;
    taken = *here + 1;
    kept[k] = malloc(sizeof **kept);
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, take, 0);
    if (WAITS) for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    for (int i = 0; i < 2; i++) free(kept[i]);
    END;
}
"""
"""Two threads may keep what they allocate at the same place, and be slower than the main thread."""

MOST = 5_000
"""States or events."""

LEFT = [
    ("return 0", 1, True),
    ("exit(0)", 0, True),
    ("pthread_exit(0)", 0, True),
    ("_Exit(1)", 1, True),
    ("abort()", 0, False),
]


@pytest.mark.parametrize(("end", "waits", "is_left"), LEFT)
def test_both_find_the_same(end: str, waits: int, is_left: bool, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(PROGRAM.replace("END", end))
    for engine, reductions in (
        ("explicit", tuple(search.ALGORITHMS)),
        ("stateless", ("source", "optimal")),
    ):
        config = Config.of(
            file,
            engine=engine,
            properties=("valid-memcleanup",),
            defines=(f"WAITS={waits}",),
        )
        program = load(config, every_access=engine == "stateless").program
        for por in reductions:
            assert compare_both(program, config.but(por=por), MOST) == {"same"}
            for keep_going in (False, True):
                asked = config.but(por=por, keep_going=keep_going)
                assert bool(told(program, asked, True, MOST).found) is is_left


def test_who_does_not_ask_has_no_code_for_it(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(PROGRAM.replace("END", "return 0"))
    lengths = []
    for asked in ("unreach-call", "valid-memcleanup"):
        config = Config.of(file, properties=(asked,), defines=("WAITS=1",))
        program = load(config).program
        lengths.append(len(lower(InOrder(program, config, Soundness())).words))
    assert lengths[0] < lengths[1]
