"""Memory that is lost, seen in discrete parts: there every pointer is known.

The definition is that of `semantics.tracking`; here a thread is between two steps. What the program
ends with is judged before its threads are gone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from abpress.ir.expr import Addr
from abpress.ir.program import Program
from abpress.semantics.context import DONE, Context
from abpress.semantics.outcome import LOSS, Violation
from abpress.symbolic.discrete import Discrete, Known, ObjectRef, SymbolicStep
from abpress.symbolic.objects import SymbolicObjects
from abpress.symbolic.shapes import Shape


class Losses:
    """Which steps lose the last pointer to an object."""

    def __init__(self, program: Program, context: Context, objects: SymbolicObjects) -> None:
        self._program = program
        self._context = context
        self._objects = objects
        self._found: dict[Discrete, str | None] = {}

    def judged(self, d: Discrete, step: SymbolicStep, shape: Shape) -> SymbolicStep:
        """The step from `d`; if it loses an object, with the violation."""
        if step.violation is not None or step.fault is not None or shape.change is None:
            return step
        after = step.successor
        if after.status is not None:
            part = d.thread(step.thread)  # its registers are among what the change has lost
            after = replace(shape.change, part=part, status=None).after(d, self._objects)
        name = self.lost(after)
        if name is None:
            return step
        message = f"the last pointer to {name} is lost"
        template = self._program.templates[d.thread(step.thread).template]
        location, edge = step.edges[-1]
        position = template.locations[location].edges[edge].position
        violation = Violation(LOSS, message, position, step.thread)
        ended = self._objects.interned(Discrete((), (), (), f"violates {LOSS}: {message}"))
        return replace(step, successor=ended, violation=violation, shape=-1 - step.shape)

    def lost(self, d: Discrete) -> str | None:
        """The name of an object that is lost in a state; None if none is."""
        if d not in self._found:
            self._found[d] = self._search(d)
        return self._found[d]

    def _search(self, d: Discrete) -> str | None:
        running = {self._context.threads.name(p.id) for p in d.threads if p.location != DONE}
        heap: dict[str, ObjectRef] = {}
        inside: dict[str, str] = {}
        for o in d.objects:
            if o.heap and not (self._objects.automatic(o) and _owner(o) in running):
                inside.update((ref.name, o.name) for ref in o.cells.values())
                if not self._objects.automatic(o):
                    heap[o.name] = o
        if not heap:
            return None
        held: dict[str, list[Known]] = {}
        roots: list[Known] = []
        for key, value in d.known:
            if isinstance(value, Addr):
                holder = inside.get(key)
                (roots if holder is None else held.setdefault(holder, [])).append(value)
        while roots:
            value = roots.pop()
            assert isinstance(value, Addr)
            target = heap.get(value.object)
            if target is not None and 0 <= value.offset <= target.layout.size:
                del heap[target.name]
                roots += held.get(target.name, ())
        pointed = _targets(value for name in heap for value in held.get(name, ()))
        return min(set(heap) - pointed or heap, default=None)


def _owner(o: ObjectRef) -> str:
    """The thread that has allocated a heap object."""
    return o.name.removeprefix("heap ").rpartition("#")[0]


def _targets(values: Iterable[Known]) -> set[str]:
    return {value.object for value in values if isinstance(value, Addr)}
