"""Orders of evaluation: random expressions give just what C allows, and all that compilers give."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from abpress.config import ProgramOptions
from abpress.ir.passes.pipeline import simplify
from abpress.properties import PROPERTIES
from abpress.reductions.table import STATIC
from abpress.search.stateful import explore
from abpress.semantics.interpreter import Interpreter
from abpress_frontend.load import load_program
from tests.strategies.c_orders import FUNCTIONS, VARIABLES, Generator, Node, Store, outcomes

START: Store = (("u", 1), ("v", 2), ("x", 1), ("y", 2), ("z", 3))
SEEDS = (
    15, 44, 60, 61, 115, 125, 138, 168, 169, 184, 187, 199, 207, 212, 235, 254, 274, 280, 288, 299,
    301, 340, 350, 352, 355, 371, 395, 418, 422, 635,
)  # fmt: skip
"""Of expressions with more than one outcome; few are."""

Outcome = tuple[int, ...]


def made(seed: int) -> tuple[Node, set[Outcome]]:
    """An expression and its outcomes: its value, then the variables."""
    node = Generator(seed).expression()
    found = outcomes(node, START)
    assert found is not None and len(found) > 1
    return node, {(value, *(dict(store)[v] for v in VARIABLES)) for value, store in found}


def source(node: Node, check: str) -> str:
    functions = "".join(f"int {n}(int n) {{ {body} }}\n" for n, (body, _) in FUNCTIONS.items())
    start = ", ".join(f"{name} = {value}" for name, value in START)
    return (
        f"void reach_error(void);\nint printf(const char *, ...);\nint {start};\n{functions}"
        f"int main(void) {{\n    int r = {node.text()};\n    {check}\n    return 0;\n}}\n"
    )


def condition(outcome: Outcome) -> str:
    names = ("r", *VARIABLES)
    return " && ".join(f"{n} == {v}" for n, v in zip(names, outcome, strict=True))


def reached(text: str, folder: Path) -> bool:
    """Whether reach_error is; everything must be explored."""
    file = folder / "order.c"
    file.write_text(text)
    system = Interpreter(simplify(load_program(ProgramOptions(file)).program))
    outcome = explore(system, STATIC["s-por"].make(system), PROPERTIES["unreach-call"])
    assert outcome.found or not system.soundness.reasons, f"{system.soundness.reasons}\n{text}"
    return bool(outcome.found)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_orders_are_those_of_the_standard(seed: int, tmp_path: Path) -> None:
    node, possible = made(seed)
    for outcome in possible:
        text = source(node, f"if ({condition(outcome)}) reach_error();")
        assert reached(text, tmp_path), text
    none = " || ".join(f"({condition(o)})" for o in sorted(possible))
    text = source(node, f"if (!({none})) reach_error();")
    assert not reached(text, tmp_path), text


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_what_compilers_choose_is_possible(compiler: str, level: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    names = ("r", *VARIABLES)
    show = f'printf("{" ".join(["%d"] * len(names))}\\n", {", ".join(names)});'
    for seed in SEEDS:
        node, possible = made(seed)
        file, binary = tmp_path / "order.c", tmp_path / "order"
        file.write_text(source(node, show))
        subprocess.run([compiler, "-w", level, "-o", binary, file], check=True, timeout=60)
        run = subprocess.run([binary], capture_output=True, text=True, timeout=10, check=False)
        assert tuple(map(int, run.stdout.split())) in possible, node.text()
