"""What is said of cells by their addresses holds in random programs with locks in many objects.

Takes NOTE(elements-by-address) at its word. Oracle: the definition of the semantics, where every
action is a step.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from abpress.config import Config
from abpress.modular.analysis import analyse
from abpress.modular.beside import Beside
from abpress.modular.claims import claimed, read, written
from abpress.modular.pairs import pairs
from abpress.modular.standing import Detail
from abpress.proof.modular import check_claims
from abpress.semantics.reference import ReferenceInterpreter
from abpress.verify.load import load
from tests.modular.enumeration import walked
from tests.modular.test_random_facts import Oracle
from tests.sampling import examples

HEAD = """
#include <pthread.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
struct acc { pthread_spinlock_t l; int n; struct acc *next, *other; } *A, S[2];
struct acc *accs[2], *g, **pp;
struct acc *made(struct acc *next) {
  struct acc *a = malloc(sizeof *a);
  pthread_spin_init(&a->l, 0); a->n = 0; a->next = next; a->other = 0;
  return a;
}
"""
FILLED = """
  int size = 2;
  A = malloc(size * sizeof *A);
  for (int k = 0; k < 2; k++) {
    pthread_spin_init(&A[k].l, 0); A[k].n = 0; A[k].next = A; A[k].other = S;
  }
  pthread_spin_init(&S[0].l, 0); pthread_spin_init(&S[1].l, 0);
  accs[0] = made(0); accs[1] = made(accs[0]); g = accs[1]; pp = &g;
"""
BEGUN = "int i = __VERIFIER_nondet_bool(), j = __VERIFIER_nondet_bool(); struct acc *a, *b;"


class Objects:
    """Draws programs (mutable). Pointers in memory change never once threads run, or in atomic
    blocks only, or anywhere."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._change = self._pick("never", "in blocks", "anywhere")

    def _pick(self, *items: str) -> str:
        return self._random.choice(items)

    def _local(self) -> str:
        return self._pick("a", "a", "b")

    def _element(self) -> str:
        return self._pick(
            "(&A[i])", "(&A[j])", "(A + i)", "(&A[i + 1] - 1)", "(&S[i])", "(&A[1 - i])"
        )

    def _shared(self) -> str:
        member = self._pick("next", "next", "other")
        return self._pick("accs[i]", "accs[j]", "g", f"{self._local()}->{member}", "g->next")

    def _pointer(self) -> str:
        if self._change == "in blocks":
            return self._pick(self._local(), self._element())
        return self._pick(self._local(), self._local(), self._element(), self._shared())

    def _section(self, text: str) -> str:
        inside = f"__VERIFIER_atomic_begin(); {text} __VERIFIER_atomic_end();"
        return inside if self._change == "in blocks" else text

    def _moved(self, alone: bool = False) -> str:
        """Changes what a pointer or an index holds."""
        kind = self._random.randrange(7)
        if kind < 2 and (alone or self._change != "never"):
            place = self._pick("accs[i]", "g", "*pp", f"{self._local()}->next", "A[i].next")
            new = self._pick(self._local(), self._element(), "made(a)")
            again = self._pick("", "", "pp = &accs[i];", "pp = &a->next;")
            return self._section(f"{place} = {new}; {again}")
        if kind < 4:
            return self._section(f"{self._local()} = {self._shared()};")
        if kind < 6:
            return f"{self._local()} = {self._pick('a', 'b', 'a', self._element(), 'made(b)')};"
        return self._pick("i = j;", "i = __VERIFIER_nondet_bool();", "j = 1 - i;")

    def _statement(self, depth: int) -> str:
        kind = self._random.randrange(12)
        if kind < 3:
            return self._moved()
        if kind == 3 and depth:
            test = self._pick("a == b", "i == j", "i", "a != g" if self._change == "never" else "j")
            return f"if ({test}) {{ {self._block(depth - 1)} }}"
        if kind == 4 and depth:
            return f"for (int k = 0; k < 2; k++) {{ {self._block(depth - 1)} }}"
        if kind == 5 and not self._random.randrange(4):
            return self._pick("*a = *b;", "pthread_spin_init(&a->l, 0);", "free(b);", "a->n = 1;")
        return self._guarded(depth)

    def _guarded(self, depth: int) -> str:
        p = self._pointer()
        q, u = (p if self._random.random() < 0.9 else self._pointer() for _ in range(2))
        more = self._moved() if self._random.random() < 0.15 else ""
        if depth and not self._random.randrange(4):
            more += self._statement(depth - 1)
        body = f"{q}->n++; {more} {q + '->n = 2;' if more else ''} pthread_spin_unlock(&{u}->l);"
        if not self._random.randrange(6):
            return f"if (!pthread_spin_trylock(&{p}->l)) {{ {body} }}"
        return f"pthread_spin_lock(&{p}->l); {body}"

    def _block(self, depth: int) -> str:
        return " ".join(self._statement(depth) for _ in range(self._random.randrange(1, 3)))

    def _thread(self) -> str:
        given = self._pick("", "", "if (p) b = p;")
        return f"{BEGUN} {self._section('a = accs[i]; b = g;')} {given} {self._block(2)}"

    def program(self) -> str:
        """The text of a program."""
        threads = "".join(
            f"void *{name}(void *p) {{ {self._thread()} return 0; }}\n" for name in "fh"
        )
        before = "".join(self._moved(alone=True) for _ in range(self._random.randrange(3)))
        second = self._pick("", "pthread_create(&t, 0, h, 0);", "pthread_create(&t, 0, f, a);")
        more = self._pick("", self._block(1), self._guarded(1))
        return (
            f"{HEAD}{threads}int main(void) {{\n  pthread_t t;{FILLED}  {BEGUN} a = b = g; {before}"
            f" pthread_create(&t, 0, f, {self._pick('0', 'a')}); {second} {more} return 0;\n}}\n"
        )


def compare(text: str, file: Path) -> tuple[int, int]:
    """Compares what is known with states of the program; how many pairs of accesses are proved by
    what is beside them, and how many are not proved."""
    file.write_text(text)
    program = load(Config.of(file, data_model="LP64"), every_access=True).program
    solution = analyse(program, Detail(parts=8))
    if solution is None or solution.doubts:
        return 0, 0
    found = list(pairs(solution))
    check_claims(program, read(written(claimed(solution, found))))
    oracle = Oracle(solution)
    for now in walked(ReferenceInterpreter(program), 3):
        if len(now.threads) > 1:
            oracle.check(now)
    beside = sum(any(isinstance(r, Beside) for r in pair.reasons) for pair in found)
    return beside, sum(pair.alarm for pair in found)


def test_random_programs(tmp_path: Path) -> None:
    seeds = range(examples(3, whole=60))
    counts = [compare(Objects(seed).program(), tmp_path / "program.c") for seed in seeds]
    assert sum(beside for beside, _ in counts) > 3
    assert sum(left for _, left in counts) > 3
