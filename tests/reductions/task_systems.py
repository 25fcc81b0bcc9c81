"""Systems of threads whose steps are tasks: atomic, and what they access depends on what they read.

A task is a guard (it waits until a variable has a value) and operations on shared variables and the
thread's register. Small enough to be enumerated, and fast: thousands in a minute.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from abpress.ir.program import GuardKind
from abpress.semantics.outcome import AWAITING, Change, ConcreteStep
from abpress.semantics.recording import Recorded

VARIABLES = 4
VALUES = 3
FIRST_KEY = 1000
"""Keys of variables begin here."""

Operation = tuple
"""("set", x, c), ("copy", x, y), ("add", x, c), ("load", x) and ("store", x) of the register,
("if", x, c, then, else), ("test", c, then, else) of the register."""

Task = tuple[tuple[int, int] | None, tuple[Operation, ...]]
Code = tuple[tuple[Task, ...], ...]
State = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Per thread its next task and its register, and the variables."""


class _Run:
    """Executes a task, and notes what it accesses."""

    def __init__(self, register: int, variables: tuple[int, ...]) -> None:
        self.register = register
        self.variables = list(variables)
        self.reads: dict[int, None] = {}
        self.writes: dict[int, None] = {}

    def get(self, x: int) -> int:
        self.reads[FIRST_KEY + x] = None
        return self.variables[x]

    def put(self, x: int, value: int) -> None:
        self.writes[FIRST_KEY + x] = None
        self.variables[x] = value

    def run(self, operations: tuple[Operation, ...]) -> None:
        for operation in operations:
            match operation:
                case "set", x, c:
                    self.put(x, c)
                case "copy", x, y:
                    self.put(x, self.get(y))
                case "add", x, c:
                    self.put(x, (self.get(x) + c) % VALUES)
                case "load", x:
                    self.register = self.get(x)
                case "store", x:
                    self.put(x, self.register)
                case "if", x, c, then, other:
                    self.run(then if self.get(x) == c else other)
                case "test", c, then, other:
                    self.run(then if self.register == c else other)


@dataclass(frozen=True)
class Tasks:
    """The system; `order` is that in which threads (numbered from 1) are tried."""

    code: Code
    order: tuple[int, ...]
    known: dict[tuple[State, int], Recorded] = field(
        default_factory=dict, compare=False, repr=False
    )

    def initial(self) -> State:
        nothing = (0,) * len(self.code)
        return nothing, nothing, (0,) * VARIABLES

    def threads(self, s: State) -> tuple[int, ...]:
        return tuple(t for t in self.order if s[0][t - 1] < len(self.code[t - 1]))

    def record(self, s: State, t: int) -> Recorded:
        found = self.known.get((s, t))
        if found is None:
            found = self.known[s, t] = self._record(s, t)
        return found

    def steps(self, s: State, t: int) -> tuple[ConcreteStep, ...]:
        return self.record(s, t).steps

    def waits(self, s: State, t: int) -> GuardKind | None:
        return None if self.steps(s, t) else GuardKind.AWAIT

    @property
    def undo(self) -> Tasks:
        return self

    @property
    def cells(self) -> Tasks:
        return self

    @property
    def addresses(self) -> tuple[int, ...]:
        return tuple(FIRST_KEY + x for x in range(VARIABLES))

    def split(self, s: State) -> tuple[State, tuple[int, ...]]:
        tasks, registers, variables = s
        return (tasks, registers, ()), variables

    def same_but(
        self, one: tuple[int, ...], other: tuple[int, ...], free: Callable[[int], bool]
    ) -> bool:
        return all(a == b or free(k) for k, a, b in zip(self.addresses, one, other, strict=True))

    def ended(self, s: State) -> str | None:
        return None

    def change(self, before: State, after: State, t: int) -> Change:
        return tuple(
            (part, k, old)
            for part in range(len(before))
            for k, old in enumerate(before[part])
            if old != after[part][k]
        )

    def restored(self, s: State, changes: Iterable[Change]) -> State:
        parts = [list(part) for part in s]
        for change in changes:
            for part, k, old in change:
                parts[part][k] = old
        tasks, registers, variables = map(tuple, parts)
        return tasks, registers, variables

    def _record(self, s: State, t: int) -> Recorded:
        tasks, registers, variables = s
        guard, operations = self.code[t - 1][tasks[t - 1]]
        run = _Run(registers[t - 1], variables)
        if guard is not None and run.get(guard[0]) != guard[1]:
            return Recorded(AWAITING, True, tuple(run.reads), (), False)
        run.run(operations)
        after = (
            (*tasks[: t - 1], tasks[t - 1] + 1, *tasks[t:]),
            (*registers[: t - 1], run.register, *registers[t:]),
            tuple(run.variables),
        )
        return Recorded(
            (ConcreteStep(t, (), after, None),), True, tuple(run.reads), tuple(run.writes), False
        )


def finals(system: Tasks, most: int) -> set[State] | None:
    """The states without a step that can be reached; None if more than `most` states can."""
    seen = {system.initial()}
    ends = set()
    queue = list(seen)
    for state in queue:
        steps = [step for t in system.threads(state) for step in system.steps(state, t)]
        if not steps:
            ends.add(state)
        for step in steps:
            if step.successor not in seen:
                seen.add(step.successor)
                queue.append(step.successor)
        if len(seen) > most:
            return None
    return ends


def random_tasks(number: int) -> Tasks:
    """A system that is determined by the number."""
    draw = random.Random(number)
    threads = draw.choice((2, 3, 3, 3, 4, 4, 5))
    variables = draw.choice((1, 2, 2, 3, 3, 4))
    most = {2: 4, 3: 3, 4: 2, 5: 1}[threads]
    operations = draw.choice(((1,), (1, 1, 2, 3), (1, 1, 2, 3)))
    waiting = draw.choice((0.15, 0.15, 0.5))

    def operation(depth: int) -> Operation:
        kinds = ["set", "set", "copy", "add", "load", "store"]
        kind = draw.choice(kinds + (["if"] * 4 + ["test"] if depth < 2 else []))
        x, c = draw.randrange(variables), draw.randrange(VALUES)
        if kind in ("load", "store"):
            return kind, x
        if kind == "copy":
            return kind, x, draw.randrange(variables)
        if kind in ("if", "test"):
            then = tuple(operation(depth + 1) for _ in range(draw.choice((1, 1, 2))))
            other = tuple(operation(depth + 1) for _ in range(draw.choice((0, 0, 1))))
            return (kind, x, c % 2, then, other) if kind == "if" else (kind, c % 2, then, other)
        return kind, x, c

    def task() -> Task:
        waits = draw.random() < waiting
        guard = (draw.randrange(variables), draw.randrange(2)) if waits else None
        return guard, tuple(operation(0) for _ in range(draw.choice(operations)))

    code = tuple(tuple(task() for _ in range(draw.randint(1, most))) for _ in range(threads))
    order = list(range(1, threads + 1))
    draw.shuffle(order)
    return Tasks(code, tuple(order))
