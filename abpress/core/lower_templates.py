"""Code of the native core for the locations of a template: what a thread does that stands there, up
to the next location of its way; as `abpress.semantics.codegen`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from abpress.analysis.registers import TID as THREAD_ID
from abpress.analysis.registers import after_effect, copied, live_after
from abpress.core.code import (
    ALLOCATIONS,
    ARG,
    SPAWNS,
    TID,
    CannotLower,
    CoreAssembler,
    type_word,
    word,
)
from abpress.core.lower_expressions import CoreExpressions
from abpress.errors import Position
from abpress.ir.expr import Expr, Reg, registers
from abpress.ir.program import (
    ENDING,
    Alloc,
    Assign,
    ChooseBit,
    Copy,
    Cut,
    Edge,
    Effect,
    Enter,
    Exit,
    Fail,
    Fault,
    Finish,
    Free,
    GuardKind,
    Havoc,
    Join,
    Leave,
    Load,
    Spawn,
    Store,
)
from abpress.ir.types import IntType, Layout, PtrType
from abpress.semantics import context as contexts
from abpress.semantics.codegen.expressions import fixed_address
from abpress.semantics.codegen.losses import may_lose
from abpress.semantics.codegen.regions import always, complete, exclusive
from abpress.semantics.context import Code, Context
from abpress.semantics.naming import ScalarKind
from abpress.semantics.tracking import ABORTED

MOST_COPIED = (1 << 30) - 1
"""Bytes of one copy: more than an object of the heap has."""

INERT = -2
"""In the place of a domain: an undefined value is only copied."""

NAMES = {THREAD_ID: TID, contexts.SPAWNS: SPAWNS, contexts.ALLOCATIONS: ALLOCATIONS, "$arg": ARG}
"""The registers of every thread."""


@dataclass
class CoreTables:
    """What the templates of a program have in common, by numbers. Mutable.

    `starts` and `frames` are those of the locations, by pc; `jumps` lead to the start of the
    location whose pc they have. Registers are numbered up to `slots`.
    """

    context: Context
    slots: int
    out: CoreAssembler = field(default_factory=CoreAssembler)
    layouts: dict[Layout, int] = field(default_factory=dict)
    locals: dict[tuple[str, str], int] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    violations: dict[tuple[str, str, Position], int] = field(default_factory=dict)
    starts: list[int] = field(default_factory=list)
    frames: list[list[int]] = field(default_factory=list)
    jumps: list[int] = field(default_factory=list)

    def layout(self, layout: Layout, position: Position) -> int:
        """The number of a layout. Raises CannotLower."""
        if layout not in self.layouts:
            for cell in layout.cells:
                try:
                    type_word(cell.type)
                except CannotLower as why:
                    raise CannotLower(str(why), position) from None
            self.layouts[layout] = len(self.layouts)
        return self.layouts[layout]


class CoreTemplate:
    """Lowers the code of one template."""

    def __init__(self, all: CoreTables, code: Code) -> None:
        self.all = all
        self.out = all.out
        self.code = code
        self.context = all.context
        self.losses = all.context.options.losses
        self.registers = dict(NAMES)
        for name in code.template.registers:
            self.registers.setdefault(name, len(self.registers))
        self.expressions = CoreExpressions(self.out, self.context, code, self.registers)
        self.expressions.locals = {
            name: number
            for (template, name), number in all.locals.items()
            if template == code.template.name
        }

    def lower(self) -> None:
        """Adds the code of all locations."""
        for location in range(len(self.code.template.locations)):
            frame = self.code.frames[location]
            pointers = self.pointers(frame) if self.losses else ()
            self.all.frames.append([2 * self.registers[n] + (n in pointers) for n in frame])
            self.all.starts.append(len(self.out.code))
            self._location(location)

    def pointers(self, names: Iterable[str]) -> list[str]:
        """Those of the registers that hold pointers."""
        types = self.code.template.registers
        return [name for name in names if isinstance(types.get(name), PtrType)]

    def _location(self, location: int) -> None:
        edges = self.code.template.locations[location].edges
        if exclusive(edges):
            self._chain(location, edges)
        else:
            self._alternatives(location, edges)

    def _begin(self, location: int, edge: Edge) -> None:
        self.out.temporary = self.all.slots
        self.out.position = edge.position
        self.expressions.undefined = self.code.undefined[location]

    def _chain(self, location: int, edges: tuple[Edge, ...]) -> None:
        """Edges of which one at most is possible."""
        for k, edge in enumerate(edges):
            self._begin(location, edge)
            last = k == len(edges) - 1
            if always(edge.guard) or (last and len(edges) == 2 and complete(edges)):
                self._edge(location, edge)
                return
            skip = self.out.emit("JUMP_ZERO", self.expressions.value(edge.guard), 0)
            self._edge(location, edge)
            self.out.land(skip)
        self.out.emit("BLOCKED", _waits(edges) & 1)

    def _alternatives(self, location: int, edges: tuple[Edge, ...]) -> None:
        """A choice among edges whose guards may hold at once."""
        out = self.out
        if len(edges) > 60:
            raise CannotLower("a choice among many", edges[0].position)
        out.emit("OPEN_NONE")
        for k, edge in enumerate(edges):
            self._begin(location, edge)
            out.emit("OPEN", self.expressions.value(edge.guard), k)
        out.temporary = self.all.slots
        taken = out.new()
        out.emit("OPEN_PICK", taken, _waits(edges))
        for k, edge in enumerate(edges):
            self._begin(location, edge)
            out.new()
            self.expressions.undefined -= registers(edge.guard)
            skip = out.emit("JUMP_OTHER", taken, k, 0)
            self._edge(location, edge)
            out.land(skip)
        out.emit("BLOCKED", 0)

    def _edge(self, location: int, edge: Edge) -> None:
        """The effects of an edge whose guard holds, and where it leads."""
        lives = tuple(live_after(edge, self.code.live))
        loses = self.losses and may_lose(self.code, location, edge)
        for k, (effect, after) in enumerate(zip(edge.effects, lives, strict=True)):
            if loses and k and isinstance(effect, ENDING) and not isinstance(effect, Finish):
                self._lose(lives[k - 1])
            may_be = self.expressions.undefined
            if not self._effect(effect, after):
                return
            self.expressions.undefined = after_effect(effect, after, may_be, self.code.inert)
        if loses:
            self._lose(lives[-1] if lives else self.code.live[edge.target])
        target = self.code.first_pc + edge.target
        atomic = self.code.template.locations[edge.target].atomic
        if edge.target in self.code.boundaries and not atomic:
            self.out.emit("GO", target)
        else:
            self.all.jumps.append(self.out.emit("JUMP", target))

    def _lose(self, live: Iterable[str]) -> None:
        """Asks whether memory is lost while these registers may still be read."""
        for name in self.pointers(sorted(live)):
            self.out.emit("HOLD", self.registers[name])
        self.out.emit("LOSE")

    # -- effects --------------------------------------------------------------------------------

    def _effect(self, effect: Effect, after: frozenset[str]) -> bool:
        """The code of an effect. Returns whether the thread goes on."""
        out, value = self.out, self.expressions.value
        raw = copied(effect, after)
        match effect:
            case Assign(target, e):
                out.emit("COPY", self.registers[target.name], self._operand(e, raw))
            case Load(target, address):
                self._load(target, address, target.name in after)
            case Store(address, e):
                self._store(address, e, raw)
            case Havoc(target, what, low, high):
                register = self.registers[target.name]
                if target.name in after and isinstance(target.type, IntType):
                    what = what or "input"
                    domain = self.expressions.choice(target.type, what, low, high, target.name)
                    out.emit("PICK", register, domain)
                else:
                    out.emit("CONST", register, word(None))
            case ChooseBit(target, mask):
                number, type = value(mask), type_word(target.type)
                out.emit("PICK_BIT", self.registers[target.name], number, type)
            case Enter(name):
                self._lifetime("ENTER", name)
            case Leave(name):
                self._leave(name)
            case Alloc():
                self._allocate(effect)
            case Free(address, automatic):
                out.emit("FREE", value(address, address=True), int(automatic))
            case Spawn(target, template, argument):
                number = list(self.context.codes).index(template)
                operand = self._operand(argument, raw)
                out.emit("SPAWN", self.registers[target.name], number, operand)
            case Join(target, thread):
                out.emit("JOIN", self.registers[target.name], value(thread), int(self.losses))
            case Finish(result):
                operand = self._operand(result, raw)
                for name in self.code.template.locals:
                    self._leave(name)
                if self.context.options.leftovers:
                    out.emit("LEFT", True)
                out.emit("FINISH", operand, int(self.losses))
            case Exit(how):
                if self.context.options.leftovers and how != ABORTED:
                    out.emit("LEFT", False)
                out.emit("EXIT", self._end(how))
            case Fail(prop, message):
                key = (prop, message, out.position)
                number = self.all.violations.setdefault(key, len(self.all.violations))
                out.emit("FAIL", number, self._end(f"violates {prop}: {message}"))
            case Cut() | Fault():
                out.emit("END")
            case Copy(to, source, size, moves):
                if size > MOST_COPIED and not moves:
                    raise out.refuse("a copy of many bytes")
                a, b = value(to, address=True), value(source, address=True)
                out.emit("COPY_OBJECT", a, b, min(size, MOST_COPIED), int(moves))
        return not isinstance(effect, (Finish, Exit, Fail, Cut, Fault))

    def _end(self, how: str) -> int:
        return self.all.ends.setdefault(how, len(self.all.ends))

    def _operand(self, e: Expr, raw: Reg | None) -> int:
        """An operand; a register that is only copied may hold no value."""
        if e is raw and raw is not None:
            return self.registers[raw.name]
        return self.expressions.value(e)

    def _place(self, address: Expr, kind: ScalarKind) -> tuple[int, bool] | None:
        """The cell that an address certainly means, if it has a fixed place and exactly this type,
        and whether it is read-only."""
        fixed = fixed_address(address)
        info = None if fixed is None else self.context.static(self.code, fixed[0])
        if fixed is None or info is None or info.slot is None:
            return None
        j = info.index.get(fixed[1])
        if j is None or info.kinds[j] is not kind:
            return None
        return info.slot + j, info.readonly

    def _load(self, target: Reg, address: Expr, needed: bool) -> None:
        out = self.out
        register = self.registers[target.name]
        inert = target.name in self.code.inert or not needed
        kind = self.context.kinds.of(target.type)
        place = self._place(address, kind)
        what = "uninitialised memory"
        if place is not None:
            domain = -1 if inert else self.expressions.choice(target.type, what, from_memory=True)
            out.emit("LOAD_CELL", register, place[0], domain, int(inert))
            return
        a = self.expressions.value(address, address=True)
        domain = INERT if inert else self.expressions.choice(target.type, what, from_memory=True)
        out.emit("LOAD", register, a, domain, type_word(target.type))

    def _store(self, address: Expr, e: Expr, raw: Reg | None) -> None:
        place = self._place(address, self.context.kinds.of(e.type))
        if place is not None and not place[1]:
            self.out.emit("STORE_CELL", place[0], self._operand(e, raw))
            return
        a = self.expressions.value(address, address=True)
        self.out.emit("STORE", a, self._operand(e, raw), type_word(e.type))

    def _lifetime(self, name: str, local: str) -> None:
        info = self.context.static(self.code, local)
        if info is not None:
            self.out.emit(name, info.number)
        else:
            self.out.emit(f"{name}_LOCAL", self.expressions.locals[local])

    def _leave(self, local: str) -> None:
        if self.code.template.locals[local].layout.users:
            self._lifetime("UNUSED", local)
        self._lifetime("LEAVE", local)

    def _allocate(self, effect: Alloc) -> None:
        out = self.out
        layout = self.context.element(effect.element)
        if not layout.cells:
            raise out.refuse("a heap object of no cells")
        flags = int(effect.zeroed) | int(effect.automatic) << 1
        number = self.all.layout(layout, out.position)
        count = self.expressions.value(effect.count)
        out.emit("ALLOC", self.registers[effect.target.name], number, count, flags)


def _waits(edges: tuple[Edge, ...]) -> int:
    """What it means that no guard holds: 0 an assumption, 1 waiting, 2 neither."""
    kinds = {edge.kind for edge in edges}
    return 0 if GuardKind.ASSUME in kinds else 1 if GuardKind.AWAIT in kinds else 2
