"""Steps of one thread of a template, over its registers and over cells that it shares with others.

A step leads from a *cut* of the template to a cut: along edges that only the thread itself can
notice, then over one that others may notice, with the atomic block that it begins, if it does. In
between nobody has to be interrupted, NOTE(template-invariants), NOTE(chosen-nodes). What is not
followed (pointers, summaries of cells, values without a value yet) is arbitrary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from abpress.analysis.registers import ARGUMENT, TID
from abpress.config import Place
from abpress.ir.expr import Compare, Const, Convert, Expr, Reg, rewrite, walk
from abpress.ir.passes.rewrite import node_count
from abpress.ir.program import (
    ENDING,
    Alloc,
    Assign,
    Copy,
    Cut,
    Edge,
    Effect,
    Enter,
    Exit,
    Fail,
    Fault,
    Finish,
    Havoc,
    Join,
    Load,
    Overflow,
    Spawn,
    Store,
    effect_operands,
    effect_target,
    goes_on,
)
from abpress.ir.types import IntType, PtrType
from abpress.logic.formula import FALSE, holds, neg, no_overflow
from abpress.modular.templates.cuts import cuts_between, leads_on
from abpress.modular.templates.elements import OFFSET
from abpress.modular.templates.nodes import NODE
from abpress.modular.templates.paths import (
    AccessAt,
    Begun,
    NotFollowed,
    StandsBefore,
    ThreadPath,
    ThreadStep,
    fold,
)
from abpress.modular.templates.plain import number_in, without_pointers
from abpress.modular.templates.variables import TemplateVariables

MOST_STEPS = 400
"""Paths from one cut."""

MOST_NODES = 200
"""Operators of a value; larger ones are not followed."""


_Passed = Callable[[ThreadPath, AccessAt, Effect], None]
"""Is told of each effect on a path, before it."""


class TemplateSteps(TemplateVariables):
    """The steps of the templates of a program, over its variables."""

    # -- cuts -----------------------------------------------------------------------------------

    def cuts(self, template: str) -> tuple[int, ...]:
        """Cuts between which there are steps. Raises NotFollowed."""
        its = self.program.templates[template]
        return cuts_between(its, lambda edge: self._noticed(template, edge))

    def _leads_on(self, template: str, location: int) -> bool:
        its = self.program.templates[template]
        return leads_on(its, location, lambda edge: self._noticed(template, edge))

    def _noticed(self, template: str, edge: Edge) -> bool:
        """Whether others may notice an edge, or it may notice them: of what is followed."""
        if goes_on(edge) and self.threads.is_alone(template, edge.target):
            return False
        return any(self._is_noticed(template, effect) for effect in edge.effects)

    def _is_noticed(self, template: str, effect: Effect) -> bool:
        own = self.own(template)
        if self.nodes.is_noticed(template, effect):
            return True
        match effect:
            case Load(r, address):
                cells = self.memory.access(template, address, r.type.size).cells
                return any(c in self._variables and c not in own for c in cells)
            case Store(address, value):
                # Also of a constant: others may see that it is none.
                cells = self.memory.access(template, address, value.type.size).cells
                return any(self.has(c) and c not in own for c in cells)
            case Enter(name):
                return any(self.has(c) and c not in own for c in self.memory.begun(template, name))
            case _:
                return isinstance(effect, Spawn | Finish | Exit)

    # -- steps ----------------------------------------------------------------------------------

    def steps(
        self, template: str, source: int, cuts: AbstractSet[int] | Sequence[int]
    ) -> tuple[ThreadStep, ...]:
        """The steps from a cut. Raises NotFollowed where a path leads past all cuts, or there are
        too many."""
        key = template, source, frozenset(cuts)
        if key not in self._steps:
            found = []
            for step in self._from(*key):
                found.append(step)
                if len(found) > MOST_STEPS:
                    raise NotFollowed(f"{template} has more than {MOST_STEPS} paths from {source}")
            self._steps[key] = tuple(found)
        return self._steps[key]

    def standing(
        self,
        template: str,
        source: int,
        cuts: AbstractSet[int] | Sequence[int],
        accesses: AbstractSet[AccessAt],
    ) -> tuple[StandsBefore, ...]:
        """Before which of these accesses threads may stand that have come from a cut, unnoticed.
        Raises NotFollowed."""
        found: list[StandsBefore] = []

        def passed(path: ThreadPath, at: AccessAt, effect: Effect) -> None:
            if at in accesses:
                here = path.copy()
                self._assume_chosen(template, effect, here)
                if FALSE not in here.guard:
                    found.append(StandsBefore((template, source), at, tuple(here.guard)))

        for _ in self._from(template, source, frozenset(cuts), passed):
            pass
        return tuple(found)

    def _assume_chosen(self, template: str, effect: Effect, path: ThreadPath) -> None:
        """Assumes that an access that is one of several elements is of the chosen one."""
        accessed = self._accessed_place(template, effect)
        if accessed is None:
            return
        cell, address = accessed
        if cell not in self.constants and not path.chosen:
            path.assume(FALSE)  # this way is of other elements
        offset = self.elements.offset(template, address, path, self._used)
        if offset is not None:
            path.assume(self.elements.is_chosen(cell, offset))

    def _accessed_place(self, template: str, effect: Effect) -> tuple[str, Expr] | None:
        """The cell of elements of which one is chosen that a load or store accesses for sure, and
        its address."""
        match effect:
            case Load(r, address):
                access = self.memory.access(template, address, r.type.size)
            case Store(address, value):
                access = self.memory.access(template, address, value.type.size)
            case _:
                return None
        one = len(access.cells) == 1 and access.complete
        placed = one and self.elements.is_placed(access.cells[0])
        return (access.cells[0], address) if placed else None

    def _from(
        self,
        template: str,
        source: int,
        cuts: frozenset[int],
        passed: _Passed = lambda *_: None,
    ) -> Iterator[ThreadStep]:
        locations = self.program.templates[template].locations
        if locations[source].atomic:
            raise NotFollowed(f"the cut {source} of {template} is in an atomic block")
        begin = ThreadPath(source)
        begin.registers.update(dict.fromkeys(self.program.templates[template].registers))
        for v in self.private(template, source):
            begin.registers[v.name.removeprefix(f"{template}:")] = v
        todo = [begin]
        while todo:
            path = todo.pop()
            at = path.location
            if path.seen and not locations[at].atomic:
                if at in cuts:
                    yield self._arrived(template, source, path)
                    continue
                if path.noticed and not self._leads_on(template, at):
                    raise NotFollowed(f"{template} comes to {at}, which is no cut")
            if at in path.seen:
                raise NotFollowed(f"{template} has a loop without a cut at {at}")
            for k in reversed(range(len(locations[at].edges))):
                for following in self._edge(template, source, path, k, passed):
                    if isinstance(following, ThreadStep):
                        yield following
                    else:
                        todo.append(following)

    def _edge(
        self, template: str, source: int, before: ThreadPath, k: int, passed: _Passed
    ) -> Iterator[ThreadStep | ThreadPath]:
        """What an edge leads to: ends of the step, or longer paths."""
        at = before.location
        edge = self.program.templates[template].locations[at].edges[k]
        path = before.copy()
        guard = self._used(edge.guard, path)
        if guard is not None:
            path.assume(holds(guard))
        paths = [path]
        for n, effect in enumerate(edge.effects):
            paths = [path for path in paths if FALSE not in path.guard]
            if isinstance(effect, Exit):
                return
            if isinstance(effect, ENDING):
                place = (template, at, k) if isinstance(effect, Fail | Fault | Cut) else None
                yield from (self._ended(template, source, path, place) for path in paths)
                return
            paths = [way for path in paths for way in self._ways(template, effect, path)]
            its, id = (template, at, k, n), self.thread_id(template)
            paths = [w for p in paths for w in self.nodes.ways(template, its, effect, id, p)]
            for path in paths:
                passed(path, (template, at, k, n), effect)
                self._effect(template, effect, path)
        noticed = self._noticed(template, edge)
        for path in paths:
            if FALSE not in path.guard:
                path.noticed = path.noticed or noticed
                path.seen |= {at}
                path.location = edge.target
                yield path

    def _ways(self, template: str, effect: Effect, path: ThreadPath) -> Iterator[ThreadPath]:
        """A path, or two where the access that comes next may be of a chosen element, or not."""
        accessed = self._accessed_place(template, effect)
        if accessed is None or accessed[0] in self.constants:
            yield path
            return
        cell, address = accessed
        offset = self.elements.offset(template, address, path, self._used)
        if offset is None:
            offset = path.arbitrary(OFFSET)
        chosen = self.elements.is_chosen(cell, offset)
        for which, f in ((True, chosen), (False, neg(chosen))):
            if neg(f) not in path.guard:
                way = path.copy()
                way.assume(f)
                way.chosen = which
                yield way

    def _arrived(self, template: str, source: int, path: ThreadPath) -> ThreadStep:
        values = self._changed_cells(path)
        before = {v.name for v in self.private(template, source)}
        for v in self.private(template, path.location):
            assert isinstance(v.type, IntType)
            name = v.name.removeprefix(f"{template}:")
            if v.name in self.memory.types:
                continue
            value = v if name == TID else path.registers[name]
            if value is None:
                value = path.arbitrary(v.type)
            if value != v or v.name not in before:
                values[v.name] = value
        guard = tuple(path.guard)
        spawned, joined = path.spawned, path.joined
        return ThreadStep(template, source, path.location, guard, values, spawned, joined=joined)

    def _ended(
        self, template: str, source: int, path: ThreadPath, error: Place | None
    ) -> ThreadStep:
        values = self._changed_cells(path)
        guard = tuple(path.guard)
        if error is not None:
            guard += tuple(self.elements.all_read_last(template, path))
            guard += tuple(self.nodes.was_read_last(path))
        spawned, joined = path.spawned, path.joined
        return ThreadStep(template, source, None, guard, values, spawned, error, joined)

    def _changed_cells(self, path: ThreadPath) -> dict[str, Expr]:
        return {c: v for c, v in path.cells.items() if v != self.content(c)}

    # -- effects --------------------------------------------------------------------------------

    def _effect(self, template: str, effect: Effect, path: ThreadPath) -> None:
        target = effect_target(effect)
        match effect:
            case Assign(r, Reg(name)) if isinstance(r.type, IntType) and name != TID:
                path.registers[r.name] = path.registers[name]  # a copy of no value is none
                return
            case Assign(r, value) if isinstance(r.type, PtrType):
                type = self.type_of_pointer(template, r.name)
                path.registers[r.name] = self._pointed(template, value, type, path)
                return
            case Assign(r, value):
                path.registers[r.name] = self._used(value, path)
                return
            case Load(r):
                path.registers[r.name] = self._loaded(template, effect, path)
                return
            case Store(_, value):
                self._store(template, effect, self._used(value, path), path)
                return
            case Alloc(r) if self.nodes.follows(template, r):
                path.registers[r.name] = Const(int(path.of_node), NODE)
                return
            case Copy():
                self.nodes.written(template, effect, None, path)
            case Havoc(r, _, low, high) if isinstance(r.type, IntType):
                value = path.arbitrary(r.type)
                path.registers[r.name] = value
                if low is not None:
                    path.assume(holds(Compare(">=", value, Const(low, r.type))))
                if high is not None:
                    path.assume(holds(Compare("<=", value, Const(high, r.type))))
                return
            case Enter(name):
                self.chosen_threads.entered(template, name, path)
                for cell, (low, high) in self.memory.begun(template, name).items():
                    if cell in self.memory.types and self.has(cell):
                        type = self.memory.types[cell]
                        begun = Const(low, type) if low == high else path.arbitrary(type)
                        path.cells[cell] = begun
            case Alloc(r) if self.type_of_pointer(template, r.name) == OFFSET:
                self._used(effect.count, path)
                path.registers[r.name] = Const(0, OFFSET)
                return
            case Join(_, thread) if not self._goes_on_behind(path):
                id = self._used(thread, path)
                path.joined += tuple(self.chosen_threads.joined(template, id, path))
            case Spawn():
                self._spawn(template, effect, path)
                return
            case _:
                pass
        for e in effect_operands(effect):
            self._used(e, path)
        if target is not None:
            path.registers[target.name] = None

    def _goes_on_behind(self, path: ThreadPath) -> bool:
        """Whether a step has something before that others have noticed, or may have: then what is
        waited for need not hold where it begins. An atomic block begins only where it can be
        finished, and so where who is joined in it has ended. NOTE(joined-threads)"""
        return path.noticed

    def _spawn(self, template: str, effect: Spawn, path: ThreadPath) -> None:
        """A thread begins; its id is another one than that of its creator."""
        child = effect.template
        given = dict(self.chosen_threads.at_first(child))
        if ARGUMENT in self.program.templates[child].registers:
            type = self.type_of_pointer(child, ARGUMENT)
            argument = self._pointed(template, effect.argument, type, path)
            if argument is not None:
                given[ARGUMENT] = argument
        self._used(effect.argument, path)
        id = None
        if self.chosen_threads.cells(template) and isinstance(effect.target.type, IntType):
            id = path.arbitrary(effect.target.type)
            own = self.thread_id(template)
            if own is not None and own.type == id.type:
                path.assume(holds(Compare("!=", id, own)))
        path.registers[effect.target.name] = id
        path.spawned += (Begun(child, given, id),)

    def _accessed(self, template: str, address: Expr, size: int) -> str | None:
        """The cell to which an access goes, for sure: of an array, of some element of it."""
        access = self.memory.access(template, address, size)
        one = len(access.cells) == 1 and access.complete and access.cells[0] not in self.nodes
        cell = access.cells[0] if one else ""
        return cell if self.has(cell) and (access.exact or cell in self.elements) else None

    def _loaded(self, template: str, effect: Load, path: ThreadPath) -> Expr | None:
        r, address = effect.target, effect.address
        self._used(address, path)
        if self.nodes.follows(template, r):
            return self.nodes.pointer_read(template, effect, path)
        access = self.memory.access(template, address, r.type.size)
        if not isinstance(r.type, IntType):
            return None
        if any(cell in self.nodes for cell in access.cells):
            read = self.nodes.read(access, path)
            return read if read is None or read.type == r.type else fold(Convert(read, r.type))
        cell = self._accessed(template, address, r.type.size)
        if cell is None:
            return None
        if cell in self.elements and cell not in self.constants:
            self.elements.note_read(cell, path)
            if not path.chosen:
                return None
        value = path.cells.get(cell) or self.content(cell)
        return value if value.type == r.type else fold(Convert(value, r.type))

    def _store(self, template: str, effect: Store, value: Expr | None, path: ThreadPath) -> None:
        size = effect.value.type.size
        self.nodes.written(template, effect, value, path)
        cell = self._accessed(template, effect.address, size)
        if cell is None:
            for one in self.memory.access(template, effect.address, size).cells:
                self.chosen_threads.may_be_written(one, path)
        elif cell in self.chosen_threads.cells(template):
            self.chosen_threads.written(cell, value, path)
        if cell in self.elements and cell not in self.constants and not path.chosen:
            return
        cells = self.memory.access(template, effect.address, size).cells
        for one in (c for c in cells if self.has(c) and c not in self.nodes):
            type = self.memory.types[one]
            if cell is not None and value is not None and isinstance(value.type, IntType):
                new = value if value.type == type else fold(Convert(value, type))
            else:
                new = path.arbitrary(type)
            path.cells[one] = new

    def _pointed(
        self, template: str, e: Expr, type: IntType | None, path: ThreadPath
    ) -> Expr | None:
        """The value of a pointer as the variable of this type for it has it; None if it is not
        followed."""
        value = self._evaluated(e, path)
        if type == NODE:
            return self.nodes.value(template, e, path)
        if type == OFFSET:
            return self.elements.offset(template, e, path, self._used)
        number = None if type is None else number_in(value, type)
        return None if number is None else fold(number)

    def _used(self, e: Expr, path: ThreadPath) -> Expr | None:
        """The value of an expression, which is looked at; None if it is not followed. Executions
        end where it overflows."""
        value = without_pointers(self._evaluated(e, path), self.plain)
        if any(isinstance(sub.type, PtrType) for sub in walk(value)):
            return None
        value = fold(value)
        if self.program.signed_overflow is not Overflow.WRAP:
            path.assume(no_overflow(value))
        return value if node_count(value) <= MOST_NODES else None

    def _evaluated(self, e: Expr, path: ThreadPath) -> Expr:
        """The expression with values for registers, but for pointers that may be addresses."""
        for sub in walk(e):
            if not isinstance(sub, Reg) or not isinstance(sub.type, IntType):
                continue
            if path.registers[sub.name] is None:
                path.registers[sub.name] = path.arbitrary(sub.type)

        def leaf(sub: Expr) -> Expr:
            found = path.registers[sub.name] if isinstance(sub, Reg) else sub
            if not isinstance(sub.type, PtrType):
                assert found is not None
                return found
            is_number = found is not None and found.type == self.plain
            return Convert(found, sub.type) if found is not None and is_number else sub

        return rewrite(e, leaf)
