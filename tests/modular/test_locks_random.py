"""What facts say under locks and behind joins holds in all enumerated states of random programs.

Takes NOTE(held-cells) and NOTE(hidden-cells) at their word. Oracle: the definition of the
semantics, where every action is a step.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from abpress.config import Config
from abpress.ir.program import Program
from abpress.modular.analysis import Solution, analyse
from abpress.modular.standing import Detail
from abpress.verify.load import load
from tests.modular import test_bounds_random, test_numbers_random
from tests.sampling import examples

SEEDS = range(examples(102, whole=100), examples(105, whole=120))

HEAD = """
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
"""


class Text:
    """Draws the statements of threads that lock and join (mutable)."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._held: set[str] = set()

    def pick(self, *items: str) -> str:
        return self._random.choice(items)

    def statement(self, depth: int) -> str:
        kind = self._random.randrange(13)
        match kind:
            case 0 | 1:
                return self.pick("x++;", "x++;", "x--;", "x = y;", "x = 2147483646;", "x = 0;")
            case 2:
                return self.pick("r = x;", "r++;", "x = r;", "r = i;", "x = g->n;", "g->n = x + i;")
            case 3:
                return self.pick("i = 0;", "i = 1;", "if (i < 2) i++;", "if (i > 0) i--;", "i++;")
            case 4:
                return self.pick("if (x < 2147483646) x++;", "if (x > 0) x--;", "y = x;", "g->n++;")
            case 5 | 6:
                return self.pick(
                    "b[i] = 1;", "b[i + 1] = x;", "if (r >= 0 && r < 3) b[r] = 1;", "a[1] = 1;"
                )
            case 7 if depth:
                return f"if (__VERIFIER_nondet_int()) {{ {self.block(depth - 1)} }}"
            case 8 if depth and not self._held:
                self._held.add("section")
                inner = self.block(depth - 1)
                self._held.clear()
                return f"__VERIFIER_atomic_begin(); {inner} __VERIFIER_atomic_end();"
            case _ if "section" not in self._held:
                return self.locked(depth)
            case _:
                return "x = 1;"

    def locked(self, depth: int) -> str:
        free = [m for m in ("m", "m", "l") if m not in self._held]
        if not free:
            return "i = 2;"
        lock = self._random.choice(free)
        self._held.add(lock)
        inner = self.block(max(depth - 1, 0))
        self._held.discard(lock)
        if self._random.random() < 0.1:
            return f"{inner} pthread_mutex_lock(&{lock}); pthread_mutex_unlock(&{lock});"
        if self._random.random() < 0.15:
            inner = f"{inner} pthread_mutex_unlock(&{lock});"
            return f"if (!pthread_mutex_trylock(&{lock})) {{ {inner} }}"
        return f"pthread_mutex_lock(&{lock}); {inner} pthread_mutex_unlock(&{lock});"

    def block(self, depth: int) -> str:
        return " ".join(self.statement(depth) for _ in range(self._random.randrange(1, 4)))

    def program(self) -> str:
        works = "".join(
            f"void *work{k}(void *arg) {{ int r = 0; {self.locked(2)} {self.locked(1)}"
            " return 0; }\n"
            for k in range(2)
        )
        second = self.pick("work0", "work1", "work1")
        x = self.pick("0", "2147483645", "2147483646", "2147483646")
        joined = self.pick("", "pthread_join(t, 0);", "pthread_join(t, 0); pthread_join(u, 0);")
        return (
            f"{HEAD}int x = {x}, y, i, b[3]; *a; struct s {{ int m, n; }} *g;\n"
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, l = PTHREAD_MUTEX_INITIALIZER;\n"
            f"{works}int main(void) {{ pthread_t t, u; int r = 0;"
            f" a = malloc(8); g = malloc(sizeof *g); g->n = {x}; {self.pick('', self.block(0))}"
            f" pthread_create(&t, 0, work0, 0); pthread_create(&u, 0, {second}, 0);"
            f" {self.pick('', self.locked(1))} {joined} {self.pick('', self.block(1))}"
            f" {self.pick('', 'free(a);')} {self.pick('', '', self.statement(0))}"
            " return 0; }\n"
        )


def loaded(seed: int, folder: Path, property: str) -> tuple[Program, Solution | None]:
    file = folder / f"{seed}.c"
    file.write_text(Text(seed).program())
    config = Config.of(file, data_model="ILP32", property=property)
    program = load(config).program
    return program, analyse(program, Detail(parts=8))


def test_numbers_under_locks(tmp_path: Path) -> None:
    proved, overflown = 0, 0
    for seed in SEEDS:
        program, solution = loaded(seed, tmp_path, "no-overflow")
        _, is_proved, found = test_numbers_random.compare(program, solution)
        proved += is_proved
        overflown += bool(found)
    assert proved > examples(0, whole=1)
    assert overflown > 0


def test_accesses_under_locks(tmp_path: Path) -> None:
    proved, invalid = 0, 0
    for seed in SEEDS:
        program, solution = loaded(seed, tmp_path, "valid-deref")
        found, undefined = test_bounds_random.compare(program, solution)
        proved += not found.alarms
        invalid += bool(undefined)
    assert proved > examples(0, whole=1)
    assert invalid > 0
