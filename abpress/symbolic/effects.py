"""A path through a step: edges and their effects, from a boundary to the next."""

from __future__ import annotations

from abpress.analysis.points_to import Heap
from abpress.analysis.racing import counted
from abpress.analysis.registers import TID, copied, live_after
from abpress.analysis.visibility import Edges
from abpress.ir.expr import Binary, Compare, Const, Expr, Reg
from abpress.ir.program import (
    NO_MISUSE,
    AccessKind,
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
from abpress.ir.types import IntType
from abpress.logic.formula import TRUE, Formula, conj, disj, holds, neg
from abpress.semantics.choices import bits_of
from abpress.semantics.context import DONE
from abpress.symbolic.discrete import Access, ThreadPart, Value, thread_key
from abpress.symbolic.evaluation import Evaluator
from abpress.symbolic.memory import SymbolicMemory
from abpress.symbolic.paths import Blocked, Faulted, SymbolicPath
from abpress.symbolic.questions import AtLeast, Finished, Ids
from abpress.symbolic.shapes import Wait
from abpress.symbolic.successor import After, ended, moved

_BRANCH = {GuardKind.BRANCH}

MAX_EDGES = 10_000
"""Edges of one path; only an endless atomic block has so many."""


class Runner:
    """Executes a path.

    `waiting` collects what was touched before a place to wait at, `waits` the conditions under
    which the thread waits for others there.
    """

    def __init__(
        self, path: SymbolicPath, waiting: dict[Access, None], waits: dict[Wait, None]
    ) -> None:
        self.path = path
        self.evaluator = Evaluator(path)
        self.memory = SymbolicMemory(path, self.evaluator)
        self._waiting = waiting
        self._waits = waits
        self._end: After | None = None

    def run(self) -> After:
        """What is left after the path. Raises PathEnds where it has none."""
        path, code = self.path, self.path.code
        location = path.part.location
        while True:
            if len(path.edges) >= MAX_EDGES:
                raise Faulted(f"atomic block does not end within {MAX_EDGES} edges")
            edge = self._take(location)
            if not self._effects(location, edge):
                assert self._end is not None
                return self._end
            location = edge.target
            if location in code.boundaries and not code.template.locations[location].atomic:
                return moved(path, self.evaluator, location)

    def stand(self, counting: Edges) -> None:
        """Walks through the first edge, or the atomic block that it begins, for the accesses of
        edges that count (`SymbolicPath.pending`). Raises PathEnds where the path ends there."""
        path, template = self.path, self.path.code.template
        location, inside = path.part.location, True
        while inside and len(path.edges) < MAX_EDGES:
            edge = self._take(location)
            kind = counted(template, location, edge)
            counts = path.edges[-1] in counting and kind is not AccessKind.LIBRARY
            path.counts = kind if counts else None
            if not self._effects(location, edge):
                return
            location = edge.target
            inside = template.locations[location].atomic

    def _take(self, location: int) -> Edge:
        """Decides for an edge of the location."""
        path = self.path
        edges = path.code.template.locations[location].edges
        guards: list[Formula] = []
        for k in range(len(edges)):
            self._move_to(location, k)
            guards.append(holds(self.evaluator.checked(edges[k].guard)))
        kinds = {edge.kind for edge in edges}
        if kinds != _BRANCH and TRUE not in guards:
            self._touched()
            if GuardKind.ASSUME not in kinds:
                self._wait(*map(neg, guards))
        k = path.decide(guards)
        path.edges.append((location, k))
        self._move_to(location, k)
        return edges[k]

    def _touched(self) -> None:
        self._waiting[Access(frozenset(self.path.reads), frozenset(self.path.writes))] = None

    def _wait(self, *conditions: Formula, joins: int | None = None) -> None:
        """Notes that the thread waits for others here, where the conditions hold."""
        path = self.path
        guard = (*path.guard, *(f for f in conditions if f is not TRUE))
        if all(map(path.possible, conditions)):
            self._waits[Wait(guard, tuple(path.inputs), tuple(path.fresh), joins)] = None

    def _move_to(self, location: int, k: int) -> None:
        edge = self.path.code.template.locations[location].edges[k]
        self.path.at = location, k
        self.path.position = edge.position
        self.path.where = edge.position.described

    # -- effects --------------------------------------------------------------------------------

    def _effects(self, location: int, edge: Edge) -> bool:
        """All effects of the edge just decided for. Returns whether the thread goes on."""
        after = live_after(edge, self.path.code.live)
        return all(
            self._effect(location, n, effect, after[n]) for n, effect in enumerate(edge.effects)
        )

    def _effect(self, location: int, n: int, effect: Effect, after: frozenset[str]) -> bool:
        path, evaluator = self.path, self.evaluator
        raw = copied(effect, after)
        match effect:
            case Assign(target, value):
                path.registers[target.name] = self._operand(value, raw)
            case Load(target, address):
                inert = target.name not in after or target.name in path.code.inert
                self.memory.load(target, address, inert)
            case Store(address, value):
                content = self._operand(value, raw)
                self.memory.store(address, content, value.type)
            case Copy(target, source, size, moves):
                self.memory.copy(target, source, self.memory.moved(effect) if moves else size)
            case Havoc(target, what, low, high):
                wanted = target.name in after and isinstance(target.type, IntType)
                path.registers[target.name] = (
                    evaluator.choose(target.type, what or "input", low, high) if wanted else None
                )
            case ChooseBit(target, mask):
                self._choose_bit(target, mask)
            case Enter(name):
                self.memory.enter(name)
            case Leave(name):
                self.memory.leave(name)
            case Alloc():
                edge = path.edges[-1][1]
                self.memory.allocate(effect, Heap(path.code.template.name, location, edge, n))
            case Free(address, automatic):
                self.memory.free(address, automatic)
            case Spawn():
                self._spawn(effect, raw)
            case Join(target, thread):
                self._join(target, thread)
            case Finish(result):
                self._finish(self._operand(result, raw))
                return False
            case Exit(how):
                self._end = ended(path, evaluator, how)
                return False
            case Fail(property, message):
                path.fail(property, message)
            case Cut(reason):
                raise Faulted(f"{reason} at {path.where}")
            case Fault(kind, property):
                path.undefined(kind, property)
        return True

    def _operand(self, e: Expr, raw: Reg | None) -> Value:
        """The value of an operand; of a register that is only copied it may be undefined."""
        if raw is not None and raw.name != TID and self.path.register(raw.name) is None:
            return None
        return self.evaluator.checked(e)

    def _choose_bit(self, target: Reg, mask: Expr) -> None:
        path = self.path
        m, type = self.evaluator.checked(mask), target.type
        assert isinstance(type, IntType)
        if isinstance(m, Const):
            pattern = m.value & ((1 << type.bits) - 1)
            bits = list(map(type.wrap, bits_of(pattern)))
            value = bits[path.choose(len(bits))]
            path.input(type, "one set bit", value, value)
            path.registers[target.name] = Const(value, type)
            return
        bit = self.evaluator.choose(type, "one set bit")
        zero = Const(0, type)
        unsigned = IntType(type.bits, False)
        single = self.evaluator.convert(bit, unsigned)
        less = Binary("-", single, Const(1, unsigned))
        path.assume(
            disj(
                [
                    conj([holds(Compare("==", m, zero)), holds(Compare("==", bit, zero))]),
                    conj(
                        [
                            neg(holds(Compare("==", bit, zero))),
                            holds(Compare("==", Binary("&", single, less), Const(0, unsigned))),
                            holds(Compare("==", Binary("&", bit, m), bit)),
                        ]
                    ),
                ]
            )
        )
        path.registers[target.name] = bit

    # -- threads --------------------------------------------------------------------------------

    def _spawn(self, effect: Spawn, raw: Reg | None) -> None:
        path = self.path
        context = path.objects.context
        argument = self._operand(effect.argument, raw)
        limit = context.options.max_threads
        if path.before.ask(AtLeast(limit - len(path.spawned))):
            raise Faulted(f"more than {limit} threads")
        path.spawns += 1
        child = context.threads.child(path.thread, path.spawns)
        if context.last_thread is not None and child > context.last_thread:
            raise Faulted(f"more than {context.last_thread} threads")
        entry = context.program.templates[effect.template].entry
        path.spawned.append((ThreadPart(child, effect.template, entry), argument))
        path.registers[effect.target.name] = Const(child, effect.target.type)
        path.writes.add(thread_key(context.threads.name(child)))

    def _join(self, target: Reg, thread: Expr) -> None:
        path = self.path
        joined = self.evaluator.checked(thread)
        id = joined.value if isinstance(joined, Const) else self._one_of_all(joined)
        spawned = any(part.id == id for part, _ in path.spawned)
        finished = False if spawned else path.before.ask(Finished(id))
        if finished is None:
            path.undefined("join of no thread", NO_MISUSE)
        name = path.objects.context.threads.name(id)
        path.reads.add(thread_key(name))
        if not finished:
            self._touched()
            self._wait(joins=id)
            raise Blocked
        path.registers[target.name] = path.result(name)
        if path.objects.context.options.losses:
            path.taken.append(name)

    def _one_of_all(self, joined: Expr) -> int:
        """Decides which thread it is whose id is not known; 0 if it is none."""
        path = self.path
        ids = [*path.before.ask(Ids()), *(part.id for part, _ in path.spawned)]
        cases = [holds(Compare("==", joined, Const(id, joined.type))) for id in ids]
        return [*ids, 0][path.decide([*cases, conj(map(neg, cases))])]

    def _finish(self, result: Value) -> None:
        path = self.path
        for name in path.code.template.locals:
            self.memory.leave(name)
        path.writes.add(thread_key(path.name))
        self._end = moved(path, self.evaluator, DONE, result)
