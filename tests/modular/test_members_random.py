"""Numeric facts about members of elements of arrays hold in all enumerated states.

Oracle: the definition of the semantics, where every action is a step.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from abpress.analysis.congruence import Congruences
from abpress.analysis.facts import Facts
from abpress.analysis.points_to import Static
from abpress.config import Config
from abpress.ir.program import Load, Program, Store
from abpress.semantics.reference_expressions import ReferenceEvaluator, Unspecified
from abpress.verify.load import load
from tests.modular.enumeration import reached
from tests.modular.test_numbers_random import compare
from tests.sampling import examples

MOST_STATES = 1500

HEAD = """
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void assume(int c) { if (!c) abort(); }
struct inner { int c; int d[2]; };
struct outer { int a; struct inner in[2]; int b; } x[3] = { { 5 }, { 2147483640 } };
struct outer y; int k;
"""


class Members:
    """Draws the statements of a thread (mutable)."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def _index(self, most: int) -> str:
        return self._random.choice(("i", str(self._random.randrange(most)), "(k & 1)"))

    def _member(self) -> str:
        base = self._random.choice(("y", f"x[{self._index(3)}]", f"x[{self._index(3)}]"))
        inner = f"in[{self._index(2)}]"
        return base + self._random.choice(
            (".a", ".b", f".{inner}.c", f".{inner}.d[{self._index(2)}]")
        )

    def _statement(self) -> str:
        random = self._random
        number = random.choice(("1", "3", "-2", "2000000000", "-2000000000"))
        match random.randrange(7):
            case 0:
                return f"{self._member()} = {number};"
            case 1:
                return f"{self._member()} = {self._member()} + {number};"
            case 2:
                return f"p = &{self._member()};"
            case 3:
                return f"if (p) *p = {number};"
            case 4:
                return f"if (p) r = *p + {number};"
            case 5:
                return f"p = &x[{self._index(3)}].in[0].c; p += {random.choice(('i', '1', '3'))};"
            case _:
                return f"r = {self._member()} + {number};"

    def program(self) -> str:
        """The text of a program with two threads."""
        body = ["".join(f"  {self._statement()}\n" for _ in range(self._random.randrange(2, 5)))
                for _ in range(2)]  # fmt: skip
        start = "int i = __VERIFIER_nondet_int(); assume(i == 0 || i == 1); int *p = 0, r = 0;"
        return (
            f"{HEAD}void *work(void *arg) {{ {start}\n{body[0]}  k = r; return 0; }}\n"
            f"int main(void) {{ pthread_t t; {start}\n  k = i; pthread_create(&t, 0, work, 0);\n"
            f"{body[1]}  return r; }}\n"
        )


def program_of(seed: int, folder: Path) -> Program:
    file = folder / f"members{seed}.c"
    file.write_text(Members(seed).program())
    return load(Config.of(file, data_model="ILP32", signed_overflow="error")).program


def offsets_hold(program: Program) -> int:
    """Compares the offsets of all accesses that threads stand before; returns how many were
    known up to a stride."""
    congruences = Congruences(program, Facts.of(program).points_to)
    strided = 0
    for now in reached(program, MOST_STATES):
        for name, thread in now.threads.items():
            if thread.location is None:
                continue
            template = program.templates[thread.template]
            names = {o: f"{name}:{o}" for o in template.locals}
            for edge in template.locations[thread.location].edges:
                if len(edge.effects) != 1 or not isinstance(edge.effects[0], Load | Store):
                    continue
                address = edge.effects[0].address
                try:
                    value = ReferenceEvaluator(thread.registers, pointer_size=4, names=names)(
                        address
                    )
                except Unspecified:
                    continue
                if not isinstance(value, tuple) or value[0] not in program.objects:
                    continue
                offset, stride = congruences.targets(thread.template, address)[Static(value[0])]
                assert (value[1] - offset) % stride == 0 if stride else value[1] == offset
                strided += stride > 4
    return strided


def test_members(tmp_path: Path) -> None:
    outcomes = [compare(program_of(seed, tmp_path))[1:] for seed in range(examples(8, whole=60))]
    assert sum(proved for proved, _ in outcomes) > examples(1, whole=3)
    assert sum(bool(overflown) for _, overflown in outcomes) > examples(0, whole=1)


def test_offsets(tmp_path: Path) -> None:
    programs = [program_of(seed, tmp_path) for seed in range(examples(4, whole=30))]
    assert sum(map(offsets_hold, programs)) > examples(50, whole=100)
