"""One edge: from the differences and pointers that are known before it to those behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from abpress.analysis.points_to import Heap
from abpress.ir.bounds import scalar_bounds
from abpress.ir.expr import Const, Convert, Expr, Reg
from abpress.ir.intervals import Interval
from abpress.ir.program import (
    VALID_DEREF,
    Alloc,
    Assign,
    Copy,
    Cut,
    Effect,
    Exit,
    Fault,
    Finish,
    Free,
    Havoc,
    Initial,
    Load,
    Overflow,
    Program,
    Spawn,
    Store,
    effect_target,
    goes_on,
)
from abpress.ir.types import IntType, PtrType, Scalar
from abpress.modular.bounds.memory import AccessMemory
from abpress.modular.bounds.places import carried, closer, count_of, plain
from abpress.modular.bounds.pointers import PointerSteps, initial_content
from abpress.modular.bounds.pointing import Content, Pointing
from abpress.modular.bounds.state import State
from abpress.modular.bounds.supposing import Supposing, ValueSetting
from abpress.modular.bounds.values import ANY, Rest, Sum, Values, number
from abpress.modular.bounds.written import NumberSteps
from abpress.modular.bounds.zone import ZERO, Zone
from abpress.modular.definedness import computed
from abpress.modular.handed import ARGUMENT
from abpress.semantics.naming import MAIN

OWN_ID = "$tid"


@dataclass(slots=True)
class Reports:
    """What is told of an edge: what cells get, who is created, which accesses may be invalid,
    bounds of the tool that are reached, and that a pointer may be made beside its object."""

    content: Callable[[str, Content | None, Rest], None]
    created: Callable[[str, State], None]
    alarm: Callable[[str], None]
    freed: Callable[[], None]
    cut: Callable[[str], None]
    ended: Callable[[str, State], None]
    strayed: Callable[[], None] | None = None
    shared: Callable[[], None] = lambda: None


@dataclass
class BoundsSteps:
    """The edges of a program. `tracked` are the registers and cells of which differences are
    known, `flags` the registers that tell states apart, `always` what cells hold while there are
    several threads; None is anything, and a cell that is left out has not been there yet. Of the
    cells in `tells` that is known. `ends` is what is known of cells when the only thread of a
    template has ended; one that is left out has not been seen to. `rests` are of what cells hold
    while there are several threads. Of the `members` with numbers it is told what they hold."""

    program: Program
    memory: AccessMemory
    tracked: Mapping[str, frozenset[str]]
    flags: Mapping[str, frozenset[str]]
    always: Mapping[str, Content | None]
    ends: Mapping[str, State]
    rests: Mapping[str, Rest]
    members: frozenset[str] = frozenset()
    tells: frozenset[str] = field(init=False)
    types: dict[str, dict[str, Scalar]] = field(init=False)
    naturals: dict[str, frozenset[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.types = self.memory.types
        self.naturals = {
            n: frozenset(
                x for x in self.tracked[n] if x == plain(x) and scalar_bounds(its[x])[0] == 0
            )
            for n, its in self.types.items()
        }
        tracked = frozenset().union(*self.tracked.values())
        self.tells = frozenset(
            n for n, c in self.memory.cells.items() if isinstance(c.type, PtrType) or n in tracked
        )
        self._wraps = self.program.signed_overflow is Overflow.WRAP

    def start(self, reports: Reports) -> State:
        """What is known where the first thread begins."""
        main = self.program.main
        entry = self.program.templates[main].entry
        state = State(Zone({}, self.naturals[main]))
        for name in self.memory.cells:
            self._begin(name, self.memory.cells[name].initial, state)
        for name, initial in self.memory.members.initial():
            reports.content(name, initial_content(initial), ANY)
        if OWN_ID in self.tracked[main]:
            state.zone.equate(OWN_ID, ZERO, MAIN)
        one = _Edge(self, (main, entry, -1), state, reports)
        one.numbers.start()
        if not self.memory.is_alone(main, entry):
            one.publish(True)
        holds = self.memory.holds
        one.forget({name for name in self.memory.cells if not holds(main, entry, name)})
        return state

    def _begin(self, cell: str, initial: Initial, state: State) -> None:
        pointees = initial_content(initial)
        if pointees is not None:
            state.pointers[cell] = pointees
        elif isinstance(initial, Const) and cell in self.tracked[self.program.main]:
            state.zone.equate(cell, ZERO, initial.value)

    def behind(
        self, template: str, location: int, index: int, before: State, reports: Reports
    ) -> State | None:
        """What is known behind an edge; None if it is not taken, or the thread ends there."""
        edge = self.program.templates[template].locations[location].edges[index]
        state = before.copy()
        one = _Edge(self, (template, location, index), state, reports)
        one.compute(edge.guard)
        if not self.memory.taken(template, location, index) or not one.supposing.assume(edge.guard):
            return None
        for n, effect in enumerate(edge.effects):
            for e in computed(effect):
                one.compute(e)
            if not one.effect(effect, Heap(template, location, index, n)):
                return None
            if self.members or self.memory.given.named:
                state.written = self.memory.addresses.behind(template, state.written, effect)
        if not goes_on(edge):
            one.leave()
            if not isinstance(edge.effects[-1], Exit):
                settled = self.memory.settled(template)
                pointers = {n: p for n, p in state.pointers.items() if n in settled}
                reports.ended(template, State(state.zone.only(settled), pointers))
            return None
        if not self.memory.is_alone(template, edge.target):
            one.publish()
        for name in sorted(self.memory.ended(template, edge.target)):
            if name not in self.ends or not state.and_also(self.ends[name]):
                return None
        cells, holds = self.memory.cells, self.memory.holds
        lost = {n for n in state.names() if n in cells and not holds(template, edge.target, n)}
        one.forget(lost)
        one.leave_others_to_write(edge.target)
        return state

    def values(self, template: str, state: State) -> Values:
        """Evaluates expressions in a state."""
        return Values(state, self.types[template], self.memory.limits[template], self._wraps)


@dataclass
class _Edge:
    """One edge (mutable)."""

    steps: BoundsSteps
    place: tuple[str, int, int]
    state: State
    reports: Reports

    def __post_init__(self) -> None:
        self.template, self.location, _ = self.place
        self._memory = self.steps.memory
        self._tracked = self.steps.tracked[self.template]
        self._values = self.steps.values(self.template, self.state)
        self._pointing = Pointing(
            self._memory, self.template, self.location, self._values, self.steps.always
        )
        self._values.offset = lambda e: self._pointing.offset(*self._pointing.address(e))
        self.setting = ValueSetting(
            self.template, self.state, self._values, self._pointing, self._tracked
        )
        self._pointers = PointerSteps(
            self._memory,
            self.template,
            self.location,
            self.state,
            self._values,
            self._pointing,
            self.steps.always,
            lambda name, places: self.reports.content(name, places, ANY),
            self.reports.shared,
        )
        self.numbers = NumberSteps(
            self._memory,
            self.template,
            self.state,
            self._values,
            self._pointing,
            self.steps.always,
            self.steps.members,
            lambda name, its: self.reports.content(name, its, ANY),
        )

    @property
    def supposing(self) -> Supposing:
        """What notes conditions."""
        flags = self.steps.flags[self.template]
        return Supposing(self.state, self._values, self._pointing, flags)

    def forget(self, names: set[str]) -> None:
        """Forgets what registers and cells hold."""
        self.state.forget(names)

    def compute(self, e: Expr) -> None:
        """Reports pointers beside their objects, if that is asked."""
        if self.reports.strayed is not None and self._pointing.strays(e):
            self.reports.strayed()

    # -- effects --------------------------------------------------------------------------------

    def effect(self, effect: Effect, site: Heap) -> bool:
        """Changes the state; returns whether the thread goes on."""
        match effect:
            case Assign(target, value):
                self._assign(target, value)
            case Load(target, address):
                self.check(address, target.type.size)
                return self._load(effect, target, address)
            case Store(address, value):
                self.check(address, value.type.size, writes=True)
                known = isinstance(value.type, IntType) and not self._is_wild(value)
                self.numbers.store(address, value, known)
                if not self._pointers.store(effect):
                    self._store(address, value)
                self.numbers.give(effect)
            case Copy(target_, source, size):
                if size:
                    self.check(target_, size, writes=True)
                    self.check(source, size)
                self.numbers.copy(target_)
                self._pointers.copy(target_, source)
            case Havoc(target, _, low, high) if isinstance(target.type, IntType):
                self.forget({target.name})
                if target.name in self._tracked:
                    if low is not None:
                        self.state.zone.add(ZERO, target.name, -low)
                    if high is not None:
                        self.state.zone.add(target.name, ZERO, high)
            case Alloc():
                self.numbers.allocate(effect, site)
                self._allocate(effect, site)
            case Free(_, automatic):
                if not automatic:
                    self.reports.freed()
            case Spawn(target, child, argument):
                handed = self._handed(child, argument)
                self._pointers.publish(self.state.fresh)
                self.forget({target.name})
                self.publish()
                begun = self._passed(child, argument, handed)
                begun.written = self._memory.addresses.handed(
                    self.template, self.state.written, effect
                )
                self.reports.created(child, begun)
            case Finish(result):
                self._pointers.publish_carried(result)
            case Cut(reason):
                self.reports.cut(reason)
            case Fault(kind, property) if property == VALID_DEREF:
                self.reports.alarm(kind)
            case _:
                written = effect_target(effect)
                if written is not None:
                    self.forget({written.name})
        return True

    def _assign(self, target: Reg, value: Expr) -> None:
        name = target.name
        if value == target:
            return
        if isinstance(target.type, PtrType):
            its = None if self._is_wild(value) else self._values.number_in(value)
            self.setting.carry(name, its, *self._pointing.address(value))
            return
        if self._is_wild(value):
            self.forget({name})
            return
        flag = self._flag(value)
        self.setting.set_number(name, value)
        if flag is not None and name in self.steps.flags[self.template]:
            self.state.flags[name] = flag

    def _is_wild(self, value: Expr) -> bool:
        """Whether a value may be chosen anew where it is used. NOTE(copies-of-nothing)"""
        return isinstance(value, Reg) and value.name in self._memory.wild[self.template]

    def _flag(self, value: Expr) -> int | None:
        interval = self._values.interval(value)
        return interval[0] if interval is not None and interval[0] == interval[1] else None

    def _load(self, effect: Load, target: Reg, address: Expr) -> bool:
        name = target.name
        cells, exact = self._memory.reached(self.template, address, target.type.size)
        if not exact:
            span = self.numbers.read(effect) if name in self._tracked else None
            given = self.numbers.pointer(effect)
            found = self._pointers.read(effect)
            if given:
                self.state.pointers[name] = closer(self.state.pointers.get(name), given)
            self.setting.settle(name)
            if span is not None:
                self.setting.within(name, *span)
            return found
        self.forget({name})
        cell = cells[0]
        alone = self._memory.is_alone(self.template, self.location)
        if not alone and cell in self.steps.tells and cell not in self.steps.always:
            return False
        content = None if alone else self.steps.always.get(cell)
        type = self.steps.types[self.template][cell]
        if isinstance(type, PtrType):
            places = self.state.pointers.get(cell)
            if places is None and isinstance(content, frozenset):
                places = content
            if places is not None:
                self.state.pointers[name] = read = self._memory.read(*self.place, cell, places)
                self.setting.settle(name)
                return bool(read) or not places
        elif name in self._tracked:
            if isinstance(content, tuple):
                self.setting.within(cell, *content)
                its = self.steps.rests.get(cell, ANY)
                if its[0] > 1 and self.state.rest(cell) == ANY:
                    self.state.rests[cell] = its
            self.setting.set_number(name, _as(Reg(cell, type), target.type))
        return True

    def _store(self, address: Expr, value: Expr) -> None:
        cells, exact = self._memory.reached(self.template, address, value.type.size)
        alone = self._memory.is_alone(self.template, self.location)
        places, moved = (
            self._pointing.address(value) if isinstance(value.type, PtrType) else (None, None)
        )
        for cell in cells:
            type = self.steps.types[self.template][cell]
            if isinstance(type, PtrType):
                self.state.pointers.pop(cell, None)
                new = self._pointing.moved(places, moved)
                if new is not None and not all(self._pointers.may_be_in_cell(o) for o, *_ in new):
                    new = None
                if exact and new is not None:
                    self.state.pointers[cell] = new
                if not alone:
                    self.reports.content(cell, new, ANY)
                continue
            wild = self._is_wild(value)
            stored = _as(value, type)
            interval = None if wild else self._values.interval(stored)
            if not alone and cell in self.steps.tells:
                its = self._values.rest(None if wild else self._values.sum(stored), type)
                self.reports.content(cell, interval, its)
            if exact and not wild:
                self.setting.set_number(cell, stored)
            else:
                self.forget({cell})

    def leave(self) -> None:
        """The thread ends."""
        if self._memory.is_alone(self.template, self.location):
            self._pointers.publish(self.state.fresh)

    def leave_others_to_write(self, location: int) -> None:
        """Forgets what others may write behind registers while the thread stands there."""
        self._pointers.forget_unkept(location)

    def _allocate(self, effect: Alloc, site: Heap) -> None:
        object = self._pointers.allocate(effect, site)
        count = count_of(object)
        of = _as(effect.count, self.steps.types[self.template][count])
        interval = self._values.interval(effect.count)
        fine = interval is not None and interval[0] >= 0
        most = scalar_bounds(of.type)[1]
        told = (interval[0], most) if interval is not None and 0 <= interval[0] <= most else None
        self.reports.content(count, told, ANY)
        if fine and self._memory.is_one(count):
            self.setting.set_number(count, of)
        else:
            self.forget({count})
        self.forget({effect.target.name})
        self.state.pointers[effect.target.name] = frozenset({(object, 0, 0)})
        self.setting.settle(effect.target.name)

    def _handed(self, child: str, argument: Expr) -> tuple[Interval, Rest] | None:
        """Bounds of the number that a new thread is given, and its rest."""
        name = carried(ARGUMENT)
        its = None if self._is_wild(argument) else self._values.number_in(argument)
        interval = None if its is None else self._values.interval(its)
        if its is None or interval is None or name not in self.steps.tracked[child]:
            return None
        return interval, self._values.rest(self._values.sum(its), its.type)

    def _passed(self, child: str, argument: Expr, handed: tuple[Interval, Rest] | None) -> State:
        """What a new thread knows where it begins."""
        entry = self.steps.program.templates[child].entry
        holds = self._memory.holds
        numbers = self.state.zone.names() & self.steps.tracked[child]
        held = {name for name in numbers if holds(child, entry, name)}
        zone = self.state.zone.only(held)
        found = State(Zone(zone.most, self.steps.naturals[child]))
        for name, places in self.state.pointers.items():
            if holds(child, entry, name):
                found.pointers[name] = places
        passed, moved = self._pointing.address(argument)
        setting = _Edge(self.steps, (child, entry, -1), found, self.reports).setting
        uses = ARGUMENT in self.steps.program.templates[child].registers
        if uses and passed and all(self._memory.objects.may_be_told(o) for o, *_ in passed):
            its = self._pointing.moved(passed, moved)  # by what the creator knows of its registers
            setting.point(ARGUMENT, its, number(0))
        if handed is not None:
            interval, rest = handed
            setting.within(carried(ARGUMENT), *interval)
            if rest[0] > 1:
                found.rests[carried(ARGUMENT)] = rest
        return found

    def publish(self, begins: bool = False) -> None:
        """Others may see what cells hold from now on, where they could not before."""
        if not begins and not self._memory.is_alone(self.template, self.location):
            return
        self._pointers.publish(self.state.fresh)
        for cell, its in self._memory.cells.items():
            if isinstance(its.type, PtrType):
                self.reports.content(cell, self.state.pointers.get(cell), ANY)
            elif cell in self.steps.tells and not cell.endswith("@count"):
                its_rest = self._values.rest(Sum(((cell, 1),), 0, 0), its.type)
                self.reports.content(cell, self._values.range(cell), its_rest)

    # -- accesses -------------------------------------------------------------------------------

    def check(self, address: Expr, size: int, writes: bool = False) -> None:
        """Reports an access that may be invalid."""
        places, moved = self._pointing.address(address)
        if not places or moved is None:
            what = "by how much the pointer is moved" if places else "where the pointer points"
            self.reports.alarm(f"it is not known {what}")
            return
        for place in sorted(places):
            doubt = self._pointing.doubt(place, moved, size, writes)
            if doubt:
                self.reports.alarm(doubt)
                return


def _as(e: Expr, type: Scalar) -> Expr:
    return e if e.type == type else Convert(e, type)
