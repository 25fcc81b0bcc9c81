"""The discrete part of a symbolic state, and symbolic steps.

A *variable* is an integer whose value is not part of the discrete part: a cell, named
`object@offset`, or a live register, named `thread:register`. Pointers that hold a plain integer
that is not known are variables of the unsigned integer type of their size. An object that is
accessed at indices that are not known may be one variable, an array (`analysis.array_objects`),
named `object@[type]`; if it is one of so many elements that are not known, their number is a
variable, too: `object@count`, of the type INDEX, which does not change while the object lives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from abpress.analysis.points_to import AbstractObject
from abpress.ir.expr import Addr, ArrayReg, Const, Expr, FuncAddr, Term
from abpress.ir.program import AccessKind
from abpress.ir.types import IntType, Layout, PtrType, Scalar
from abpress.logic.formula import Formula, conj, substitute
from abpress.semantics.outcome import Violation

Known = Const | Addr | FuncAddr | None
"""A known content; an `Addr` names an object by its name in the execution. None is undefined."""

Value = Expr | None
"""A content while a step runs: an integer expression over variables; or a pointer, which is Known,
`PtrAdd(Addr, distance)`, or a plain integer `Convert(number, pointer)`; None is undefined."""

PROGRAM_KEY = "program"
"""The key of the program's being alive (see `tracing.AccessedKeys`)."""

ARBITRARY = "?"
"""In the names of inputs, and of values and arrays of which nothing is known; of no variable."""

RESULT = "$result"
"""The register in which a finished thread keeps its result."""


def thread_key(name: str) -> str:
    """The key of the life of a thread."""
    return f"thread {name}"


def life_key(name: str) -> str:
    """The key of the life of a mortal object: read by all accesses to it."""
    return f"life {name}"


def variable_type(type: Scalar) -> IntType:
    """The type of the variable for a cell or register of a type."""
    return IntType(8 * type.size, False) if isinstance(type, PtrType) else type


def array_name(object: str, element: IntType) -> str:
    """The name of the array variable of an object; objects of one name may be of several types."""
    return f"{object}@[{element}]"


def count_name(object: str) -> str:
    """The name of the variable for the number of elements of an object."""
    return f"{object}@count"


def is_count(name: str) -> bool:
    """Whether a variable is the number of elements of an object, by its name."""
    return name.endswith("@count")


def owner_of(name: str) -> str:
    """The thread that a register or local object belongs to, by its name."""
    return name.partition(":")[0]


def in_memory(name: str) -> bool:
    """Whether the name of a variable (or of a key) is that of a cell or array of an object."""
    return "@" in name


def object_of(name: str) -> str:
    """The object of a cell or array, by the name of that."""
    return name.partition("@")[0]


def is_array(name: str) -> bool:
    """Whether the name of a variable (or of a key) is that of an array."""
    return "@[" in name


class ThreadPart(NamedTuple):
    """A thread: where it stands (DONE if it has finished), and how much it has created so far.

    The counters are 0 where they no longer matter.
    """

    id: int
    template: str
    location: int
    spawns: int = 0
    allocations: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class CellRef:
    """A cell of an object of an execution, by its name."""

    name: str
    offset: int
    type: Scalar
    control: bool


@dataclass(frozen=True, slots=True, eq=False)
class ObjectRef:
    """An object of an execution; one per name and layout in one system.

    `mortal` objects are in `Discrete.objects` while they live. `origin` is what stands for it in
    static analyses. Where `array` is the variable of its elements, it has no `cells`. Where `count`
    is the variable of their number, `layout` is that of one element.
    """

    name: str
    layout: Layout
    origin: AbstractObject
    mortal: bool
    readonly: bool = False
    heap: bool = False
    cells: Mapping[int, CellRef] = field(default_factory=dict)
    array: ArrayReg | None = None
    count: CellRef | None = None


class Discrete:
    """The discrete part: immutable, interned by the system that made it, compared by value.

    `known` are the cells and live registers that are no variables, by ascending name. `status`
    says how the program ended; then there are no threads.
    """

    __slots__ = ("_alive", "_hash", "_map", "known", "objects", "status", "threads")

    def __init__(
        self,
        threads: tuple[ThreadPart, ...],
        known: tuple[tuple[str, Known], ...],
        objects: tuple[ObjectRef, ...] = (),
        status: str | None = None,
    ) -> None:
        self.threads = threads
        self.known = known
        self.objects = objects
        self.status = status
        self._hash = hash((threads, known, objects, status))
        self._map: Mapping[str, Known] | None = None
        self._alive: Mapping[str, ObjectRef] | None = None

    @property
    def values(self) -> Mapping[str, Known]:
        """`known` as a mapping."""
        if self._map is None:
            self._map = dict(self.known)
        return self._map

    @property
    def alive(self) -> Mapping[str, ObjectRef]:
        """`objects` by name."""
        if self._alive is None:
            self._alive = {o.name: o for o in self.objects}
        return self._alive

    def thread(self, t: int) -> ThreadPart:
        """Raises ValueError if there is no such thread."""
        for part in self.threads:
            if part.id == t:
                return part
        raise ValueError(f"no thread {t} in this state")

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Discrete)
            and self._hash == other._hash
            and self.threads == other.threads
            and self.objects == other.objects
            and self.status == other.status
            and self.known == other.known
        )

    def __repr__(self) -> str:
        return f"Discrete({self.threads}, {self.known}, {self.status})"


@dataclass(frozen=True, slots=True)
class Input:
    """An arbitrary value that a step chooses: a fresh variable. The guard has the bounds, too.

    With `value` it is that of an element of an array, over the variables before the step, read by
    the load number `load` of the step: it is chosen there only if the element has no value yet.
    Neither guard nor updates mention it.
    """

    name: str
    type: IntType
    what: str
    low: int
    high: int
    value: Expr | None = None
    load: int = 0

    @property
    def nearest(self) -> int:
        """The value nearest to 0."""
        return min(max(0, self.low), self.high)

    @property
    def trials(self) -> tuple[int, int, int]:
        """Values to be tried out: the least, the greatest, and the one nearest to 0."""
        return self.low, self.high, self.nearest


def instances(guard: Iterable[Formula], inputs: Sequence[Input]) -> Iterator[Formula]:
    """Formulas without inputs under which a guard can hold: for inputs, a few of their values are
    tried."""
    whole = conj(guard)
    if not inputs:
        yield whole
        return
    for picked in zip(*(i.trials for i in inputs), strict=True):
        pairs = zip(inputs, picked, strict=True)
        values: dict[str, Expr] = {i.name: Const(value, i.type) for i, value in pairs}
        yield substitute(whole, values)


@dataclass(frozen=True, slots=True)
class Access:
    """Keys that (part of) a step reads and writes: cells, `life NAME` of mortal objects,
    `thread NAME`, `program`."""

    reads: frozenset[str]
    writes: frozenset[str]


class PendingAccess(NamedTuple):
    """An access that a thread stands before, where the guard holds: of `size` bytes of an object,
    at an offset, or of the element with a number (an expression) of an object that is an array."""

    guard: tuple[Formula, ...]
    inputs: tuple[Input, ...]
    arrays: tuple[ArrayReg, ...]
    object: str
    at: int | Expr
    size: int
    writes: bool
    kind: AccessKind


class EndShown(Enum):
    """What a state shows that is no step of a thread."""

    DEADLOCK = "threads are left, and all of them wait for one another"
    CIRCLE = "some threads wait for one another, which others cannot end"
    RACE = "two threads stand before accesses that race"


@dataclass(frozen=True, slots=True, eq=False)
class SymbolicStep:
    """One path of one thread from boundary to boundary.

    It is taken where the `guard` holds, over the variables before it and its inputs; then the
    variables in `updates` change, all at once. An update to a `Const` may be to what is known in
    the successor. `inputs` stand in the order of their use, as `Interpreter.follow` wants them.
    `forgotten` are names that are no variables after the step (they may have been none before it).
    What is in neither is after the step what it was before, known or a variable; but where the
    program ends there are no registers any more.

    A path may end early: `violation` says that the execution is an error, `fault` that it ends by
    undefined behaviour or a bound, so that no verdict "true" survives if the guard can hold. The
    successor of a fault has no meaning.

    A step that `shows` something is none: it stands for the end of executions in states that show
    it (`SymbolicSystem.shown`).

    `preferred` are conditions under which the interpreter does what the step says; where they do
    not hold, an address wraps around, and it may not.

    Steps of one system with the same `shape` differ in their successors only, and in these nothing
    else is made anew: the thread's own part, the threads that it creates, the objects that begin
    and end, and the contents that become known.
    """

    thread: int
    edges: tuple[tuple[int, int], ...]
    guard: tuple[Formula, ...]
    updates: Mapping[str, Term]
    inputs: tuple[Input, ...]
    forgotten: frozenset[str]
    successor: Discrete
    reads: frozenset[str]
    writes: frozenset[str]
    violation: Violation | None = None
    fault: str | None = None
    shape: int = 0
    arrays: tuple[ArrayReg, ...] = ()
    shows: EndShown | None = None
    preferred: tuple[Formula, ...] = ()

    @property
    def fresh(self) -> frozenset[str]:
        """The names of the fresh variables."""
        return frozenset((*(i.name for i in self.inputs), *(a.name for a in self.arrays)))
