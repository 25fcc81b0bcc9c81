"""Random programs: leaving out choices of orders that nobody can tell apart changes no answer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from abpress.config import ProgramOptions
from abpress.ir.passes.pipeline import simplify
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.reductions.table import STATIC
from abpress.search.stateful import explore
from abpress.semantics.interpreter import Interpreter
from abpress_frontend.load import load_program
from abpress_frontend.lower import orders
from abpress_frontend.lower.sharing import Sharing
from tests.sampling import sample

HEAD = """\
#include <pthread.h>
void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x, y, z, *p = &x;
"""
LOCK, UNLOCK = "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"
BEGIN, END = "__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"
AHEAD = {
    "f": ("", "x = 1;", "y = 1;", "pthread_mutex_lock(&n); y = 1; pthread_mutex_unlock(&n);"),
    "g": ("", f"{UNLOCK} {LOCK}", "y = x;"),
    "h": ("", f"{END} {BEGIN}", "x = y;"),
}
OF_ALL = (
    "x = 1; y = 1;", "y = 1; x = 1;", "*p = 1; y = 1;", "x = 0;", "y = 0;", "p = &y;",
    f"{LOCK} x = 1; y = 1; {UNLOCK}", f"{LOCK} y = 1; x = 1; {UNLOCK}",
    f"{BEGIN} x = 1; y = 1; {END}",
)  # fmt: skip
OF_MAIN = (
    "z = 2 * y - x;", "z = 2 * x - y;", "z = 2 * x + f();", f"{LOCK} z = 2 * y - x; {UNLOCK}",
    f"{LOCK} x = 0; z = x + g(); {UNLOCK}", f"{BEGIN} x = 0; z = x + h(); {END}", "u = t;",
    "if (t) pthread_join(t, 0);", "pthread_create(&t, 0, other, 0);",
    "pthread_create(&u, 0, third, 0);",
)  # fmt: skip


def actions(r: random.Random, main: bool, depth: int = 0) -> Iterator[str]:
    """Random statements of a thread."""
    for _ in range(r.randint(1, 3 if main else 2)):
        kind = r.randrange(10)
        if kind == 0 and depth < 2:
            yield f"{LOCK} {' '.join(actions(r, main, depth + 1))} {UNLOCK}"
        elif kind == 1 and depth < 2:
            yield f"if (__VERIFIER_nondet_int()) {{ {' '.join(actions(r, main, depth + 1))} }}"
        else:
            yield r.choice(OF_MAIN if main and kind < 8 else OF_ALL)


def made(seed: int) -> str:
    """The text of a random program with up to a few threads beside main."""
    r = random.Random(seed)
    ahead = "".join(f"int {f}(void) {{ {r.choice(b)} return 0; }}\n" for f, b in AHEAD.items())
    threads = "".join(
        f"void *{name}(void *q) {{ {' '.join(actions(r, False))} return 0; }}\n"
        for name in ("other", "third")
    )
    first = f"pthread_create(&t, 0, {r.choice(('other', 'third'))}, 0);"
    main = " ".join((first, *actions(r, True), *actions(r, True)))
    check = f"if (z == {r.choice((-1, 1, 2))}) reach_error();"
    return (
        f"{HEAD}{ahead}{threads}int main(void) {{ pthread_t t = 0, u = 0; {main} {check}"
        " return 0; }\n"
    )


TELLING = 29
"""The seed of a program that reaches the error in another order only."""


class _Everything(Sharing):
    """Takes all accesses for such as others may influence and notice."""

    def _contested(self, *_: object) -> bool:
        return True


class _Nothing(Sharing):
    """Takes none for such."""

    def _contested(self, *_: object) -> bool:
        return False


def answer(seed: int, folder: Path, sharing: type[Sharing], patch: pytest.MonkeyPatch) -> bool:
    """Whether an error is reached."""
    file = folder / "random.c"
    file.write_text(made(seed))
    with patch.context() as within:
        within.setattr(orders, "Sharing", sharing)
        program: Program = load_program(ProgramOptions(file)).program
    system = Interpreter(simplify(program))
    outcome = explore(system, STATIC["s-por"].make(system), PROPERTIES["unreach-call"])
    return bool(outcome.found)


@pytest.mark.parametrize("seed", sample(range(16, 32), 3))
def test_no_answer_changes(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = answer(seed, tmp_path, Sharing, monkeypatch)
    assert found == answer(seed, tmp_path, _Everything, monkeypatch), made(seed)


def test_the_comparison_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer(TELLING, tmp_path, _Everything, monkeypatch)
    assert not answer(TELLING, tmp_path, _Nothing, monkeypatch)
