"""Effects on memory as Python statements.

Cells at a fixed place whose address is known now are read and written in the state directly; other
addresses go through a table of such cells, and through `abpress.semantics.memory` if not found.
"""

from __future__ import annotations

from abpress.ir.expr import Expr, Reg
from abpress.ir.program import VALID_DEREF, Alloc
from abpress.ir.types import IntType
from abpress.semantics.codegen.emitter import Emitter
from abpress.semantics.codegen.expressions import Expressions, Value, fixed_address, wrapped
from abpress.semantics.naming import ObjectInfo, ScalarKind


class Accesses:
    """Compiles loads, stores, copies and lifetimes into an emitter."""

    def __init__(self, out: Emitter, expressions: Expressions) -> None:
        self.out = out
        self.expressions = expressions

    # -- loads ----------------------------------------------------------------------------------

    def load(self, target: Reg, address: Expr, needed: bool) -> None:
        """target := the scalar at `address`. An undefined cell gets a value if it is `needed`."""
        out = self.out
        variable = out.code.variables[target.name]
        kind = out.context.kinds.of(target.type)
        inert = target.name in out.code.inert or not needed
        place = self._place(address, kind)
        if place is None:
            self._load_anywhere(variable, target, address, kind, inert)
            return
        info, j = place
        assert info.slot is not None
        a = str(info.base + info.layout.cells[j].offset)
        cell = f"{out.memory}[{info.slot + j}]"
        with out.attempting((a, kind.size)):
            out.line(f"{variable} = {cell}")
            if info.mortal:
                self._check_alive(variable, info.name)
            if not inert:
                with out.block(f"if {variable} is None:"):
                    what = f"uninitialised {info.describe(info.layout.cells[j].offset)}"
                    if out.choose(variable, target.type, what, from_memory=True):
                        stored = self._converted(variable, kind, info.kinds[j])
                        out.settling()
                        out.line(f"s[{info.slot + j}] = {stored}")
                        self._record_settled(a, kind)
                out.settled()
        if info.kinds[j] is not kind:
            converted = self._converted(variable, info.kinds[j], kind)
            if inert:
                converted += f" if {variable} is not None else None"
            out.line(f"{variable} = {converted}")
        self._record("read", a, kind, variable)

    def _load_anywhere(
        self, variable: str, target: Reg, address: Expr, kind: ScalarKind, inert: bool
    ) -> None:
        out = self.out
        a = self._address(address)
        if a == variable:  # NOTE(walk): of p := *p the address is asked for later, too
            a = out.temporary()
            out.line(f"{a} = {variable}")
        slot, name = out.temporary(), out.bind("K", kind)
        table = out.context.objects.readable(kind)
        slow = f"{variable} = load({out.memory}, {a}, {name}, {out.place})"
        with out.attempting((a, kind.size)):
            if table:
                out.line(f"{slot} = {out.bind('A', table)}.get({a})")
                with out.block(f"if {slot} is None:"):
                    out.line(slow)
                with out.block("else:"):
                    out.line(f"{variable} = {out.memory}[{slot}]")
                    if out.context.objects.has_mortal(kind):
                        self._unless_alive(variable, slow)
            else:
                out.line(slow)
            if not inert:
                with out.block(f"if {variable} is None:"):
                    if out.choose(variable, target.type, "uninitialised memory", from_memory=True):
                        out.settling()
                        out.line(f"settle(s, {a}, {name}, {variable}, {out.place})")
                        self._record_settled(a, kind)
                out.settled()
        self._record("read", a, kind, variable)

    # -- stores ---------------------------------------------------------------------------------

    def store(self, address: Expr, value: Expr, raw: Reg | None) -> None:
        """The scalar at `address` := value; of a `raw` register the content may be None."""
        out = self.out
        kind = out.context.kinds.of(value.type)
        place = self._place(address, kind)
        a = "" if place is not None else self._address(address)
        if raw is not None:
            source, maybe_none = out.code.variables[raw.name], raw.name in out.undefined
        else:
            source, maybe_none = self.expressions.simple(value), False
        out.writable()
        if place is not None:
            self._store_fixed(place, kind, source, maybe_none)
            return
        name = out.bind("K", kind)
        table = out.context.objects.writable(kind)
        slow = f"store(s, {a}, {name}, {source}, {out.place})"
        with out.attempting((a, kind.size)):
            if table:
                slot = out.temporary()
                out.line(f"{slot} = {out.bind('A', table)}.get({a})")
                with out.block(f"if {slot} is None:"):
                    out.line(slow)
                with out.block("else:"):
                    if out.context.objects.has_mortal(kind):
                        self._unless_alive(f"s[{slot}]", slow)
                    out.line(f"s[{slot}] = {source}")
            else:
                out.line(slow)
        self._record("write", a, kind, source)

    def _store_fixed(
        self, place: tuple[ObjectInfo, int], kind: ScalarKind, source: str, maybe_none: bool
    ) -> None:
        out = self.out
        info, j = place
        assert info.slot is not None
        if info.readonly:
            out.line(f"raise undefined({f'write to the read-only {info.name}'!r}, {out.place})")
            return
        a = str(info.base + info.layout.cells[j].offset)
        if info.mortal:
            with out.attempting((a, kind.size)):
                self._check_alive(f"s[{info.slot + j}]", info.name)
        stored = self._converted(source, kind, info.kinds[j])
        if maybe_none and stored != source:
            stored += f" if {source} is not None else None"
        out.line(f"s[{info.slot + j}] = {stored}")
        self._record("write", a, kind, source)

    def copy(self, target: Expr, source: Expr, size: int, moves: bool) -> None:
        """Copies `size` bytes; where that `moves` an object, at most so many."""
        out = self.out
        a, b = self._address(target), self._address(source)
        out.writable()
        number = out.temporary() if moves else str(size)
        if moves:
            with out.attempting((b, 0)):
                out.line(f"{number} = moved(s, {a}, {b}, {size}, {out.place})")
        with out.attempting((b, number), (a, number)):
            out.line(f"copy(s, {a}, {b}, {number}, {out.place})")
        if out.recording:
            out.line(f"record.copy(s, {a}, {b}, {number})")

    # -- lifetimes ------------------------------------------------------------------------------

    def lifetime(self, name: str, begins: bool) -> None:
        """Begins or ends the lifetime of a local object."""
        out = self.out
        info = out.context.static(out.code, name)
        out.writable()
        if info is not None:
            bound = out.bind("O", info)
        else:
            base = out.context.local_bases(out.code.template.name, name)
            bound = f"{out.bind('L', base)}.info(t)"
        if not begins and out.code.template.locals[name].layout.users:
            layout = out.code.template.locals[name].layout
            with out.attempting((f"{bound}.base", layout.size)):
                out.line(f"require_unused({out.memory}, {bound}, {out.place})")
        out.line(f"{'enter' if begins else 'leave'}(s, {bound})")
        if out.recording:
            out.line(f"record.lifetime({bound})")

    def allocate(self, effect: Alloc) -> None:
        """register := the address of a fresh heap object."""
        out = self.out
        count = self.expressions.simple(effect.count)
        out.writable()
        element = out.bind("E", out.context.element(effect.element))
        made = out.temporary()
        out.line("allocations += 1")
        rest = ", True" if effect.automatic else ""
        out.line(
            f"{made} = heap(t, allocations, {element}, {count}, {effect.zeroed}, {out.place}{rest})"
        )
        out.line(f"enter(s, {made})")
        out.line(f"{out.code.variables[effect.target.name]} = {made}.base")
        if out.recording:
            out.line(f"record.lifetime({made})")

    def free(self, address: Expr, automatic: bool) -> None:
        """Ends the lifetime of a heap object."""
        out = self.out
        a = self._address(address)
        out.writable()
        gone = out.temporary()
        with out.attempting((a, 0)):
            out.line(f"{gone} = free(s, {a}, {out.place}, {automatic})")
        if out.recording:
            ended = "lifetime" if automatic else "freed"
            out.line(f"if {gone} is not None: record.{ended}({gone})")

    # -- helpers --------------------------------------------------------------------------------

    def _place(self, address: Expr, kind: ScalarKind) -> tuple[ObjectInfo, int] | None:
        """The cell that an address certainly means, if it has a fixed place and a like type."""
        fixed = fixed_address(address)
        if fixed is None:
            return None
        info = self.out.context.static(self.out.code, fixed[0])
        if info is None:
            return None
        j = info.index.get(fixed[1])
        if j is None or info.kinds[j].size != kind.size or info.kinds[j].pointer != kind.pointer:
            return None
        return info, j

    def _converted(self, source: str, of: ScalarKind, to: ScalarKind) -> str:
        """A value of one integer type as one of another of the same size."""
        if of is to or not isinstance(to.type, IntType):
            return source
        return wrapped(source, to.type)

    def _check_alive(self, source: str, name: str) -> None:
        with self.out.block(f"if {source} is DEAD:"):
            fault = f"{name} accessed outside its lifetime"
            self.out.line(f"raise undefined({fault!r}, {self.out.place}, {VALID_DEREF!r})")

    def _unless_alive(self, source: str, slow: str) -> None:
        """The slow way of an access knows the name of the object whose lifetime is over."""
        with self.out.block(f"if {source} is DEAD:"):
            self.out.line(slow)

    def _address(self, e: Expr) -> str:
        """An address as a name or a number; where it points is checked by its use."""
        v: Value = self.expressions.value(e, address=True)
        return self.expressions.atom(v).source

    def _record_settled(self, address: str, kind: ScalarKind) -> None:
        if self.out.recording:
            self.out.line(f"record.settled({address}, {self.out.bind('K', kind)})")

    def _record(self, what: str, address: str, kind: ScalarKind, variable: str) -> None:
        if self.out.recording:
            name = self.out.bind("K", kind)
            self.out.line(f"record.{what}({address}, {name}, {variable})")
