"""Random small programs whose threads write the same two cells again and again.

Main creates the threads first, so that all of them race. Without choices.
"""

from __future__ import annotations

from hypothesis import strategies as st

from abpress.ir.expr import Const, Reg
from abpress.ir.program import MemoryObject, Program, Spawn
from abpress.ir.types import scalar_layout
from tests.strategies.ir_body import Body
from tests.strategies.ir_programs import NULL, SHARED, THREAD_ID, Draw, Features, Writer

PLAIN = Features(
    pointers=False,
    unbounded_loops=False,
    inputs=False,
    locals=False,
    overflows=False,
)


class WritesOften(Writer):
    """Draws mostly stores, and loads that observe them; `waiting`: what makes threads wait, too."""

    waiting = True

    def statement(self, depth: int) -> None:
        kinds = ["store"] * 8 + ["load", "bump", "assert"] + ["load"] * 2 * (depth == 0)
        if depth == 0:
            kinds += ["atomic"] * 3 + ["if", "exit"]
        if self.waiting:
            kinds += ["await_variable", "assume", "await_register"]
            kinds += ["locked"] * (depth == 0)
        getattr(self, "_" + self.pick(kinds))(depth)


@st.composite
def writing_programs(
    draw: Draw, most: int = 3, statements: int = 3, waiting: bool = True
) -> Program:
    """Programs of two to `most` threads besides main, each with at most so many statements."""
    count: int = draw(st.integers(2, most))  # type: ignore[assignment]
    templates = {}
    for name in ("main", *(f"worker{k}" for k in range(count))):
        body = Body(name)
        writer = WritesOften(draw, body, PLAIN, [])
        writer.waiting = waiting
        if name == "main":
            for k in range(count):
                thread = Reg(f"t{k}", THREAD_ID)
                body.registers[thread.name] = THREAD_ID
                body.then(Spawn(thread, f"worker{k}", NULL))
        for _ in range(1 + writer.number(statements - 1)):
            writer.statement(0)
        writer.end()
        templates[name] = body.template()
    shared = {n: MemoryObject(n, scalar_layout(t), (Const(0, t),)) for n, t in SHARED.items()}
    return Program(templates, shared)
