"""Random small multi-threaded programs in the program model, with finitely many states.

All values that a program computes are masked to two bits, loops that compute are counted, and
threads are created at most a few times outside loops, so that plain enumeration takes
milliseconds. Shrinking removes statements and threads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from abpress.ir.expr import Addr, Binary, Compare, Const, Convert, Expr, PtrAdd, Reg, negate
from abpress.ir.program import (
    Alloc,
    Assign,
    Edge,
    Enter,
    Exit,
    Fail,
    Finish,
    Free,
    GuardKind,
    Havoc,
    Join,
    Leave,
    Load,
    Location,
    MemoryObject,
    Program,
    Spawn,
    Store,
    Template,
)
from abpress.ir.types import INT, IntType, PtrType, Scalar, scalar_layout
from tests.strategies.ir_body import Body

POINTER = PtrType(4)
U8 = IntType(8, False)
THREAD_ID = IntType(32, False)
NULL = Const(0, POINTER)

REGISTERS = (Reg("a", INT), Reg("b", INT))
BYTE, POINTING, COUNTER = Reg("c", U8), Reg("p", POINTER), Reg("i", INT)
MANY = 40
"""Elements of an array."""

SHARED: dict[str, Scalar] = {"x": INT, "y": INT, "u": U8, "lock": INT, "q": POINTER}

Draw = Callable[..., object]


@dataclass(frozen=True, slots=True)
class Features:
    """What the programs may contain besides loads, stores, branches and assertions."""

    pointers: bool = True
    unbounded_loops: bool = True
    inputs: bool = True
    wide_inputs: bool = False  # inputs of 256 values, restricted afterwards
    locks: bool = True
    locals: bool = True
    exits: bool = True
    overflows: bool = True
    walks: bool = False  # of a pointer to where it points
    arrays: bool = False  # of so many elements that they are arrays in formulas, too
    threads: int = 3  # created at most; at least one is
    statements: int = 6  # of a thread, without the nested ones


class Writer:
    """Draws the statements of one thread into a body."""

    def __init__(self, draw: Draw, body: Body, features: Features, callees: list[str]) -> None:
        self._draw = draw
        self._body = body
        self._features = features
        self._callees = callees  # templates that this thread may still create
        self._running: list[Reg] = []
        body.registers |= {r.name: r.type for r in (*REGISTERS, BYTE, POINTING, COUNTER)}
        initial = [Assign(r, Const(0, r.type)) for r in (*REGISTERS, BYTE, POINTING)]
        body.then(*initial)
        if features.arrays:  # an index that is not known
            body.then(Havoc(REGISTERS[0], "index", 0, self.number(3)))

    def pick(self, items: list[str]) -> str:
        return self._draw(st.sampled_from(items))  # type: ignore[return-value]

    def number(self, most: int) -> int:
        return self._draw(st.integers(0, most))  # type: ignore[return-value]

    def register(self) -> Reg:
        return REGISTERS[self.number(1)]

    def variable(self) -> Addr:
        return Addr(("x", "y")[self.number(1)], 0, POINTER)

    def condition(self) -> Expr:
        op = self.pick(["==", "!=", "<", ">="])
        return Compare(op, self.register(), Const(self.number(3), INT))

    def block(self, most: int, depth: int) -> None:
        for _ in range(self.number(most)):
            self.statement(depth)

    def thread(self, most: int) -> None:
        """The statements of the whole thread, at least two."""
        for _ in range(2 + self.number(most - 2)):
            self.statement(0)

    def statement(self, depth: int) -> None:
        f = self._features
        kinds = ["store", "load", "bump", "assert", "assert", "compute", "copy", "byte", "assume"]
        if depth < 2:
            kinds += ["if", "flag", "count", "atomic"]
            kinds += ["locked"] * f.locks
        if depth == 0:
            kinds += ["spawn"] * (2 if self._callees else 0)
            kinds += ["join"] * (1 if self._running else 0)
            kinds += ["scope"] * f.locals
        kinds += ["input"] * f.inputs
        kinds += ["wide_input"] * (3 * (f.wide_inputs and not self._body.in_atomic))
        kinds += ["await_variable", "await_register"] * f.locks
        kinds += ["overflow"] * f.overflows
        kinds += ["spin", "hang"] * (f.unbounded_loops and not self._body.in_atomic)
        kinds += ["heap", "point", "dereference", "free"] * f.pointers
        kinds += ["exit", "finish"] * f.exits
        kinds += ["element"] * 12 * f.arrays + ["block"] * 3 * f.arrays
        getattr(self, "_" + self.pick(kinds))(depth)

    # -- statements without control flow ------------------------------------------------------

    def _store(self, _: int) -> None:
        value = self.register() if self.number(1) else Const(self.number(3), INT)
        self._body.then(Store(self.variable(), value))

    def _load(self, _: int) -> None:
        temporary = self._body.temporary()
        self._body.then(Load(temporary, self.variable()))
        self._body.then(Assign(self.register(), temporary))

    def _copy(self, _: int) -> None:
        """`a := b; b := number; …`, so that the copy outlives the original."""
        k = self.number(1)
        self._body.then(Assign(REGISTERS[k], REGISTERS[1 - k]))
        self._body.then(Assign(REGISTERS[1 - k], Const(self.number(3), INT)))

    def _bump(self, _: int) -> None:
        variable, r = self.variable(), self.register()
        self._body.then(Load(r, variable))
        self._body.then(Assign(r, masked(Binary("+", r, Const(1, INT)))))
        self._body.then(Store(variable, r))

    def _compute(self, _: int) -> None:
        r, op = self.register(), self.pick(["+", "-", "*", "|"])
        self._body.then(Assign(r, masked(Binary(op, r, REGISTERS[self.number(1)]))))

    def _overflow(self, _: int) -> None:
        r, most = self.register(), Const(2147483647 - self.number(2), INT)
        if self.number(2) == 2:
            by = Const(28 + self.number(2), INT)
            self._body.then(Assign(r, Binary("<<", r, by)))
            self._body.then(Assign(r, masked(Binary(">>", r, by))))
            return
        self._body.then(Assign(r, Binary("+", r, most)))
        self._body.then(Assign(r, Binary("-", r, most)))

    def _byte(self, _: int) -> None:
        byte = Addr("u", 0, POINTER)
        if self.number(1):
            self._body.then(Load(BYTE, byte))
            self._body.then(Assign(self.register(), Convert(BYTE, INT)))
        else:
            self._body.then(Store(byte, Convert(self.register(), U8)))

    def _assert(self, _: int) -> None:
        failed = self._body.branch(negate(self.condition()))
        go_on, self._body.here = self._body.here, failed
        self._body.then(Fail("unreach-call", f"assertion in {self._body.name}"))
        self._body.locations[self._body.here].append(Edge(self._body.here))
        self._body.here = go_on

    def _assume(self, _: int) -> None:
        self._body.then(guard=self.condition(), kind=GuardKind.ASSUME)

    def _input(self, _: int) -> None:
        low = self.number(2)
        self._body.then(Havoc(self.register(), "input", low, low + self.number(1)))

    def _wide_input(self, _: int) -> None:
        """`c := any; a := c`, where all but a few values stop this thread."""
        body = self._body
        a, b = self.number(255), self.number(255)
        body.then(Havoc(BYTE, "input"))
        body.then(Assign(REGISTERS[0], Convert(BYTE, INT)))
        low: Expr = Compare(">=", REGISTERS[0], Const(min(a, b), INT))
        high: Expr = Compare("<=", BYTE, Const(min(min(a, b) + self.number(2), 255), U8))
        way = self.pick(["assume", "exit", "hang"])
        if way == "assume":
            body.then(guard=Binary("&", low, high), kind=GuardKind.ASSUME)
        else:
            for condition in (low, high):
                other = body.branch(condition)
                go_on, body.here = body.here, other
                if way == "exit":
                    body.then(Exit("abort"))
                body.edge(body.here, body.here)
                body.here = go_on
        body.then(Assign(REGISTERS[0], masked(REGISTERS[0])))

    def _exit(self, _: int) -> None:
        other = self._body.branch(self.condition(), Exit("exit"))
        self._body.locations[self._body.here].append(Edge(self._body.here))
        self._body.here = other

    def _finish(self, _: int) -> None:
        other = self._body.branch(self.condition(), Finish(NULL))
        self._body.locations[self._body.here].append(Edge(self._body.here))
        self._body.here = other

    # -- memory -------------------------------------------------------------------------------

    def _heap(self, _: int) -> None:
        self._body.then(Alloc(POINTING, scalar_layout(INT), Const(1, INT), True, "malloc"))
        self._body.then(Store(Addr("q", 0, POINTER), POINTING))

    def _element(self, _: int) -> None:
        """A load or store of an element: of a table, a static or local array, or a block."""
        body, r = self._body, self.register()
        name = self.pick(["big", "big", "table", f"array_{body.name}", "block"])
        base: Expr = POINTING if name == "block" else Addr(name, 0, POINTER)
        if name.startswith("array") and name not in body.locals:
            content = None if self.number(2) == 0 else Const(self.number(1), INT)
            body.locals[name] = MemoryObject(
                name, scalar_layout(INT).repeat(MANY), (content,) * MANY
            )
            body.then(Enter(name))
        index: Expr = Const(self.number(MANY), INT)
        if self.number(3):
            add = Const(self.number(1) * self.number(MANY - 1), INT)
            index = Binary("+", self.register(), add)
        address = PtrAdd(base, Binary("*", index, Const(4, INT)))
        null = body.branch(Compare("!=", POINTING, NULL)) if name == "block" else None
        if name == "table" or self.number(1):
            body.then(Load(r, address))
        else:
            body.then(Store(address, self.register()))
        if null is not None:
            body.edge(body.here, null)
            body.here = null

    def _block(self, _: int) -> None:
        zeroed = self.number(2) > 0
        self._body.then(Alloc(POINTING, scalar_layout(INT), Const(MANY, INT), zeroed, "malloc"))
        if self.number(1):
            self._body.then(Store(Addr("q", 0, POINTER), POINTING))

    def _point(self, _: int) -> None:
        if self.number(1):
            self._body.then(Assign(POINTING, self.variable()))
        else:
            self._body.then(Store(Addr("q", 0, POINTER), self.variable()))

    def _dereference(self, _: int) -> None:
        body, r, reads = self._body, self.register(), self.number(1)
        place: Expr = Addr("q", 0, POINTER)
        if self._features.walks and self.number(1):  # NOTE(walk)
            body.then(Assign(POINTING, place))
            place = POINTING
        body.then(Load(POINTING, place))
        null = body.branch(Compare("!=", POINTING, NULL))
        body.then(Load(r, POINTING) if reads else Store(POINTING, r))
        body.edge(body.here, null)
        body.here = null

    def _free(self, _: int) -> None:
        if self.number(3) == 0:
            self._body.then(Load(POINTING, Addr("q", 0, POINTER)))
            self._body.then(Store(Addr("q", 0, POINTER), NULL))
            self._body.then(Free(POINTING))

    def _scope(self, depth: int) -> None:
        body = self._body
        name = f"local{len(body.locals)}_{body.name}"
        initial = None if self.number(1) else Const(1, INT)
        body.locals[name] = MemoryObject(name, scalar_layout(INT), (initial,))
        address = Addr(name, 0, POINTER)
        body.then(Enter(name))
        body.then(Store(address, self.register()))
        if self._features.pointers and self.number(2) == 0:
            body.then(Store(Addr("q", 0, POINTER), address))
        self.block(2, depth + 1)
        body.then(Load(self.register(), address))
        body.then(Leave(name))

    # -- control flow -------------------------------------------------------------------------

    def _if(self, depth: int) -> None:
        body = self._body
        other = body.branch(self.condition())
        self.block(2, depth + 1)
        end, body.here = body.here, other
        self.block(1, depth + 1)
        body.edge(body.here, end)
        body.here = end

    def _flag(self, depth: int) -> None:
        """A condition that is kept in a temporary, negated, and tested later."""
        body = self._body
        first, second = body.temporary(), body.temporary()
        body.then(Assign(first, self.condition()))
        self.block(1, depth + 1)
        body.then(Assign(second, Compare("==", first, Const(self.number(1), INT))))
        other = body.branch(Compare("!=", second, Const(0, INT)))
        self.block(2, depth + 1)
        body.edge(body.here, other)
        body.here = other

    def _count(self, depth: int) -> None:
        body = self._body
        counter = Reg(f"i{depth}", INT)
        body.registers[counter.name] = INT
        body.then(Assign(counter, Const(0, INT)))
        head = body.here
        out = body.branch(Compare("<", counter, Const(1 + self.number(1), INT)))
        self.block(2, depth + 1)
        body.edge(body.here, head, Assign(counter, Binary("+", counter, Const(1, INT))))
        body.here = out

    def _spin(self, _: int) -> None:
        body, r = self._body, self.register()
        head = body.here
        body.then(Load(r, self.variable()))
        out = body.branch(Compare("!=", r, Const(self.number(2), INT)))
        body.edge(body.here, head)
        body.here = out

    def _hang(self, _: int) -> None:
        other = self._body.branch(self.condition())
        self._body.edge(self._body.here, self._body.here)
        self._body.here = other

    # -- synchronisation ----------------------------------------------------------------------

    def _atomic(self, depth: int) -> None:
        if self._body.in_atomic:
            return
        self._body.begin_atomic()
        self.block(2, depth + 2)
        self._body.end_atomic()

    def _await_variable(self, _: int) -> None:
        body, r = self._body, self.register()
        nested = body.in_atomic
        if not nested:
            body.begin_atomic()
        body.then(Load(r, self.variable()))
        body.then(guard=Compare("!=", r, Const(self.number(1), INT)), kind=GuardKind.AWAIT)
        if not nested:
            body.end_atomic()

    def _await_register(self, _: int) -> None:
        if self.number(1):
            self._body.then(Load(self.register(), self.variable()))
        self._body.then(guard=self.condition(), kind=GuardKind.AWAIT)

    def _locked(self, depth: int) -> None:
        body, lock, r = self._body, Addr("lock", 0, POINTER), COUNTER
        if body.in_atomic:
            return
        body.begin_atomic()
        body.then(Load(r, lock))
        body.then(guard=Compare("==", r, Const(0, INT)), kind=GuardKind.AWAIT)
        body.then(Store(lock, Const(1, INT)))
        body.end_atomic()
        self.block(2, depth + 1)
        body.then(Store(lock, Const(0, INT)))

    def _spawn(self, _: int) -> None:
        thread = Reg(f"t{len(self._running)}", THREAD_ID)
        self._body.registers[thread.name] = THREAD_ID
        self._body.then(Spawn(thread, self._callees.pop(0), NULL))
        self._running.append(thread)

    def _join(self, _: int) -> None:
        thread = self._running[self.number(len(self._running) - 1)]
        self._body.then(Join(POINTING, thread))
        self._body.then(Assign(POINTING, NULL))

    def end(self) -> None:
        """The thread's last edge; main may return instead, and create the threads that are left."""
        if self._body.name == "main":
            while self._callees:
                self._spawn(0)
        returns = self._body.name == "main" and self.number(2) == 0
        self._body.then(Exit("return from main") if returns else Finish(NULL))
        self._body.locations[self._body.here].append(Edge(self._body.here))


def masked(e: Expr) -> Expr:
    """`e` reduced to two bits."""
    return Binary("&", e, Const(3, INT))


@st.composite
def programs(draw: Draw, features: Features | None = None) -> Program:
    """Well-formed programs with up to `features.threads` threads besides main, some nested."""
    features = features or Features()
    count: int = draw(st.integers(1, features.threads))  # type: ignore[assignment]
    names = [f"worker{k}" for k in range(count)]
    # the last worker may be created by the one before it instead of by main
    nested = count > 1 and bool(draw(st.booleans()))
    lines = bool(draw(st.integers(0, 3)))
    templates = {}
    for name in ("main", *names):
        callees = names[: count - nested] if name == "main" else []
        if nested and name == names[-2]:
            callees = names[-1:]
        body = Body(name, lines=lines)
        writer = Writer(draw, body, features, list(callees))
        writer.thread(features.statements if name == "main" else features.statements - 2)
        writer.end()
        templates[name] = body.template()
    return Program(
        templates,
        {**_shared(), **_arrays()} if features.arrays else _shared(),
    )


def _shared() -> dict[str, MemoryObject]:
    return {n: MemoryObject(n, scalar_layout(t), (Const(0, t),)) for n, t in SHARED.items()}


def _arrays() -> dict[str, MemoryObject]:
    layout = scalar_layout(INT).repeat(MANY)
    numbers = {
        "big": (Const(0, INT),) * MANY,
        "table": tuple(Const(k % 4, INT) for k in range(MANY)),
    }
    return {name: MemoryObject(name, layout, content) for name, content in numbers.items()}


def permuted_threads(program: Program) -> Program:
    """The program with templates in reverse order, and threads created in a row in reverse order.

    It has the same verdict: only the threads' numbers differ.
    """
    templates = {name: _reversed_spawns(t) for name, t in reversed([*program.templates.items()])}
    return replace(program, templates=templates)


def _reversed_spawns(template: Template) -> Template:
    locations = [list(location.edges) for location in template.locations]
    arriving = [0] * len(locations)
    for location in template.locations:
        for edge in location.edges:
            arriving[edge.target] += 1

    def spawn(i: int) -> Spawn | None:
        edges = locations[i]
        only = edges[0].effects if len(edges) == 1 else ()
        effect = only[0] if len(only) == 1 else None
        return effect if isinstance(effect, Spawn) else None

    done: set[int] = set()
    for i in range(len(locations)):
        row: list[tuple[int, Spawn]] = []
        at = i
        while at not in done and (effect := spawn(at)) and (not row or arriving[at] == 1):
            done.add(at)
            row.append((at, effect))
            at = locations[at][0].target
        for (at, _), (_, effect) in zip(row, reversed(row), strict=True):
            locations[at] = [replace(locations[at][0], effects=(effect,))]
    return replace(
        template,
        locations=tuple(
            Location(tuple(new), old.atomic)
            for new, old in zip(locations, template.locations, strict=True)
        ),
    )
