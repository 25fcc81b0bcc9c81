"""Expressions whose order of evaluation can be told apart: what they give here, and compiled."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

from abpress.config import ProgramOptions
from abpress.ir.passes.pipeline import simplify
from abpress.properties import PROPERTIES
from abpress.properties.finding import Reached
from abpress.reductions.table import STATIC
from abpress.search.stateful import explore
from abpress.semantics.interpreter import Interpreter
from abpress_frontend.load import load_program
from tests.strategies.c_orders import FUNCTIONS, VARIABLES, Generator, Node, Store, outcomes

START: Store = (("u", 1), ("v", 2), ("x", 1), ("y", 2), ("z", 3))
COMPILERS = tuple((name, level) for name in ("gcc", "clang") for level in ("-O0", "-O2"))

Outcome = tuple[int, ...]
"""The value of an expression, then the variables."""


def telling(seed: int) -> Iterator[tuple[Node, set[Outcome]]]:
    """Random expressions with more than one outcome, and these."""
    for number in count(seed):
        node = Generator(number).expression()
        found = outcomes(node, START)
        if found is not None and len(found) > 1:
            yield node, {(value, *(dict(store)[v] for v in VARIABLES)) for value, store in found}


def _functions() -> str:
    return "".join(f"int {n}(int n) {{ {body} }}\n" for n, (body, _) in FUNCTIONS.items())


class Undecided(Exception):
    """A limit of the tool."""


def ours(node: Node, possible: set[Outcome], folder: Path) -> set[Outcome | None]:
    """Which of the outcomes are reached; None is any other. Raises Undecided."""
    asked = sorted(possible)
    begin = ["void reach_error(void);", f"int {', '.join(f'{n} = {v}' for n, v in START)};"]
    begin += [_functions().replace("\n", " "), f"int main(void) {{ int r = {node.text()};"]
    tests = [
        f"if ({' && '.join(f'{n} == {v}' for n, v in zip(('r', *VARIABLES), one, strict=True))})"
        " reach_error(); else"
        for one in asked
    ]
    file = folder / "order.c"
    file.write_text("\n".join((*begin, *tests, "reach_error(); return 0; }", "")))
    system = Interpreter(simplify(load_program(ProgramOptions(file)).program))
    reduction = STATIC["s-por"].make(system)
    outcome = explore(system, reduction, PROPERTIES["unreach-call"], keep_going=True)
    if not outcome.exhausted or system.soundness.reasons:
        raise Undecided(next(iter(system.soundness.reasons), "limit"))
    lines = set()
    for found in outcome.found:
        assert isinstance(found.finding, Reached)
        lines.add(found.finding.violation.position.origin.line)
    answers: dict[int, Outcome | None] = {len(begin) + 1 + k: one for k, one in enumerate(asked)}
    return {answers.get(line) for line in lines}


def claim(node: Node, outcomes: set[Outcome]) -> str:
    """A program that calls reach_error if the outcome is none of these."""
    names = ("r", *VARIABLES)
    none = " && ".join(
        f"!({' && '.join(f'{n} == {v}' for n, v in zip(names, one, strict=True))})"
        for one in sorted(outcomes)
    )
    start = ", ".join(f"{name} = {value}" for name, value in START)
    return (
        f"void reach_error(void);\nint {start};\n{_functions()}"
        f"int main(void) {{ int r = {node.text()}; if ({none}) reach_error(); return 0; }}\n"
    )


def compiled(nodes: Sequence[Node], compiler: str, level: str, folder: Path) -> list[Outcome]:
    """What a compiler makes of each."""
    names = ("r", *VARIABLES)
    show = f'printf("{" ".join(["%d"] * len(names))}\\n", {", ".join(names)});'
    start = " ".join(f"{name} = {value};" for name, value in START)
    blocks = "\n".join(f"{{ {start} int r = {node.text()}; {show} }}" for node in nodes)
    file, binary = folder / "orders.c", folder / "orders"
    file.write_text(
        "int printf(const char *, ...);\n"
        f"int {', '.join(VARIABLES)};\n{_functions()}int main(void) {{\n{blocks}\nreturn 0; }}\n"
    )
    subprocess.run([compiler, "-w", level, "-o", binary, file], check=True, timeout=60)
    run = subprocess.run([binary], capture_output=True, text=True, timeout=60, check=True)
    return [tuple(map(int, line.split())) for line in run.stdout.splitlines()]


def disagreement(
    node: Node, possible: set[Outcome], theirs: Sequence[Outcome], folder: Path
) -> str:
    """What differs between us, the standard and compilers; empty if nothing."""
    reached = ours(node, possible, folder)
    if reached != possible:
        return f"{node.text()}: {reached}, but C allows {possible}"
    others = [one for one in theirs if one not in possible]
    return f"{node.text()}: {others} by a compiler, but C allows {possible}" if others else ""
