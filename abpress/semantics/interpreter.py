"""The interpreter: executes programs of `abpress.ir` by code that is generated for their edges.

What a step is and does is defined by `semantics.reference`, with which this is compared.

States are immutable; all methods but the constructor are functions of their arguments, up to the
names that are interned on the way (see `abpress.semantics.naming`) and the soundness flag.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from abpress.analysis.facts import Facts
from abpress.analysis.visibility import Edges
from abpress.ir.program import GuardKind, Program
from abpress.result import Soundness
from abpress.semantics.choices import Chooser, enumerate_steps, note
from abpress.semantics.circles import CirclesOfThreads
from abpress.semantics.codegen.compile import Compiler, StepFunction
from abpress.semantics.codegen.emitter import Mode
from abpress.semantics.context import DONE, Context
from abpress.semantics.following import GivenPath, Guide, OtherPath
from abpress.semantics.foresight import Foresight
from abpress.semantics.in_place import InPlace
from abpress.semantics.local_states import LocalStates
from abpress.semantics.outcome import (
    ASSUMING,
    LOSS,
    ConcreteStep,
    ExecutionEnds,
    NoSteps,
    Options,
    State,
)
from abpress.semantics.recording import AccessRecorder, Recorded
from abpress.semantics.sharing import LargeState, StateLayout
from abpress.semantics.sharing_steps import sharing_compiler
from abpress.semantics.standing import StandingThreads
from abpress.semantics.thread_sets import ThreadSet
from abpress.semantics.tracing import AccessedKeys, ActionRecorder, StepKeyRecorder
from abpress.semantics.undo import FixedCells, Undo
from abpress.semantics.views import Views

OnFault = Callable[[State, ConcreteStep], None]
"""Told of an attempt: the state, and what stands for the step."""


class Interpreter:
    """Executes steps of a program's threads.

    What else is asked about its states has parts of its own: `views` for people, `undo` and `cells`
    for searches without stored states, `local` for loops that wait, `foresight` for reductions.

    `on_fault` is told each attempt to take a step that is undefined behaviour: there is no such
    step, and what it is told has the state before it in place of a successor. `take` and `follow`
    return the same for it.

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
        if facts is None:
            facts = Facts.of(program) if visible is None else Facts(program, visible)
        self.program = program
        self.soundness = soundness if soundness is not None else Soundness()
        self.context = Context(facts, options or Options(), self.soundness)
        self._compile()
        self._base = self.context.base
        self._first = self.context.first
        self._index = self.context.index
        self._invisible = [
            not any((location, k) in code.visible for k in range(len(edges)))
            for code in self.context.codes.values()
            for location, edges in enumerate(loc.edges for loc in code.template.locations)
        ]
        self._invisible.append(False)  # found by the pc DONE
        self._layout = StateLayout(
            self.context.dynamic, self._base, DONE, self._invisible, self.context.options.large
        )
        self._large = self.context.options.large
        self.on_fault: OnFault | None = None
        self._initial = self._made(self.context.initial)

    def _compile(self) -> None:
        self._compiler = Compiler(self.context, alternatives=self._alternatives, grown=self._made)
        self._direct = self._compiler.table(Mode.DIRECT)
        self._recording: dict[int, StepFunction] = {}

    def limit_threads(self, most: int) -> None:
        """Bounds the threads of an execution from now on; steps in place keep the earlier bound."""
        self.context.options = replace(self.context.options, max_threads=most)
        met_large = self.__dict__.pop("_sharing", None) is not None
        self._compile()
        if met_large:
            self._tell_apart()

    def initial(self) -> State:
        """The state in which `main` stands at its entry."""
        return self._initial

    def threads(self, s: State) -> Sequence[int]:
        """The unfinished threads, ascending; none when the program has ended."""
        if s.__class__ is not tuple:
            assert type(s) is LargeState  # quicker than isinstance, as it is abstract
            return ThreadSet(s.alive, s.quiet)
        return tuple([thread[0] for thread in s[self._base :] if thread[1] != DONE])

    def steps(self, s: State, t: int) -> tuple[ConcreteStep, ...]:
        """The next steps of thread t, one for each outcome of its choices; maybe none.

        Two choice sequences with equal outcomes count as one step. The order is deterministic.
        """
        i = self._first + t
        if i >= len(s) or s[i][0] != t:
            i = self._index(s, t)
        function: StepFunction = self._direct[s[i][1]]
        try:
            found: tuple[ConcreteStep, ...] = function(s, i)
        except ExecutionEnds as end:
            self._note(end, s, t, ())
            return ASSUMING
        return found

    def take(self, s: State, t: int, choices: tuple[int, ...]) -> ConcreteStep | None:
        """The step of thread t with exactly these choices; None if there is none.

        A choice is an index among alternatives, or the value itself (`choices.Given`).
        """
        try:
            i = self._index(s, t)
        except ValueError:
            return None
        if s[i][1] == DONE:
            return None
        chooser = Chooser(choices, self.soundness)
        steps: tuple[ConcreteStep, ...]
        try:
            steps = self._function(s, s[i][1], Mode.CHOOSING)(s, i, chooser)
        except ExecutionEnds as end:
            steps = self._attempt(end, s, t, chooser)
        return steps[0] if steps and tuple(chooser.taken) == choices else None

    def run_through(self, schedule: Iterable[tuple[int, tuple[int, ...]]]) -> ConcreteStep | None:
        """As `InPlace.run_through`: quicker than to `take` each step where there are many."""
        return self.in_place.run_through(schedule)

    def follow(
        self, s: State, t: int, edges: Sequence[tuple[int, int]], values: Sequence[int]
    ) -> ConcreteStep | None:
        """The step of thread t along a path of edges (location, index of the edge).

        `values` are the arbitrary values, in the order of their use; they need not be in the domain
        that `steps` tries. None if the step does not take this path with these values. `take`,
        `trace` and `footprint` understand the choices of the step.
        """
        i = self._index(s, t)
        if s[i][1] == DONE:
            return None
        path = GivenPath(self.context, t, edges)
        guide = Guide(path, values)
        steps: tuple[ConcreteStep, ...]
        try:
            steps = self._function(s, s[i][1], Mode.RECORDING)(s, i, guide, path)
        except OtherPath:
            return None
        except ExecutionEnds as end:
            steps = self._attempt(end, s, t, guide)
        if steps and (violation := steps[0].violation) is not None and violation.property == LOSS:
            return steps[0]  # what is lost on the way ends it
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

    def starts_invisibly(self, pc: int) -> bool:
        """The same of a thread at a location."""
        return self._invisible[pc]

    def advances(self, s: State, t: int, after: State) -> bool:
        """Whether thread t stands at a later location in the state after its step from `s`, in some
        order of locations, or at none: on a circle of states some step does not advance."""
        try:
            there: int = after[self._index(after, t)][1]
        except ValueError:
            return True
        here: int = s[self._index(s, t)][1]
        return there == DONE or there > here

    def admit(self, s: State) -> State:
        """A state of another interpreter of the program, with the same numbers of names."""
        if s.__class__ is not tuple and "_sharing" not in self.__dict__:
            self._tell_apart()
        return s

    def location(self, s: State, t: int) -> tuple[str, int]:
        """Template and location of an unfinished thread."""
        pc = s[self._index(s, t)][1]
        if pc == DONE:
            raise ValueError(f"thread {self.context.threads.name(t)} has finished")
        code, location = self.context.locate(pc)
        return code.template.name, location

    def source(self, s: State, t: int) -> str:
        """The generated code of the next step of t, for people."""
        return self._compiler.source(s[self._index(s, t)][1], Mode.DIRECT)

    @cached_property
    def views(self) -> Views:
        """States and steps in names and text."""
        return Views(self.context, self._observe)

    @cached_property
    def undo(self) -> Undo:
        """Takes steps back."""
        return Undo(self.context, self._made)

    @cached_property
    def cells(self) -> FixedCells:
        """The cells at fixed places of the states."""
        return FixedCells(self.context)

    @cached_property
    def in_place(self) -> InPlace:
        """Executes steps that are never taken back."""
        return InPlace(self.context, self._made)

    @cached_property
    def standing(self) -> StandingThreads:
        """What threads stand before."""
        return StandingThreads(self.context, lambda s, pc: self._function(s, pc, Mode.RECORDING))

    @cached_property
    def circles(self) -> CirclesOfThreads:
        """What threads wait for."""
        return CirclesOfThreads(self.context, self.record)

    @cached_property
    def local(self) -> LocalStates:
        """What threads alone change."""
        return LocalStates(self.context)

    @cached_property
    def foresight(self) -> Foresight:
        """What threads can reach and may access later."""
        return Foresight(self.context, self.record)

    def extent(self, s: State) -> int:
        """The cells of objects in dynamic memory; 0 for a large state, which shares them."""
        dynamic = s[self.context.dynamic]
        return sum(len(cells) for _, cells in dynamic) if dynamic.__class__ is tuple else 0

    def accessed(self, s: State, t: int, choices: tuple[int, ...] = ()) -> AccessedKeys:
        """The keys that the step of t with these choices reads and writes; of a step that does not
        exist, those until it ends."""
        recorder = StepKeyRecorder(self.context, t)
        self._observe(s, t, choices, recorder)
        return recorder.accessed()

    def record(self, s: State, t: int) -> Recorded:
        """`steps` of an unfinished thread, and what they access together.

        Where there is no step: what the attempts access until they end.
        """
        i = self._index(s, t)
        pc = s[i][1]
        function = self._recording.get(pc)
        if s.__class__ is not tuple:
            function = self._function(s, pc, Mode.RECORDING)
        elif function is None:
            function = self._recording[pc] = self._compiler.function(pc, Mode.RECORDING)
        recorder = AccessRecorder(self.context.objects, t)
        chooser = Chooser((), self.soundness)
        try:
            steps = function(s, i, chooser, recorder)
        except ExecutionEnds as end:
            self._note(end, s, t, chooser.taken)
            steps = ASSUMING
        certain = not chooser.taken or chooser.next() is None
        if not certain:
            steps = self._enumerated(s, t, lambda choose: function(s, i, choose, recorder))
        return recorder.recorded(steps, certain)

    def repeat(self, s: State, t: int, choices: tuple[int, ...] = ()) -> Recorded | None:
        """The step of thread t with exactly these choices, as `record` has it; None if there is
        none. Takes no note of anything: the state need not be one of a search."""
        recorder = AccessRecorder(self.context.objects, t)
        chooser = Chooser(choices, Soundness())
        i = self._index(s, t)
        try:
            steps = self._function(s, s[i][1], Mode.RECORDING)(s, i, chooser, recorder)
        except ExecutionEnds:
            return None
        found = len(steps) == 1 and tuple(chooser.taken) == choices
        return recorder.recorded(steps, True) if found else None

    def _function(self, s: State, pc: int, mode: Mode) -> StepFunction:
        compiler = self._compiler if s.__class__ is tuple else self._sharing
        return compiler.function(pc, mode)

    @cached_property
    def _sharing(self) -> Compiler:
        """Makes functions of steps of large states."""
        return sharing_compiler(self.context, self._alternatives)

    def _made(self, components: Sequence[Any]) -> State:
        """The state of these components. From the first large one on, steps tell which it is."""
        if len(components) < self._large and components[self.context.dynamic].__class__ is tuple:
            return tuple(components)
        state = self._layout.state(components)
        if state.__class__ is not tuple and "_sharing" not in self.__dict__:
            self._tell_apart()
        return state

    def _tell_apart(self) -> None:
        """Lets steps tell large states from others."""
        flat, large = self._direct, self._sharing.table(Mode.DIRECT)
        self._direct = [_either(flat, large, pc) for pc in range(len(flat))]

    def _alternatives(self, pc: int, s: State, t: int) -> tuple[ConcreteStep, ...]:
        function = self._function(s, pc, Mode.CHOOSING)
        i = self._index(s, t)
        return self._enumerated(s, t, lambda choose: function(s, i, choose))

    def _enumerated(
        self, s: State, t: int, run: Callable[[Chooser], tuple[ConcreteStep, ...]]
    ) -> tuple[ConcreteStep, ...]:
        return enumerate_steps(
            run, self.soundness, lambda end, choices: self._note(end, s, t, choices)
        )

    def _note(self, end: ExecutionEnds, s: State, t: int, choices: Sequence[int]) -> None:
        """Takes note of an attempt of a thread that ends the execution."""
        note(end, self.soundness)
        violation = end.violation(t)
        if violation is not None and self.on_fault is not None:
            self.on_fault(s, ConcreteStep(t, tuple(choices), s, violation))

    def _attempt(
        self, end: ExecutionEnds, s: State, t: int, chooser: Chooser
    ) -> tuple[ConcreteStep, ...]:
        """What stands for a step where the execution ends: undefined behaviour is a violation."""
        note(end, self.soundness)
        violation = end.violation(t)
        if violation is None:
            return ()
        return (ConcreteStep(t, tuple(chooser.taken), s, violation),)

    def _observe(
        self,
        s: State,
        t: int,
        choices: tuple[int, ...],
        recorder: ActionRecorder | StepKeyRecorder,
    ) -> None:
        i = self._index(s, t)
        if s[i][1] == DONE:
            return
        function = self._function(s, s[i][1], Mode.RECORDING)
        try:
            function(s, i, Chooser(choices, self.soundness), recorder)
        except ExecutionEnds as end:
            note(end, self.soundness)


def _either(flat: list[StepFunction], large: list[StepFunction], pc: int) -> StepFunction:
    """The function of the step from `pc`, of whichever states."""

    def step(s: State, i: int) -> tuple[ConcreteStep, ...]:
        steps: tuple[ConcreteStep, ...] = (flat if s.__class__ is tuple else large)[pc](s, i)
        return steps

    return step
