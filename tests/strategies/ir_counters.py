"""Random programs whose threads add up what small cells hold, so that overflow is near."""

from __future__ import annotations

from random import Random

from abpress.ir.expr import Addr, Binary, Compare, Const, Convert, Expr, PtrAdd, Reg, negate
from abpress.ir.program import (
    Assign,
    Edge,
    Exit,
    Finish,
    GuardKind,
    Havoc,
    Join,
    Load,
    MemoryObject,
    Overflow,
    Program,
    Spawn,
    Store,
)
from abpress.ir.types import INDEX, INT, IntType, PtrType, scalar_layout
from tests.strategies.ir_body import Body

POINTER = PtrType(4)
SMALL = IntType(8, True)
ID = IntType(32, False)
CELLS = ("x", "y", "z")
ARGUMENT, PASSED = Reg("$arg", POINTER), Reg("passed", POINTER)
REGISTERS = tuple(Reg(name, SMALL) for name in "abc")


class CounterWriter:
    """Draws the statements of one thread (mutable)."""

    def __init__(
        self, random: Random, body: Body, children: tuple[str, ...], hands: bool = False
    ) -> None:
        self._random = random
        self._body = body
        self._children = list(children)
        self._hands = hands
        self._loops = 0
        body.registers |= {r.name: r.type for r in REGISTERS}

    def block(self, statements: int, depth: int) -> None:
        """Adds so many statements."""
        for _ in range(statements):
            self._statement(depth)

    def spawn(self) -> None:
        """Creates a thread, if there is one left to be created."""
        if self._children:
            target = Reg(f"t{len(self._children)}", ID)
            self._body.registers[target.name] = ID
            self._body.then(Spawn(target, self._children.pop(), self._argument()))
            if self._random.random() < 0.3:
                result = Reg("result", POINTER)
                self._body.registers["result"] = POINTER
                self._body.then(Join(result, target))

    def _argument(self) -> Expr:
        """What a thread is given: a number, perhaps that of a register, or what this one got."""
        if not self._hands:
            return Const(0, POINTER)
        given = Convert(self._random.choice((self._number(), *REGISTERS)), POINTER)
        value: Expr = given
        if self._body.name != "main":
            value = self._random.choice((ARGUMENT, given, PtrAdd(ARGUMENT, Const(-1, INDEX))))
        self._body.registers[PASSED.name] = POINTER
        self._body.then(Assign(PASSED, value))
        return PASSED

    def begin(self) -> None:
        """A register is what the thread was given."""
        self._body.registers[ARGUMENT.name] = POINTER
        self._body.then(Assign(REGISTERS[0], Convert(ARGUMENT, SMALL)))

    def _number(self) -> Const:
        return Const(self._random.choice((-3, -1, 1, 1, 2, 5, 20)), SMALL)

    def _statement(self, depth: int) -> None:
        random, body = self._random, self._body
        r, s = random.choice(REGISTERS), random.choice(REGISTERS)
        cell, other = (Addr(random.choice(CELLS), 0, POINTER) for _ in range(2))
        kind = random.randrange(11 if depth < 2 else 7)
        if kind <= 1:
            body.then(Load(r, cell))
            body.then(Store(cell, Binary("+", r, self._number())))
        elif kind == 2:
            body.then(Load(r, cell))
            body.then(Load(s, other))
            body.then(Store(cell, Binary(random.choice("+-"), r, s)))
        elif kind == 3:
            body.then(Assign(r, random.choice((self._number(), Binary("*", s, self._number())))))
        elif kind == 4:
            body.then(Store(cell, random.choice((r, Const(random.randrange(-4, 30), SMALL)))))
        elif kind == 5:
            low = random.randrange(-5, 5)
            body.then(Havoc(r, "input", low, low + 1))
        elif kind == 6:
            body.then(Load(r, cell))
            body.then(Assign(r, Binary(random.choice(("+", "-", "<<")), r, Const(1, SMALL))))
        elif kind == 7:
            self._if(r, depth)
        elif kind == 8:
            self._loop(depth)
        elif kind == 9 and not body.in_atomic:
            body.begin_atomic()
            self.block(2, 2)
            body.end_atomic()
        elif not body.in_atomic:
            self.spawn()

    def _if(self, r: Reg, depth: int) -> None:
        random, body = self._random, self._body
        op = random.choice(("<", "<=", ">", "==", "!="))
        condition = Compare(op, r, random.choice((self._number(), *REGISTERS)))
        if random.random() < 0.3:
            body.then(guard=condition, kind=GuardKind.ASSUME)
            return
        other = body.branch(condition)
        self.block(1, depth + 1)
        end, body.here = body.here, other
        body.edge(body.here, end)
        body.here = end

    def _loop(self, depth: int) -> None:
        random, body = self._random, self._body
        if random.random() < 0.4:
            self._loop_over_cell(depth)
            return
        self._loops += 1
        counter = Reg(f"i{self._loops}", INT)
        body.registers[counter.name] = INT
        body.then(Assign(counter, Const(0, INT)))
        head = body.here
        bound = Const(random.randrange(1, 4), INT)
        out = body.branch(Compare("<", counter, bound))
        self.block(1, depth + 1)
        body.edge(body.here, head, Assign(counter, Binary("+", counter, Const(1, INT))))
        body.here = out

    def _loop_over_cell(self, depth: int) -> None:
        random, body = self._random, self._body
        cell, r = Addr(random.choice(CELLS), 0, POINTER), random.choice(REGISTERS)
        body.then(Store(cell, Const(0, SMALL)))
        head = body.here
        body.then(Load(r, cell))
        out = body.branch(Compare("<", r, Const(random.randrange(1, 4), SMALL)))
        self.block(1, depth + 1)
        body.then(Load(r, cell))
        body.edge(body.here, head, Store(cell, Binary("+", r, Const(1, SMALL))))
        body.here = out


def counter_program(seed: int, hands: bool = False) -> Program:
    """A program by its seed, whose threads may hand over numbers."""
    random = Random(seed)
    templates = {}
    others: dict[str, tuple[str, ...]] = {"first": (), "second": ()}
    of_main = ("first", "second", "second")
    if hands:
        others["first"], of_main = ("second",), ("first", "second")
    for name, children in ("main", of_main), *others.items():
        body = Body(name)
        writer = CounterWriter(random, body, children, hands)
        if hands and name != "main":
            writer.begin()
        writer.block(random.randrange(3), 0)
        for _ in children[:2]:
            writer.spawn()
        writer.block(random.randrange(1, 4), 0)
        if random.random() < 0.2 and name != "main":
            body.edge(body.here, 0, guard=negate(Compare("<", REGISTERS[0], REGISTERS[1])))
        end = Exit("return from main") if name == "main" else Finish(Const(0, POINTER))
        body.locations[body.here].append(Edge(body.here, effects=(end,)))
        templates[name] = body.template()
    objects = {
        name: MemoryObject(
            name, scalar_layout(SMALL), (Const(random.choice((0, 1, 40, 100, 120)), SMALL),)
        )
        for name in CELLS
    }
    return Program(templates, objects, signed_overflow=Overflow.ERROR)
