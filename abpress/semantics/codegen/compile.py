"""Compiles the steps from a boundary to a Python function, when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

from abpress.semantics.codegen.emitter import Changed, Emitter, Environment, Mode
from abpress.semantics.codegen.regions import RegionCompiler
from abpress.semantics.context import DONE, Code, Context
from abpress.semantics.memory import DEAD, Memory
from abpress.semantics.outcome import (
    ASSUMING,
    AWAITING,
    ConcreteStep,
    ExecutionEnds,
    NoSteps,
    Violation,
    overflow,
    undefined,
)
from abpress.semantics.tracking import Tracking

StepFunction = Callable[..., Any]
"""By its mode: the steps, or what comes of one in place."""

_PARAMETERS = {
    Mode.DIRECT: "state, i",
    Mode.CHOOSING: "state, i, choose",
    Mode.RECORDING: "state, i, choose, record",
    Mode.IN_PLACE: "s, i, choose",
}


class Compiler:
    """Makes and keeps the functions of the steps of one program.

    `names` are those that generated code uses besides, or for something else, than
    `_environment` says: direct functions call `alternatives(pc, state, thread)` where they meet a
    choice. `compiled` counts the functions that were made.
    """

    def __init__(self, context: Context, **names: Any) -> None:
        self._context = context
        self._environment = Environment(**{**_environment(context), **names})
        self._functions: dict[tuple[int, Mode], StepFunction] = {}
        self.compiled = 0

    def table(self, mode: Mode) -> list[StepFunction]:
        """The functions by the pcs at which their steps start, each made when it is first called;
        at the pc DONE one that has no step. The list changes as they are made."""
        found: list[StepFunction] = []
        found += (self._later(found, pc, mode) for pc in range(self._context.pcs))
        found.append(_finished)
        return found

    def function(self, pc: int, mode: Mode) -> StepFunction:
        """The function of the step that starts at `pc`."""
        key = (pc, mode)
        if key not in self._functions:
            self._functions[key] = self._compile(pc, mode)
        return self._functions[key]

    def source(self, pc: int, mode: Mode) -> str:
        """Its source text."""
        code, location = self._context.locate(pc)
        out = self._emitted(pc, code, location, mode, Changed.NOTHING)
        if mode is Mode.IN_PLACE and out.stops is not Changed.NOTHING:
            out = self._emitted(pc, code, location, mode, out.stops)
        return f"def step({_PARAMETERS[mode]}):\n" + "\n".join(out.lines) + "\n"

    def _emitted(self, pc: int, code: Code, location: int, mode: Mode, draft: Changed) -> Emitter:
        out = Emitter(self._context, code, self._environment, mode, draft)
        out.pc = pc
        RegionCompiler(out, location).compile()
        return out

    def _later(self, table: list[StepFunction], pc: int, mode: Mode) -> StepFunction:
        def first_time(*arguments: Any) -> Any:
            table[pc] = function = self.function(pc, mode)
            return function(*arguments)

        return first_time

    def _compile(self, pc: int, mode: Mode) -> StepFunction:
        code, location = self._context.locate(pc)
        name = f"<{code.template.name}:{location} {mode.value}>"
        namespace: dict[str, Any] = {}
        self.compiled += 1
        exec(_code(self.source(pc, mode), name), self._environment.names, namespace)
        function: StepFunction = namespace["step"]
        return function


@lru_cache(maxsize=2048)
def _code(source: str, name: str) -> CodeType:
    """What Python makes of the text of a function, for all who run the same program."""
    return compile(source, name, "exec")


def _finished(*_: Any) -> NoSteps:
    return ASSUMING


def memory_operations(memory: Memory) -> dict[str, Any]:
    """The names by which generated code accesses the memory."""
    return {
        "load": memory.load,
        "store": memory.store,
        "settle": memory.settle,
        "copy": memory.copy,
        "moved": memory.moved,
        "enter": memory.enter,
        "leave": memory.leave,
        "require_unused": memory.require_unused,
        "warn_of_held": memory.warn_of_held,
        "free": memory.free,
        "to_pointer": memory.to_pointer,
        "inspect": memory.inspect,
        "move": memory.move,
        "difference": memory.difference,
        "order": memory.order,
        "told_apart": memory.told_apart,
    }


def _environment(context: Context) -> dict[str, Any]:
    """The names that generated code uses."""
    base = context.base

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

    def forget(s: list[Any], thread: int) -> None:
        for k in range(base, len(s)):
            if s[k][0] == thread:
                s[k] = (thread, DONE, 0)

    tracking = Tracking(context)
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
        "forget": forget,
        "left": tracking.left,
        "left_at_last": tracking.left_at_last,
        "lost": tracking.lost,
        "insert_thread": insert_thread,
        "new_thread": context.threads.child,
        "heap": context.heap,
        **memory_operations(context.memory),
    }
