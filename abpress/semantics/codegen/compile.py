"""Compiles the steps from a boundary to a Python function, when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from abpress.semantics.codegen.emitter import Emitter, Environment, Mode
from abpress.semantics.codegen.regions import RegionCompiler
from abpress.semantics.context import Context
from abpress.semantics.memory import DEAD
from abpress.semantics.outcome import (
    ASSUMING,
    AWAITING,
    ConcreteStep,
    ExecutionEnds,
    State,
    Violation,
    overflow,
    undefined,
)

StepFunction = Callable[..., tuple[ConcreteStep, ...]]

_PARAMETERS = {
    Mode.DIRECT: "state, i",
    Mode.CHOOSING: "state, i, choose",
    Mode.RECORDING: "state, i, choose, record",
}


class Compiler:
    """Makes and keeps the functions of the steps of one program.

    `alternatives(pc, state, thread)` is called by direct functions that meet a choice.
    """

    def __init__(
        self, context: Context, alternatives: Callable[[int, State, int], tuple[ConcreteStep, ...]]
    ) -> None:
        self._context = context
        self._environment = Environment(**_environment(context), alternatives=alternatives)
        self._functions: dict[tuple[int, Mode], StepFunction] = {}
        self.direct: list[StepFunction] = [self._later(pc) for pc in range(context.pcs)]
        self.direct.append(_finished)  # found by the pc DONE

    def function(self, pc: int, mode: Mode) -> StepFunction:
        """The function of the step that starts at `pc`."""
        key = (pc, mode)
        if key not in self._functions:
            self._functions[key] = self._compile(pc, mode)
        return self._functions[key]

    def source(self, pc: int, mode: Mode) -> str:
        """Its source text."""
        code, location = self._context.locate(pc)
        out = Emitter(self._context, code, self._environment, mode)
        out.pc = pc
        RegionCompiler(out, location).compile()
        return f"def step({_PARAMETERS[mode]}):\n" + "\n".join(out.lines) + "\n"

    def _later(self, pc: int) -> StepFunction:
        def first_time(state: State, i: int) -> tuple[ConcreteStep, ...]:
            self.direct[pc] = function = self.function(pc, Mode.DIRECT)
            return function(state, i)

        return first_time

    def _compile(self, pc: int, mode: Mode) -> StepFunction:
        code, location = self._context.locate(pc)
        name = f"<{code.template.name}:{location} {mode.value}>"
        namespace: dict[str, Any] = {}
        exec(compile(self.source(pc, mode), name, "exec"), self._environment.names, namespace)
        function: StepFunction = namespace["step"]
        return function


def _finished(state: State, i: int) -> tuple[ConcreteStep, ...]:
    return ASSUMING


def _environment(context: Context) -> dict[str, Any]:
    """The names that generated code uses."""
    base, memory = context.base, context.memory

    def find_thread(s: list[Any], thread: int) -> tuple[Any, ...] | None:
        for k in range(base, len(s)):
            if s[k][0] == thread:
                found: tuple[Any, ...] = s[k]
                return found
        return None

    def insert_thread(s: list[Any], i: int, thread: tuple[Any, ...]) -> int:
        k = len(s)
        while k > base and s[k - 1][0] > thread[0]:
            k -= 1
        s.insert(k, thread)
        return i if k > i else i + 1

    return {
        "__builtins__": {
            "list": list,
            "tuple": tuple,
            "len": len,
            "abs": abs,
            "AssertionError": AssertionError,
        },
        "ASSUMING": ASSUMING,
        "AWAITING": AWAITING,
        "DEAD": DEAD,
        "ExecutionEnds": ExecutionEnds,
        "Step": ConcreteStep,
        "Violation": Violation,
        "new": tuple.__new__,
        "overflow": overflow,
        "undefined": undefined,
        "find_thread": find_thread,
        "insert_thread": insert_thread,
        "new_thread": context.threads.child,
        "heap": context.heap,
        "load": memory.load,
        "store": memory.store,
        "copy": memory.copy,
        "enter": memory.enter,
        "leave": memory.leave,
        "free": memory.free,
        "to_pointer": memory.to_pointer,
        "inspect": memory.inspect,
        "move": memory.move,
        "difference": memory.difference,
        "order": memory.order,
        "told_apart": memory.told_apart,
    }
