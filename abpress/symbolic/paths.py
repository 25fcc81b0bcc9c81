"""One path through a step, under construction: what is assumed, read, written and decided so far.

The paths of a step are enumerated like choices (`abpress.semantics.choices`): the step is run again
for each sequence of decisions, in lexicographic order. A decision is one among formulas of which a
path assumes exactly one; those that are plainly false are no alternatives.
"""

from __future__ import annotations

from collections.abc import Sequence

from abpress.errors import NOWHERE, Position
from abpress.ir.expr import (
    Array,
    ArrayReg,
    Compare,
    Const,
    Convert,
    Expr,
    Reg,
)
from abpress.ir.program import NO_OVERFLOW, UNDEFINED, AccessKind, Overflow
from abpress.ir.types import IntType, PtrType, Scalar
from abpress.logic.formula import (
    FALSE,
    TRUE,
    Formula,
    Kind,
    conj,
    conjuncts,
    neg,
    no_fault,
    no_overflow,
)
from abpress.semantics.choices import next_prefix
from abpress.semantics.context import Code
from abpress.semantics.outcome import Violation
from abpress.symbolic.discrete import (
    ARBITRARY,
    PROGRAM_KEY,
    RESULT,
    CellRef,
    Input,
    ObjectRef,
    PendingAccess,
    ThreadPart,
    Value,
    array_name,
    life_key,
    thread_key,
    variable_type,
)
from abpress.symbolic.objects import SymbolicObjects
from abpress.symbolic.questions import Content, Life, Recorder

MAX_PATHS = 1 << 12
"""Paths of one thread from one discrete state."""

MAX_SPLIT = 1 << 10
"""Cells among which a pointer that is not known may point."""


class PathEnds(Exception):
    """The path ends here, without a successor."""


class Blocked(PathEnds):
    """The thread cannot go on: the step does not exist."""


class Faulted(PathEnds):
    """The execution ends by undefined behaviour, which is a violation, or a bound of ours."""

    def __init__(self, reason: str, violation: Violation | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.violation = violation


class Violated(PathEnds):
    """The execution is an error."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(violation.message)
        self.violation = violation


class Decisions:
    """Which alternative is taken at each decision: first as given, then always the first."""

    def __init__(self, prefix: Sequence[int] = ()) -> None:
        self._prefix = prefix
        self._taken: list[int] = []
        self._widths: list[int] = []

    def index(self, width: int) -> int:
        """The number of the alternative that is taken now, below `width`."""
        n = len(self._taken)
        k = self._prefix[n] if n < len(self._prefix) else 0
        self._taken.append(k)
        self._widths.append(width)
        return k

    def next(self) -> list[int] | None:
        """The decisions of the next path; None after the last."""
        return next_prefix(self._taken, self._widths)


class SymbolicPath:
    """One path of a thread through its next step, while it is explored. Mutable.

    Of the state before the step it knows the thread's own part; all else it has to ask `before`.
    """

    def __init__(
        self,
        objects: SymbolicObjects,
        code: Code,
        part: ThreadPart,
        before: Recorder,
        decisions: Decisions,
    ) -> None:
        self.objects = objects
        self.code = code
        self.part = part
        self.before = before
        self.thread = part.id
        self.name = objects.context.threads.name(part.id)
        self.spawns = self.part.spawns
        self.allocations = self.part.allocations
        self.spawned: list[tuple[ThreadPart, Value]] = []
        self.taken: list[str] = []  # threads whose results are gone, as they were joined
        self.guard: dict[Formula, None] = {}
        self.inputs: list[Input] = []
        self.edges: list[tuple[int, int]] = []
        self.reads = {PROGRAM_KEY, thread_key(self.name)}
        self.writes: set[str] = set()
        self.preferred: list[Formula] = []
        self.overflows: dict[Formula, Position] = {}  # where operations overflow
        self.where = ""
        self.position = NOWHERE
        self.at = (part.location, 0)  # the edge that is looked at
        self.memory: dict[str, Value] = {}
        self.refs: dict[str, CellRef] = {}
        self.arrays: dict[str, Array] = {}  # contents of arrays that were written
        self.fresh: list[ArrayReg] = []  # arbitrary contents of arrays
        self.loads = 0
        self.counts: AccessKind | None = None  # how accesses count that are made now, for races
        self.pending: dict[PendingAccess, None] = {}  # those that count
        self.lives: dict[str, ObjectRef | None] = {}
        self.ended: dict[str, ObjectRef] = {}
        self.registers: dict[str, Value] = {}  # those that were used or assigned
        self.contents: dict[str, Value] = {}  # of cells and registers before the step, if asked for
        self._decisions = decisions
        self._equal: dict[Expr, Const] = {}
        self._checked: set[Expr] = set()
        self._registers = {name: (key, type) for key, name, type in objects.registers(part)}

    # -- contents -------------------------------------------------------------------------------

    def _variable(self, name: str, type: Scalar) -> Value:
        """The content of a cell or register before the step."""
        content: Value | str = self.before.ask(Content(name))
        if isinstance(content, str):
            variable = Reg(name, variable_type(type))
            content = Convert(variable, type) if isinstance(type, PtrType) else variable
        self.contents[name] = content
        return content

    def register(self, name: str) -> Value:
        """What a register of the thread holds."""
        if name not in self.registers and name in self._registers:
            self.registers[name] = self._variable(*self._registers[name])
        return self.registers.get(name)

    def content(self, ref: CellRef) -> Value:
        """What a cell of a living object holds."""
        if ref.name in self.memory:
            return self.memory[ref.name]
        if ref.name in self.objects.constants:
            return self.objects.constants[ref.name]
        return self._variable(ref.name, ref.type)

    def set(self, ref: CellRef, value: Value) -> None:
        """Gives a cell a content."""
        self.memory[ref.name] = value
        self.refs[ref.name] = ref

    def array(self, variable: ArrayReg) -> Array:
        """What an array of a living object holds."""
        if variable.name in self.arrays:
            return self.arrays[variable.name]
        return self.objects.constant_arrays.get(variable.name, variable)

    def set_array(self, variable: ArrayReg, content: Array | None) -> None:
        """Gives an array a content; an arbitrary one if None."""
        self.arrays[variable.name] = content or self.arbitrary(variable.element)

    def arbitrary(self, element: IntType) -> ArrayReg:
        """A fresh array of arbitrary numbers."""
        self.fresh.append(
            ArrayReg(array_name(f"{self.name}{ARBITRARY}{len(self.fresh)}", element), element)
        )
        return self.fresh[-1]

    def living(self, name: str) -> ObjectRef | None:
        """The object with this name, if it is alive."""
        static = self.objects.static(name)
        if static is not None:
            return static
        self.reads.add(life_key(name))
        if name in self.lives:
            return self.lives[name]
        return self.before.ask(Life(name))

    def unbounded(self, name: str) -> bool:
        """Whether an object that is or was alive has a variable for the number of its elements."""
        if not self.objects.unbounded or self.objects.static(name) is not None:
            return False
        o = self.lives[name] if name in self.lives else self.before.ask(Life(name))
        return o is not None and o.count is not None

    def touch(self, object: str, at: int | Expr, size: int, writes: bool) -> None:
        """Notes that bytes of an object are accessed, or an element of an array, if that counts."""
        if self.counts is not None:
            fresh = tuple(self.inputs), tuple(self.fresh)
            access = PendingAccess(tuple(self.guard), *fresh, object, at, size, writes, self.counts)
            self.pending[access] = None

    def begin_life(self, o: ObjectRef) -> None:
        """Notes that the object lives from here on."""
        self.writes.add(life_key(o.name))
        self.lives[o.name] = o

    def end_life(self, o: ObjectRef) -> None:
        """Notes that the object has ended."""
        self.writes.add(life_key(o.name))
        self.lives[o.name] = None
        self.ended[o.name] = o
        for ref in o.cells.values():
            self.memory.pop(ref.name, None)
        if o.array is not None:
            self.arrays.pop(o.array.name, None)
        if o.count is not None:
            self.memory.pop(o.count.name, None)

    # -- assumptions ----------------------------------------------------------------------------

    def assume(self, f: Formula) -> None:
        """Takes this path only where `f` holds."""
        for part in conjuncts(f):
            if part is FALSE or neg(part) in self.guard:
                raise Blocked
            self.guard[part] = None
            match part.kind, part.expr:
                case Kind.HOLDS, Compare("==", left, Const() as value):
                    self._equal[left] = value
                case _:
                    pass

    def possible(self, f: Formula) -> bool:
        """Whether `f` does not plainly contradict what is assumed."""
        return not any(part is FALSE or neg(part) in self.guard for part in conjuncts(f))

    def settled(self, e: Expr) -> Expr:
        """The number that an integer expression is on this path, if that is assumed."""
        found = self._equal.get(e)
        return e if found is None else found

    def decide(self, alternatives: Sequence[Formula]) -> int:
        """Assumes one of the formulas, and says which. Raises Blocked if none can hold."""
        open = [k for k, f in enumerate(alternatives) if self.possible(f)]
        if not open:
            raise Blocked
        k = open[self._decisions.index(len(open))] if len(open) > 1 else open[0]
        self.assume(alternatives[k])
        return k

    def choose(self, width: int) -> int:
        """A decision that assumes nothing."""
        return self._decisions.index(width) if width > 1 else 0

    def result(self, thread: str) -> Value:
        """What a finished thread has finished with."""
        return self._variable(f"{thread}:{RESULT}", self.objects.program.pointer)

    def input(self, type: IntType, what: str, low: int, high: int) -> Reg:
        """A fresh arbitrary value."""
        name = f"{self.name}{ARBITRARY}{len(self.inputs)} {type}"
        self.inputs.append(Input(name, type, what, low, high))
        return Reg(name, type)

    def late_input(self, type: IntType, what: str, value: Expr) -> None:
        """Adds an input: what the load that is executed chooses if what it reads has no value."""
        name = f"{self.name}{ARBITRARY}{len(self.inputs)} {type}"
        bounds = type.minimum, type.maximum
        self.inputs.append(Input(name, type, what, *bounds, value, self.loads))

    # -- checks ---------------------------------------------------------------------------------

    def check_overflow(self, e: Expr) -> None:
        """Goes on only where evaluating `e` overflows nowhere."""
        rule = self.objects.program.signed_overflow
        if rule is Overflow.WRAP or e in self._checked:
            return
        self._checked.add(e)
        fine = no_overflow(e, rule)
        if fine is TRUE:
            return
        if rule is Overflow.ERROR:
            if self.decide((fine, neg(fine))):
                self.undefined("signed overflow", NO_OVERFLOW)
            return
        if self.possible(neg(fine)):
            self.overflows.setdefault(conj((*self.guard, neg(fine))), self.position)
        self.assume(fine)

    def check_fault(self, e: Expr, reason: str) -> None:
        """Ends the path where the operator of the integer expression `e` faults."""
        fine = no_fault(e)
        if fine is not TRUE and self.decide((fine, neg(fine))):
            self.undefined(reason)

    def fail(self, property: str, message: str) -> None:
        """Ends the path with a violation."""
        self.writes.add(PROGRAM_KEY)
        raise Violated(Violation(property, message, self.position, self.thread))

    def undefined(self, kind: str, property: str = UNDEFINED) -> None:
        """Ends the path with undefined behaviour, which violates a property, unless facts exclude
        it where the path is, NOTE(alarms)."""
        for name, places in self.objects.context.options.open:
            if name == property and (self.code.template.name, *self.at) not in places:
                raise Blocked
        violation = Violation(property, kind, self.position, self.thread)
        raise Faulted(f"undefined behaviour: {kind} at {self.where}", violation)
