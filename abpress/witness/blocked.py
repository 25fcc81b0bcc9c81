"""Where threads wait at the end of an execution, and for what."""

from __future__ import annotations

from collections.abc import Sequence

from abpress.errors import NOWHERE
from abpress.ir.expr import registers
from abpress.ir.program import Edge, GuardKind, Load, Program, effect_operands, effect_target
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.semantics.tracing import TracedAction
from abpress.witness.library import LibraryWords
from abpress.witness.trace import BlockedThread, Values

JOINS = "joins "
"""How the note of a join begins; the name of the other thread follows."""


def blocked_threads(
    interpreter: Interpreter, state: State, threads: Sequence[int], words: LibraryWords
) -> tuple[BlockedThread, ...]:
    """Where these threads of a state wait, and for what; `words` have told the execution so far."""
    blocked = []
    for thread in threads:
        events = interpreter.views.trace(state, thread)  # of the step that cannot be finished
        if events and events[-1].note.startswith(JOINS):
            position = events[-1].position
            object = events[-1].note.removeprefix(JOINS)
            text = f"waits for the end of {object}"
        else:
            guard = _unmet(interpreter, state, thread, events)
            position = NOWHERE if guard is None else guard.position
            cells = () if guard is None else _cells(interpreter.program, guard, events)
            parts = [words.awaited(thread, position, cell, value) for cell, value in cells]
            text = f"waits for {' and '.join(parts)}" if parts else "waits"
            object = words.object_of(thread, position, cells[0][0]) if cells else ""
            if not cells and (object := words.stuck(thread, position)):
                text = f"waits for {object}, which it holds itself"
        blocked.append(BlockedThread(words.name_of(thread), position, text, object=object))
    return tuple(blocked)


def _unmet(
    interpreter: Interpreter, state: State, thread: int, events: tuple[TracedAction, ...]
) -> Edge | None:
    """The edge that the thread waits at, after what it could do of its step."""
    if events:
        name, location = events[-1].template, edge_of(interpreter.program, events[-1]).target
    else:
        name, location = interpreter.location(state, thread)
    edges = interpreter.program.templates[name].locations[location].edges
    return next((edge for edge in edges if edge.kind is GuardKind.AWAIT), None)


def _cells(program: Program, guard: Edge, events: tuple[TracedAction, ...]) -> Values:
    """The cells that the guard's value was computed from within the step, and their values."""
    wanted = set(registers(guard.guard))
    cells: dict[str, str] = {}
    for event in reversed(events):
        for effect in reversed(edge_of(program, event).effects):
            target = effect_target(effect)
            if target is None or target.name not in wanted:
                continue
            wanted.discard(target.name)
            if isinstance(effect, Load):
                cells.update(event.reads)
            else:
                wanted.update(r for e in effect_operands(effect) for r in registers(e))
    return tuple(cells.items())


def edge_of(program: Program, event: TracedAction) -> Edge:
    """The edge of an action."""
    return program.templates[event.template].locations[event.location].edges[event.edge]
