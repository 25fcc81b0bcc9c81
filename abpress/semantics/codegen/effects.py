"""Effects as Python statements: each leaves the state list `s` and the register variables."""

from __future__ import annotations

from abpress.analysis.registers import after_effect, copied, live_after
from abpress.ir.expr import Expr, Reg
from abpress.ir.program import (
    ENDING,
    NO_MISUSE,
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
    Havoc,
    Join,
    Leave,
    Load,
    Spawn,
    Store,
    effect_target,
)
from abpress.ir.types import IntType
from abpress.semantics.codegen.accesses import Accesses
from abpress.semantics.codegen.emitter import Emitter, Mode
from abpress.semantics.codegen.expressions import Expressions, wrapped
from abpress.semantics.codegen.losses import may_lose
from abpress.semantics.context import ALLOCATIONS, DONE, SPAWNS
from abpress.semantics.tracking import ABORTED


class Effects:
    """Compiles the effects of an edge into an emitter."""

    def __init__(self, out: Emitter) -> None:
        self.out = out
        self.expressions = Expressions(out)
        self.accesses = Accesses(out, self.expressions)

    def edge(self, location: int, edge: Edge) -> bool:
        """All effects of an edge from the location, in order. Returns whether the thread goes
        on."""
        live = self.out.code.live
        lives = tuple(live_after(edge, live))
        loses = self.out.context.options.losses and may_lose(self.out.code, location, edge)
        for k, (effect, after) in enumerate(zip(edge.effects, lives, strict=True)):
            if loses and k and isinstance(effect, ENDING) and not isinstance(effect, Finish):
                self.out.check_losses(lives[k - 1])
            if not self._effect(effect, after):
                return False
        if loses:
            self.out.check_losses(lives[-1] if lives else live[edge.target])
        return True

    def _effect(self, effect: Effect, after: frozenset[str]) -> bool:
        out = self.out
        may_be = out.undefined
        raw = copied(effect, after)
        match effect:
            case Assign(target, value):
                out.line(f"{self._variable(target)} = {self._operand(value, raw)}")
            case Load(target, address):
                self.accesses.load(target, address, target.name in after)
            case Store(address, value):
                self.accesses.store(address, value, raw)
            case Copy(target, source, size, moves):
                self.accesses.copy(target, source, size, moves)
            case Havoc(target, what, low, high):
                if target.name in after and isinstance(target.type, IntType):
                    variable, what = self._variable(target), what or "input"
                    out.choose(variable, target.type, what, low, high, target.name)
                else:
                    out.line(f"{self._variable(target)} = None")
            case ChooseBit(target, mask):
                self._choose_bit(target, mask)
            case Enter(name):
                self.accesses.lifetime(name, True)
            case Leave(name):
                self.accesses.lifetime(name, False)
            case Alloc():
                self.accesses.allocate(effect)
            case Free(address, automatic):
                self.accesses.free(address, automatic)
            case Spawn():
                self._spawn(effect, raw)
            case Join(target, thread):
                self._join(target, thread)
            case Finish(result):
                self._finish(result, raw)
            case Exit(how):
                violation = out.leftovers() if how != ABORTED else "None"
                out.end_program(how)
                out.step(violation)
            case Fail(prop, message):
                out.fail(prop, message)
            case Cut(reason):
                out.line(f"raise ExecutionEnds({f'{reason} at {out.where}'!r})")
            case Fault(kind, property):
                out.line(f"raise undefined({kind!r}, {out.place}, {property!r})")
        if isinstance(effect, (Finish, Exit, Fail, Cut, Fault)):
            return False
        out.undefined = after_effect(effect, after, may_be, out.code.inert)
        defined = effect_target(effect)
        if defined is not None and out.recording:
            kind = out.bind("K", out.context.kinds.of(defined.type))
            out.line(f"record.assigned({defined.name!r}, {kind}, {self._variable(defined)})")
        return True

    def _variable(self, reg: Reg) -> str:
        return self.out.code.variables[reg.name]

    def _operand(self, e: Expr, raw: Reg | None) -> str:
        """Source of an operand; of a register that is only copied it may be None."""
        return self._variable(raw) if e is raw and raw is not None else self.expressions.simple(e)

    # -- threads --------------------------------------------------------------------------------

    def _spawn(self, effect: Spawn, raw: Reg | None) -> None:
        out = self.out
        argument = self._operand(effect.argument, raw)
        code = out.context.codes[effect.template]
        entry = code.template.entry
        first = {"$arg": argument, SPAWNS: "0", ALLOCATIONS: "0"}
        component = ["child", str(code.first_pc + entry)]
        component += [first.get(name, "None") for name in code.frames[entry]]
        limit = out.context.options.max_threads
        with out.block(f"if len({out.memory}) >= {out.context.base + limit}:"):
            out.line(f"raise ExecutionEnds({f'more than {limit} threads'!r})")
        out.writable()
        out.line("spawns += 1")
        out.line("child = new_thread(t, spawns)")
        last = out.context.last_thread
        if last is not None:
            with out.block(f"if child > {last}:"):
                out.line(f"raise ExecutionEnds({f'more than {last} threads'!r})")
        out.line(f"i = insert_thread(s, i, ({', '.join(component)}))")
        out.line(f"{self._variable(effect.target)} = child")
        if out.recording:
            out.line("record.spawn(child)")

    def _join(self, target: Reg, thread: Expr) -> None:
        out = self.out
        other = out.temporary()
        joined = self.expressions.simple(thread)
        out.line(f"{other} = find_thread({out.memory}, {joined})")
        with out.block(f"if {other} is None:"):
            out.line(f"raise undefined('join of no thread', {out.place}, {NO_MISUSE!r})")
        if out.recording:
            out.line(f"record.join({joined})")
        with out.block(f"if {other}[1] != {DONE}:"):
            out.stop("AWAITING")
        out.line(f"{self._variable(target)} = {other}[2]")
        if out.context.options.losses:  # the result is gone with the thread
            out.writable()
            out.line(f"forget(s, {joined})")

    def _finish(self, result: Expr, raw: Reg | None) -> None:
        out = self.out
        value = self._operand(result, raw)
        for name in out.code.template.locals:
            self.accesses.lifetime(name, False)
        out.writable()
        if out.context.tells_users:
            out.line(f"warn_of_held(s, t, {out.place})")
        if out.recording:
            out.line("record.finish()")
        out.line(f"s[i] = (t, {DONE}, {value})")
        if out.context.options.losses:
            out.check_losses((), "-1")
        out.step(out.leftovers("left_at_last"))

    def _choose_bit(self, target: Reg, mask: Expr) -> None:
        out = self.out
        variable, m = self._variable(target), self.expressions.simple(mask)
        if out.mode is Mode.DIRECT:
            with out.block(f"if {m} & ({m} - 1):"):
                out.alternatives()
            out.line(f"{variable} = {m}")
            return
        assert isinstance(target.type, IntType)
        bits = (1 << target.type.bits) - 1
        chosen = f"choose.bit({m} & {bits})"
        out.line(f"{variable} = {wrapped(chosen, target.type) if target.type.signed else chosen}")
        if out.recording:
            out.line(f"record.chosen('one set bit', {variable})")
