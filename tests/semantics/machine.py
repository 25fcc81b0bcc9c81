"""Running programs in their textual form, for the tests of the interpreter."""

from __future__ import annotations

from typing import Any

from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.result import Soundness
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import ConcreteStep, Options, State

HEADER = "program pointer 4 overflow end\n"


class Machine:
    """An interpreter and what it has lost. `steps` and `run` follow threads by their names."""

    def __init__(self, text: str, visible: bool = False, **options: int) -> None:
        header = "" if text.lstrip().startswith("program") else HEADER
        self.program: Program = parse_program(header + text)
        self.soundness = Soundness()
        everything = {
            name: frozenset(
                (i, k) for i, loc in enumerate(t.locations) for k in range(len(loc.edges))
            )
            for name, t in self.program.templates.items()
        }
        self.interpreter = Interpreter(
            self.program, Options(**options), self.soundness, everything if visible else None
        )
        self.state: State = self.interpreter.initial()

    def thread(self, name: str = "main") -> int:
        """The id of a thread of the current state."""
        for t in self.interpreter.threads(self.state):
            if self.interpreter.views.thread_name(t) == name:
                return t
        raise AssertionError(f"no unfinished thread {name}")

    def steps(self, name: str = "main") -> tuple[ConcreteStep, ...]:
        """The next steps of a thread."""
        return self.interpreter.steps(self.state, self.thread(name))

    def step(self, name: str = "main") -> ConcreteStep:
        """Takes the only next step of a thread."""
        (step,) = self.steps(name)
        self.state = step.successor
        return step

    def run(self, *names: str) -> Machine:
        """Takes steps of the threads in this order."""
        for name in names:
            self.step(name)
        return self

    def finish(self, name: str = "main") -> Machine:
        """Takes the only steps of a thread until it has finished, or the program has ended."""
        for _ in range(10_000):
            threads = self.interpreter.threads(self.state)
            if name not in map(self.interpreter.views.thread_name, threads):
                return self
            self.step(name)
        raise AssertionError(f"{name} does not finish")

    def stops(self, name: str = "main") -> str:
        """Runs a thread until it has no step; the first loss of soundness or assumption."""
        for _ in range(10_000):
            steps = self.steps(name)
            if not steps:
                break
            self.state = steps[0].successor
        found = [*self.soundness.reasons, *self.soundness.assumptions]
        return found[0] if found else ""

    @property
    def memory(self) -> dict[str, Any]:
        return self.interpreter.views.describe(self.state)["memory"]  # type: ignore[no-any-return]

    def reachable(self) -> list[State]:
        """All states, the initial one first."""
        seen = {self.interpreter.initial(): None}
        stack = list(seen)
        while stack:
            s = stack.pop()
            for t in self.interpreter.threads(s):
                for step in self.interpreter.steps(s, t):
                    if step.successor not in seen:
                        seen[step.successor] = None
                        stack.append(step.successor)
        return list(seen)

    def outcomes(self, *cells: str) -> set[tuple[Any, ...]]:
        """The values of cells in the states in which no thread is left."""
        found = set()
        for s in self.reachable():
            if not self.interpreter.threads(s):
                memory = self.interpreter.views.describe(s)["memory"]
                found.add(tuple(memory[cell] for cell in cells))
        return found


def straight(*effects: str, declare: str = "", registers: str = "", ends: bool = True) -> str:
    """A program whose main performs the effects, one edge each, at lines 1, 2, …"""
    lines = [f"  L{k}: {text} -> L{k + 1} @ {k + 1}:1" for k, text in enumerate(effects)]
    last = len(effects)
    end = f'  L{last}: exit "done" -> L{last}' if ends else f"  L{last}:"
    declared = "\n".join(f"  register {r.strip()}" for r in registers.split(",") if r.strip())
    locals_ = "\n".join(f"  {line}" for line in declare.split("\n") if line.startswith("local"))
    objects = "\n".join(line for line in declare.split("\n") if not line.startswith("local"))
    body = "\n".join(lines)
    return f'file "t.c"\n{objects}\ntemplate main entry L0\n{declared}\n{locals_}\n{body}\n{end}\n'
