"""Entailments per second of the prover, per encoding: fresh assumptions, the same ones, cached.

Five to twelve comparisons of eight variables of type int as assumptions, one as goal. Processor
time, without translation of the formulas.
"""

from __future__ import annotations

import argparse
import random
import time

from abpress.ir.expr import Binary, Compare, Const, Reg
from abpress.ir.types import INT
from abpress.logic.formula import Formula, holds, neg
from abpress.smt.prover import Prover
from abpress.smt.table import ENCODINGS

QUESTIONS = 4000
GOALS = 10
Entailment = tuple[frozenset[Formula], Formula]


def atom(rng: random.Random) -> Formula:
    """A comparison of a variable, or of a sum with a small number, with a number or variable."""
    a, b = rng.sample([Reg(f"x{i}", INT) for i in range(8)], 2)
    op = rng.choice(["<", "<=", "==", "!=", ">"])
    match rng.randrange(4):
        case 0 | 1:
            return holds(Compare(op, a, Const(rng.randrange(-9, 10), INT)))
        case 2:
            return holds(Compare(op, a, b))
        case _:
            moved = Binary(rng.choice("+-"), a, Const(rng.randrange(1, 4), INT))
            return holds(Compare(op, moved, b))


def rate(prover: Prover, questions: list[Entailment]) -> float:
    """Questions per second."""
    begin = time.process_time()
    for known, goal in questions:
        prover.entails(known, goal)
    return len(questions) / (time.process_time() - begin)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds nothing: it has no arguments."""


def run(options: argparse.Namespace) -> int:
    """Prints a line per encoding."""
    rng = random.Random(1)
    pool = sorted({atom(rng) for _ in range(150)}, key=lambda f: f.order)

    def assumptions() -> frozenset[Formula]:
        return frozenset(rng.sample(pool, rng.randrange(5, 13)))

    fresh = [(assumptions(), rng.choice(pool)) for _ in range(QUESTIONS)]
    sets = [assumptions() for _ in range(QUESTIONS // GOALS)]
    same = [(known, rng.choice(pool)) for known in sets for _ in range(GOALS)]
    for encoding in ENCODINGS:
        prover = Prover(encoding)
        for f in pool:  # translated beforehand
            prover.satisfiable([f])
            prover.satisfiable([neg(f)])
        rates = [rate(prover, q) for q in (fresh, same, fresh * 10)]
        shown = zip(("fresh assumptions", f"{GOALS} goals each", "cached"), rates, strict=True)
        print(f"{encoding:4}", ", ".join(f"{name} {number:,.0f}/s" for name, number in shown))
    return 0
