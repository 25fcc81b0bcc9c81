"""What is proved of pointers on the heap and in arrays is so in all enumerated states.

Oracle: the definition of the semantics, where every action is a step.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.modular.test_bounds_random import HEAD, compare_all
from tests.sampling import examples

NODES = """
struct node { struct node *next, *last; int v; } end = { &end, 0, 0 }, *first = &end, *second;
struct node *slots[2]; struct { int mark; struct node *at; } pairs[2];
"""


class Lists:
    """Draws the statements of a thread (mutable)."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def _pick(self, *items: str) -> str:
        return self._random.choice(items)

    def _pointer(self) -> str:
        return self._pick("p", "p", "p", "q", "q", "first", "first", "second", "(&end)", "slots[0]")

    def _place(self) -> str:
        member = self._pick("next", "next", "last")
        return self._pick(
            f"p->{member}", f"p->{member}", f"q->{member}", "first", "second", "p", "q",
            "slots[i]", "slots[1]", "pairs[i].at", f"first->{member}", "p->next",
        )  # fmt: skip

    def _statement(self, depth: int) -> str:
        match self._random.randrange(17):
            case 0 | 1:
                return self._pick("p", "q", "p", "first") + " = malloc(sizeof *p);"
            case 2:
                return self._pick("p", "q") + " = calloc(1, sizeof *p);"
            case 3 | 4:
                return f"p->next = {self._pointer()}; p->last = {self._pointer()};"
            case 5 | 6 | 7:
                return f"{self._place()} = {self._pick(self._pointer(), self._place())};"
            case 8:
                return f"{self._place()} = 0;"
            case 9 | 14 | 15:
                return f"{self._pointer()}->v = 1;"
            case 16:
                return f"{self._place()}->v = 1;"
            case 10 if depth:
                test = self._pick("p", "q", self._place(), f"p == {self._pointer()}")
                return f"if ({test}) {{ {self._block(depth - 1)} }}"
            case 11 if depth:
                return f"for (i = 0; i < 2; i++) {{ {self._block(depth - 1)} }} i = 0;"
            case 12 if depth:
                inner = self._block(depth - 1)
                return f"__VERIFIER_atomic_begin(); {inner} __VERIFIER_atomic_end();"
            case 13:
                return self._pick("*p = *q;", "i = 1;", "i = 0;", "if (p->next) p->next->v = 1;")
            case _:
                return "p = q;"

    def _block(self, depth: int) -> str:
        return " ".join(self._statement(depth) for _ in range(self._random.randrange(1, 4)))

    def program(self) -> str:
        """The text of a program."""
        begin = "struct node *p = &end, *q = &end; int i = 0;"
        work = f"void *work(void *arg) {{ {begin} {self._block(2)} return 0; }}\n"
        passed = self._pick("0", "0", "p")
        if passed == "p":
            work = work.replace("*q = &end", "*q = arg")
        created = f"pthread_create(&t[0], 0, work, {passed});"
        created += self._pick("", "", f" pthread_create(&t[1], 0, work, {passed});")
        fill = self._pick("", "for (i = 0; i < 2; i++) slots[i] = &end; i = 0;")
        text = f"{fill} {self._block(2)} {created} {self._pick('', self._block(1))}"
        return f"{HEAD}{NODES}{work}int main(void) {{ pthread_t t[2]; {begin} {text} return 0; }}\n"


def test_random_programs(tmp_path: Path) -> None:
    seeds = range(examples(10, whole=80))
    proved, invalid = compare_all((Lists(seed).program() for seed in seeds), tmp_path)
    assert proved > examples(1, whole=3)
    assert invalid > examples(1, whole=3)
