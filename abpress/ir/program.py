"""Programs: memory objects, thread templates, control-flow graphs of guarded actions.

The interleaving semantics in one page (`abpress.semantics.reference` defines it):

- A *thread* is an instance of a template. Its state is a location and its registers. It has an id,
  which is its `$tid`; ids are canonical: they name (creating thread, its n-th creation).
- An *edge* carries one guarded action: if the guard is non-zero, perform the effects in order.
  Several edges of a location whose guards hold are a non-deterministic choice.
- A location is *atomic* when the thread there excludes all others. An edge from a non-atomic to an
  atomic location begins an atomic block, an edge back ends it. No other thread moves in between: a
  block that cannot be finished (a guard inside fails) cannot be begun. No thread begins in one.
- *Visible* edges touch memory that two threads can reach, begin an atomic block, create, join or
  end threads or the program. A *step* is one visible edge (with the whole atomic block that it
  begins) and the maximal run of invisible edges after it; it also ends at the target of a back
  edge of an invisible cycle. A step through which no choice leads (a guard fails, an execution
  ends by `Fault`) does not exist.
- Signed overflow follows `Program.signed_overflow`.
- Registers and undefined cells (fresh stack and heap memory) hold arbitrary values. An arbitrary
  value is chosen when it is first used, not when it is copied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain

from abpress.errors import NOWHERE, Position
from abpress.ir.expr import TRUE, Addr, Const, Expr, FuncAddr, Reg
from abpress.ir.types import SET_BITS, IntType, Layout, PtrType, Scalar


class GuardKind(Enum):
    """What it means when no guard of a location holds."""

    BRANCH = "branch"  # control flow; the guards of the location cover all cases
    AWAIT = "await"  # blocking synchronisation: a thread that waits here can be deadlocked
    ASSUME = "assume"  # the program restricts its executions: waiting here is no deadlock


class AccessKind(Enum):
    """How an access to memory counts for data races; see `abpress.properties.data_race`."""

    PLAIN = ""  # inside an atomic block as SECTION
    SECTION = "section_access"  # of an atomic block: two of them do not race
    ATOMIC = "atomic_access"  # the object of a C11 or GNU C atomic operation
    LIBRARY = "library_access"  # by the library, to an object of its own: it never races
    EXPOSED = "exposed_access"  # plain, although the library does more in the same step

    def races(self, other: AccessKind) -> bool:
        """Whether accesses that count so race: unless they are operations that exclude one another
        (C11 atomics, accesses of atomic blocks). Those of the library do not count at all."""
        return self is AccessKind.PLAIN or other is AccessKind.PLAIN


class Overflow(Enum):
    """What signed overflow does."""

    END = "end"  # the execution ends there without violation; a proof says that it assumes none
    WRAP = "wrap"
    ERROR = "error"  # it violates the property no-overflow


UNDEFINED = "undefined"
"""In the place of a property, for undefined behaviour that none is about."""

UNREACH_CALL = "unreach-call"
"""The property that errors and assertions of the program violate."""

VALID_DEREF, VALID_FREE = "valid-deref", "valid-free"
NO_OVERFLOW, NO_MISUSE = "no-overflow", "no-misuse"
"""The properties that undefined behaviour violates: by an access to no living object or beyond it;
by freeing what cannot be freed; by signed arithmetic; by a use of the thread library."""

ENDS_IN_USE = "the lifetime of {} ends while threads hold it or wait for it"
"""The words for the end of an object of which a cell tells that it has users."""

# -- effects ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assign:
    """register := value. The value has the register's type."""

    target: Reg
    value: Expr


@dataclass(frozen=True, slots=True)
class Load:
    """register := the scalar at `address`, read with the register's type (size and signedness)."""

    target: Reg
    address: Expr


@dataclass(frozen=True, slots=True)
class Store:
    """The scalar at `address` := value, written with the value's type."""

    address: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Copy:
    """Copies `size` bytes between objects cell by cell; undefined cells stay undefined.

    Where it `moves`, at most so many: as many as both objects have. The source is then a heap
    object that is to be freed; what cannot be freed is undefined here already.
    """

    target: Expr
    source: Expr
    size: int
    moves: bool = False


@dataclass(frozen=True, slots=True)
class Havoc:
    """register := an arbitrary value of its type, or between `low` and `high` where they are given.

    `what` names the source for people: the input function, or the uninitialised variable.
    """

    target: Reg
    what: str = ""
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class ChooseBit:
    """register := 1 << k for an arbitrary set bit k of `mask`; 0 when there is none."""

    target: Reg
    mask: Expr


@dataclass(frozen=True, slots=True)
class Enter:
    """Begins the lifetime of a template's local object with its `initial` values."""

    object: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Ends the lifetime of a template's local object."""

    object: str


@dataclass(frozen=True, slots=True)
class Alloc:
    """register := the address of a fresh heap object of `count` elements; zeroed, or undefined.

    `count` times the element's size is the object's size. The object is named by
    (thread, its n-th allocation). An `automatic` one is a variable: it is freed where its block or
    function ends, or else when its thread does, and nobody has to keep track of it.
    """

    target: Reg
    element: Layout
    count: Expr
    zeroed: bool
    label: str = ""
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class Free:
    """Ends the lifetime of the heap object that begins at `address`; NULL is allowed. The program
    frees no automatic ones, which end with their block or function: `automatic`."""

    address: Expr
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class Spawn:
    """register := the id of a new thread, an instance of `template` with `$arg` := argument."""

    target: Reg
    template: str
    argument: Expr


@dataclass(frozen=True, slots=True)
class Join:
    """Waits (as an AWAIT guard) until the thread with id `thread` has finished; register := result.

    An id that names no thread is a fault. A thread can be joined any number of times.
    """

    target: Reg
    thread: Expr


@dataclass(frozen=True, slots=True)
class Finish:
    """Ends this thread with a result (a pointer-sized value)."""

    result: Expr


RETURN_FROM_MAIN = "return from main"
"""How the program ends where nothing else ends it."""


@dataclass(frozen=True, slots=True)
class Exit:
    """Ends the program: all threads stop. `how` is RETURN_FROM_MAIN, `exit`, `abort`, …."""

    how: str


@dataclass(frozen=True, slots=True)
class Fail:
    """Violates a property: the execution is an error."""

    property: str
    message: str


@dataclass(frozen=True, slots=True)
class Cut:
    """The exploration stops here by a bound of the tool; no verdict "true" survives it."""

    reason: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Undefined behaviour: the execution ends here; no verdict "true" survives reaching it.

    `property` is the one that it violates, if there is one for it.
    """

    kind: str
    property: str = UNDEFINED


Effect = (
    Assign
    | Load
    | Store
    | Copy
    | Havoc
    | ChooseBit
    | Enter
    | Leave
    | Alloc
    | Free
    | Spawn
    | Join
    | Finish
    | Exit
    | Fail
    | Cut
    | Fault
)

ENDING = (Finish, Exit, Fail, Cut, Fault)
"""Effects after which the thread does not go on; they are the last of their action."""


# -- control flow -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Edge:
    """One guarded action from a location to `target` (of no meaning after an ENDING effect).

    At most one effect touches memory or threads, except between atomic locations.
    `access` is the kind of all accesses of the edge.
    """

    target: int
    guard: Expr = TRUE
    kind: GuardKind = GuardKind.BRANCH
    effects: tuple[Effect, ...] = ()
    position: Position = field(default=NOWHERE, compare=False)
    access: AccessKind = AccessKind.PLAIN


@dataclass(frozen=True, slots=True)
class Location:
    """A point of control of a template: its outgoing edges."""

    edges: tuple[Edge, ...]
    atomic: bool = False


Initial = Const | Addr | FuncAddr | None
"""The initial value of a cell; None is undefined (arbitrary)."""


@dataclass(frozen=True, slots=True)
class MemoryObject:
    """A static object of the program, or a local object of a template.

    `initial` holds one value per cell of the layout. `readonly` objects (string literals) fault
    when they are written.
    """

    name: str
    layout: Layout
    initial: tuple[Initial, ...]
    readonly: bool = False
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Template:
    """The code of a kind of thread: one control-flow graph, everything inlined.

    `registers` gives the type of every register (the ambient `$tid` and `$arg` only when used).
    Registers are named after the C variable that they hold: `name` or `name#k`; temporaries `%k`.
    A register that is read before it is written holds an arbitrary value.
    """

    name: str
    entry: int
    locations: tuple[Location, ...]
    registers: Mapping[str, Scalar]
    locals: Mapping[str, MemoryObject]
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Program:
    """A multi-threaded program; execution starts with one thread of the template `main`."""

    templates: Mapping[str, Template]
    objects: Mapping[str, MemoryObject]
    functions: tuple[str, ...] = ()
    pointer_size: int = 4
    signed_overflow: Overflow = Overflow.END
    main: str = "main"

    @property
    def pointer(self) -> PtrType:
        """The type of pointers."""
        return PtrType(self.pointer_size)

    @property
    def thread_id(self) -> IntType:
        """The type of thread ids (`pthread_t`)."""
        return IntType(self.pointer_size * 8, False)


def effect_target(effect: Effect) -> Reg | None:
    """The register that the effect defines, if any."""
    match effect:
        case (
            Assign(target=r)
            | Load(target=r)
            | Havoc(target=r)
            | ChooseBit(target=r)
            | Alloc(target=r)
            | Spawn(target=r)
            | Join(target=r)
        ):
            return r
        case _:
            return None


def effect_operands(effect: Effect) -> tuple[Expr, ...]:
    """The expressions that the effect evaluates, in order."""
    match effect:
        case Assign(_, value):
            return (value,)
        case Load(_, address) | Free(address):
            return (address,)
        case Store(address, value):
            return (address, value)
        case Copy(target, source, _):
            return (target, source)
        case ChooseBit(_, mask):
            return (mask,)
        case Alloc(count=count):
            return (count,)
        case Spawn(argument=argument):
            return (argument,)
        case Join(thread=thread):
            return (thread,)
        case Finish(result):
            return (result,)
        case _:
            return ()


def ends(effects: Sequence[Effect]) -> bool:
    """Whether the thread does not go on after the effects of an action."""
    return bool(effects) and isinstance(effects[-1], ENDING)


def goes_on(edge: Edge) -> bool:
    """Whether the thread is at `edge.target` after the edge."""
    return not ends(edge.effects)


def edges(template: Template) -> Iterator[tuple[int, Edge]]:
    """All edges with the index of their source."""
    for i, location in enumerate(template.locations):
        for edge in location.edges:
            yield i, edge


def layouts(program: Program) -> Iterator[Layout]:
    """The layouts of all objects; of allocated ones those of their elements."""
    for o in program.objects.values():
        yield o.layout
    for template in program.templates.values():
        for o in template.locals.values():
            yield o.layout
        for _, edge in edges(template):
            yield from (effect.element for effect in edge.effects if isinstance(effect, Alloc))


def keeps_sets(program: Program) -> bool:
    """Whether cells or registers of the program hold sets of threads."""
    cells = (cell.type for layout in layouts(program) for cell in layout.cells)
    registers = (type for t in program.templates.values() for type in t.registers.values())
    return IntType(SET_BITS, False) in chain(cells, registers)


def allocates(program: Program) -> bool:
    """Whether the program allocates memory of which somebody has to keep track."""
    return any(
        isinstance(effect, Alloc) and not effect.automatic
        for template in program.templates.values()
        for _, edge in edges(template)
        for effect in edge.effects
    )
