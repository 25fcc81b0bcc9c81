"""The interpreter: executes programs of `abpress.ir` by code that is generated for their edges.

What a step is and does is defined by `semantics.reference`, with which this is compared.

States are immutable; all methods but the constructor are functions of their arguments, up to the
names that are interned on the way (see `abpress.semantics.naming`) and the soundness flag.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from operator import is_not
from typing import Any

from abpress.analysis.facts import Facts
from abpress.analysis.visibility import Edges
from abpress.analysis.waiting import QuietCycles
from abpress.errors import Position
from abpress.ir.program import GuardKind, Program
from abpress.result import Soundness
from abpress.semantics.choices import Chooser, enumerate_steps, note
from abpress.semantics.codegen.compile import Compiler, StepFunction
from abpress.semantics.codegen.emitter import Mode
from abpress.semantics.context import DONE, RUNNING, Context
from abpress.semantics.following import Guide, OtherPath, Path
from abpress.semantics.foresight import Foresight
from abpress.semantics.naming import MAIN
from abpress.semantics.outcome import (
    ASSUMING,
    Change,
    ExecutionEnds,
    NoSteps,
    Options,
    State,
    Step,
    Violation,
)
from abpress.semantics.recording import AccessRecorder, Recorded
from abpress.semantics.tracing import Event, EventRecorder, Footprint, FootprintRecorder, describe

__all__ = [
    "Event",
    "Footprint",
    "Interpreter",
    "Options",
    "State",
    "Step",
    "Violation",
]


class Interpreter:
    """Executes steps of a program's threads.

    `visible` overrides which edges are visible, per template as (location, edge index). `facts` are
    those of the program, where somebody has them already.
    """

    def __init__(
        self,
        program: Program,
        options: Options | None = None,
        soundness: Soundness | None = None,
        visible: Mapping[str, Edges] | None = None,
        facts: Facts | None = None,
    ) -> None:
        assert facts is None or (facts.program is program and visible is None)
        self.program = program
        self.soundness = soundness if soundness is not None else Soundness()
        self.context = Context(
            facts or Facts(program, visible), options or Options(), self.soundness
        )
        self._compiler = Compiler(self.context, self._alternatives)
        self._direct = self._compiler.direct
        self._recording: dict[int, StepFunction] = {}
        self._base = self.context.base
        self._first = self._base - MAIN
        self._dynamic = self.context.dynamic
        self._status = self.context.status
        self._invisible = [
            not any((location, k) in code.visible for k in range(len(edges)))
            for code in self.context.codes.values()
            for location, edges in enumerate(loc.edges for loc in code.template.locations)
        ]
        self._invisible.append(False)  # found by the pc DONE

    def initial(self) -> State:
        """The state in which `main` stands at its entry."""
        return self.context.initial

    def threads(self, s: State) -> tuple[int, ...]:
        """The unfinished threads, ascending; none when the program has ended."""
        return tuple([thread[0] for thread in s[self._base :] if thread[1] != DONE])

    def steps(self, s: State, t: int) -> tuple[Step, ...]:
        """The next steps of thread t, one for each outcome of its choices; maybe none.

        Two choice sequences with equal outcomes count as one step. The order is deterministic.
        """
        i = self._first + t
        if i >= len(s) or s[i][0] != t:
            i = self._index(s, t)
        function: StepFunction = self._direct[s[i][1]]
        try:
            return function(s, i)
        except ExecutionEnds as end:
            note(end, self.soundness)
            return ASSUMING

    def take(self, s: State, t: int, choices: tuple[int, ...]) -> Step | None:
        """The step of thread t with exactly these choices; None if there is none.

        A choice is an index among alternatives, or the value itself (`choices.Given`).
        """
        i = self._index(s, t)
        if s[i][1] == DONE:
            return None
        chooser = Chooser(choices, self.soundness)
        try:
            steps = self._compiler.function(s[i][1], Mode.CHOOSING)(s, i, chooser)
        except ExecutionEnds as end:
            note(end, self.soundness)
            return None
        return steps[0] if steps and tuple(chooser.taken) == choices else None

    def follow(
        self, s: State, t: int, edges: Sequence[tuple[int, int]], values: Sequence[int]
    ) -> Step | None:
        """The step of thread t along a path of edges (location, index of the edge).

        `values` are the arbitrary values, in the order of their use; they need not be in the domain
        that `steps` tries. None if the step does not take this path with these values. `take`,
        `trace` and `footprint` understand the choices of the step.
        """
        i = self._index(s, t)
        if s[i][1] == DONE:
            return None
        path = Path(self.context, t, edges)
        guide = Guide(path, values)
        try:
            steps = self._compiler.function(s[i][1], Mode.RECORDING)(s, i, guide, path)
        except OtherPath:
            return None
        except ExecutionEnds as end:
            note(end, self.soundness)
            return None
        return steps[0] if steps and path.complete and guide.complete else None

    def waits(self, s: State, t: int) -> GuardKind | None:
        """Why an unfinished thread has no step: AWAIT if some alternative waits for a
        synchronisation, else ASSUME. None if it has a step.

        NOTE(assumed-alternatives): alternatives that an assumption excludes are not executions, so
        they do not rescue a thread from waiting for ever in the others.
        """
        steps = self.steps(s, t)
        return steps.why if isinstance(steps, NoSteps) else None

    def invisible(self, s: State, t: int) -> bool:
        """Whether the next step of t contains no visible edge, whatever is chosen."""
        i = self._first + t
        if i >= len(s) or s[i][0] != t:
            i = self._index(s, t)
        invisible: bool = self._invisible[s[i][1]]
        return invisible

    @functools.cached_property
    def foresight(self) -> Foresight:
        """What threads can reach and may access later."""
        return Foresight(self.context)

    def confined(self, s: State, t: int) -> bool:
        """Whether no thread but t can reach an object that its next step accesses; and the step
        does not end the program."""
        _, _, reads, writes, ends = self.record(s, t)
        return not ends and self.foresight.confined(s, t, (*reads, *writes))

    def uncontended(self, s: State, t: int) -> bool:
        """The same, of objects as far as a thread that can reach them may access them, too."""
        _, _, reads, writes, ends = self.record(s, t)
        return not ends and self.foresight.uncontended(s, t, reads, writes)

    def point(self, s: State, t: int) -> int:
        """Where an unfinished thread stands: a number for its template and location."""
        pc: int = s[self._index(s, t)][1]
        return pc

    def may_come(self, s: State, t: int, point: int) -> bool:
        """Whether thread t, which may be created later, may be at the point, now or later."""
        return self.foresight.may_come(s, t, point)

    def compound(self, s: State, t: int) -> bool:
        """Whether the next step of t may begin an atomic block: then what it accesses may depend on
        what it reads, else on the thread's own state alone."""
        pc = s[self._index(s, t)][1]
        code, location = self.context.locate(pc)
        locations = code.template.locations
        edges = locations[location].edges
        return locations[location].atomic or any(locations[e.target].atomic for e in edges)

    def location(self, s: State, t: int) -> tuple[str, int]:
        """Template and location of an unfinished thread."""
        pc = s[self._index(s, t)][1]
        if pc == DONE:
            raise ValueError(f"thread {self.thread_name(t)} has finished")
        code, location = self.context.locate(pc)
        return code.template.name, location

    def creator(self, t: int) -> int:
        """The thread that has created t; 0 for `main`."""
        return self.context.threads.creator(t)

    def local_state(self, s: State, t: int) -> tuple[Any, ...]:
        """What thread t alone changes, and no other thread sees: equal if and only if it is at the
        same location with the same registers. Its second component is the pc, -1 if t has finished,
        or the program has ended."""
        if s[self._status] != RUNNING:
            return (t, DONE)
        local: tuple[Any, ...] = s[self._index(s, t)]
        return local

    def position(self, s: State, t: int) -> Position:
        """Where an unfinished thread stands in the source."""
        return self.context.position(s[self._index(s, t)][1])

    @functools.cached_property
    def quiet_cycles(self) -> tuple[QuietCycles | None, ...]:
        """Per pc, the cycles without writes that it lies on; None for threads that have finished,
        too, whose pc is -1."""
        found = self.context.facts.quiet_cycles
        return (*(cycles for name in self.context.codes for cycles in found[name]), None)

    def thread_name(self, t: int) -> str:
        """`main`, `main.1`, `main.1.2`: the creator's name and the number of the creation."""
        return self.context.threads.name(t)

    def threads_met(self) -> int:
        """How many threads there are in the states met so far; equal names count once."""
        return self.context.threads.count

    def trace(self, s: State, t: int, choices: tuple[int, ...] = ()) -> tuple[Event, ...]:
        """The actions of the step of t with these choices; of a step that does not exist, those
        until it ends."""
        recorder = EventRecorder(self.context, t)
        self._record(s, t, choices, recorder)
        return recorder.events()

    def footprint(self, s: State, t: int, choices: tuple[int, ...] = ()) -> Footprint:
        """What the step of t with these choices touches; of a step that does not exist, what it
        touches until it ends."""
        recorder = FootprintRecorder(self.context, t)
        self._record(s, t, choices, recorder)
        return recorder.footprint()

    def record(self, s: State, t: int) -> Recorded:
        """`steps` of an unfinished thread, and what they access together.

        Where there is no step: what the attempts access until they end.
        """
        i = self._index(s, t)
        pc = s[i][1]
        function = self._recording.get(pc)
        if function is None:
            function = self._recording[pc] = self._compiler.function(pc, Mode.RECORDING)
        recorder = AccessRecorder(self.context.objects, t)
        chooser = Chooser((), self.soundness)
        try:
            steps = function(s, i, chooser, recorder)
        except ExecutionEnds as end:
            note(end, self.soundness)
            steps = ASSUMING
        certain = not chooser.taken or chooser.next() is None
        if not certain:
            steps = enumerate_steps(lambda choose: function(s, i, choose, recorder), self.soundness)
        return recorder.recorded(steps, certain)

    def change(self, before: State, after: State, t: int) -> Change | None:
        """What a step of thread t that leads from the one state to the other has changed.

        None if it has changed more than contents of fixed cells and the state of t: other steps may
        change that independently.
        """
        if len(before) != len(after) or before[self._dynamic] is not after[self._dynamic]:
            return None
        cells = range(self._dynamic)
        changed = tuple([(k, before[k]) for k in compress(cells, map(is_not, before, after))])
        return (*changed, (None, before[self._index(before, t)]))

    def restored(self, s: State, changes: Iterable[Change]) -> State:
        """The state with what was changed as it was before, one change after the other."""
        state = list(s)
        for change in changes:
            for k, old in change:
                state[self._index(s, old[0]) if k is None else k] = old
        return tuple(state)

    @functools.cached_property
    def fixed(self) -> tuple[int, ...]:
        """The addresses of the cells at fixed places, in the order of the state."""
        placed = sorted(self.context.objects.placed(), key=lambda info: info.slot or 0)
        return tuple(info.base + cell.offset for info in placed for cell in info.layout.cells)

    def split(self, s: State) -> tuple[State, tuple[Any, ...]]:
        """The state without what the cells at fixed places hold, and that, in the order of
        `fixed`; DEAD where the object is not alive."""
        n = len(self.fixed)
        return s[n:], s[:n]

    def describe(self, s: State) -> dict[str, Any]:
        """The state in values that `json` writes: `status`, `memory` and `threads`, by name."""
        return describe(self.context, s)

    def ended(self, s: State) -> str | None:
        """How the program ended (by Exit or a violation); None if it did not."""
        status: str | int = s[self._status]
        return None if status == RUNNING else str(status)

    def source(self, s: State, t: int) -> str:
        """The generated code of the next step of t, for debugging."""
        return self._compiler.source(s[self._index(s, t)][1], Mode.DIRECT)

    def _index(self, s: State, t: int) -> int:
        """The index of thread t's component."""
        i = self._first + t
        if i < len(s) and s[i][0] == t:
            return i
        for i in range(self._base, len(s)):
            if s[i][0] == t:
                return i
        raise ValueError(f"no thread {t} in this state")

    def _alternatives(self, pc: int, s: State, t: int) -> tuple[Step, ...]:
        function = self._compiler.function(pc, Mode.CHOOSING)
        i = self._index(s, t)
        return enumerate_steps(lambda choose: function(s, i, choose), self.soundness)

    def _record(
        self,
        s: State,
        t: int,
        choices: tuple[int, ...],
        recorder: EventRecorder | FootprintRecorder,
    ) -> None:
        i = self._index(s, t)
        if s[i][1] == DONE:
            return
        function = self._compiler.function(s[i][1], Mode.RECORDING)
        try:
            function(s, i, Chooser(choices, self.soundness), recorder)
        except ExecutionEnds as end:
            note(end, self.soundness)
