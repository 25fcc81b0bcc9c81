"""Control flow of one step: from a boundary to the next, atomic blocks included.

The locations between form a graph, acyclic except inside atomic blocks. A location with one way to
it is emitted in place; one with several becomes a labelled block. Blocks follow one another in
topological order, or stand in a loop when the graph has a cycle.
"""

from __future__ import annotations

from abpress.ir.expr import Compare, Const, Expr, negate
from abpress.ir.program import Edge, GuardKind, Spawn, goes_on
from abpress.semantics.codegen.effects import Effects
from abpress.semantics.codegen.emitter import Changed, Emitter, Mode
from abpress.semantics.context import Code

MAX_INDENT = 40
"""Deeper code is moved to a block of its own (Python allows 100 levels)."""

MAX_CHAIN = 40
"""Locations emitted in place of one another, for the sake of our own recursion."""

MAX_JUMPS = 100_000
"""Blocks that one step may execute; only an endless atomic block executes so many."""


class Region:
    """The locations of one step that starts at `root`."""

    def __init__(self, code: Code, root: int) -> None:
        self.code = code
        self.root = root
        self.cyclic = False
        entries: dict[int, int] = {root: 0}
        finished: list[int] = []
        state = {root: 1}
        stack = [(root, iter(self._targets(root)))]
        while stack:
            location, targets = stack[-1]
            target = next(targets, None)
            if target is None:
                state[location] = 2
                finished.append(location)
                stack.pop()
                continue
            entries[target] = entries.get(target, 0) + 1
            if target not in state:
                state[target] = 1
                stack.append((target, iter(self._targets(target))))
            elif state[target] == 1:
                self.cyclic = True
        self.order = {location: k for k, location in enumerate(reversed(finished))}
        self.spawns = any(
            isinstance(effect, Spawn)
            for location in self.order
            for edge in code.template.locations[location].edges
            for effect in edge.effects
        )
        self.joins = {location for location, n in entries.items() if n > (location != root)}

    def ends_at(self, location: int) -> bool:
        """Whether a step ends when it comes to the location."""
        code = self.code
        return location in code.boundaries and not code.template.locations[location].atomic

    def _targets(self, location: int) -> list[int]:
        edges = self.code.template.locations[location].edges
        return [e.target for e in edges if goes_on(e) and not self.ends_at(e.target)]


class RegionCompiler:
    """Emits the body of the function of one step."""

    def __init__(self, out: Emitter, root: int) -> None:
        self.out = out
        self.code = out.code
        self.region = Region(out.code, root)
        self.effects = Effects(out)
        self.pending: set[int] = set()
        self._written: dict[int, Changed] = {}
        self._chained = 0

    def compile(self) -> None:
        """Emits the body of the function of the step."""
        out, region = self.out, self.region
        out.grows = region.spawns
        frame = [self.code.variables[name] for name in self.code.frames[region.root]]
        if out.draft is not Changed.NOTHING:
            out.line("state = s")
        if out.draft is Changed.STORED:
            out.line("s = draft(s)")
        out.line(f"{', '.join(['t', '_', *frame])} = {out.memory}[i]")
        out.undefined = self.code.undefined[region.root]
        if out.mode is not Mode.DIRECT or region.cyclic:
            out.copy()
        if region.cyclic:
            self._loop()
            return
        self._location(region.root)
        while self.pending:
            location = min(self.pending, key=region.order.__getitem__)
            self.pending.remove(location)
            with out.block(f"if go == {location}:"):
                out.copied = True
                out.written = self._written[location]
                out.undefined = self.code.undefined[location]
                self._location(location)

    def _loop(self) -> None:
        out, region = self.out, self.region
        out.move_to(self.code.template.locations[region.root].edges[0].position)
        out.line(f"go = {region.root}")
        out.line("jumps = 0")
        out.written = Changed.STORED  # by an earlier round, maybe
        blocks = [region.root, *sorted(region.joins - {region.root})]
        done: set[int] = set()
        with out.block("while True:"):
            out.line("jumps += 1")
            with out.block(f"if jumps > {MAX_JUMPS}:"):
                reason = f"atomic block does not end within {MAX_JUMPS} steps at {out.where}"
                out.line(f"raise ExecutionEnds({reason!r})")
            while blocks:
                location = blocks.pop(0)
                done.add(location)
                with out.block(f"if go == {location}:"):
                    out.undefined = self.code.undefined[location]
                    self._location(location)
                blocks.extend(sorted(self.pending - done - set(blocks)))

    def _location(self, location: int) -> None:
        """Emits the code of a thread at the location; every way through it ends or jumps."""
        edges = self.code.template.locations[location].edges
        self._chained += 1
        if exclusive(edges):
            self._chain(location, edges)
        else:
            self._alternatives(location, edges)
        self._chained -= 1

    def _chain(self, location: int, edges: tuple[Edge, ...]) -> None:
        """Emits edges of which one at most is possible: each `if` in the `else` of the last one."""
        out = self.out
        depth = out.depth
        known = out.undefined, out.copied, out.written
        for k, edge in enumerate(edges):
            out.move_to(edge.position)
            last = k == len(edges) - 1
            if always(edge.guard) or (last and len(edges) == 2 and complete(edges)):
                self._edge(location, k, edge)
                break
            condition = self.effects.expressions.condition(edge.guard)
            with out.block(f"if {condition}:"):
                self._edge(location, k, edge)
            out.line("else:")
            out.depth += 1
        else:
            self._blocked(location, edges)
        out.depth = depth
        out.undefined, out.copied, out.written = known

    def _alternatives(self, location: int, edges: tuple[Edge, ...]) -> None:
        """Emits a choice among edges whose guards may hold at once."""
        out = self.out
        out.line("open = []")
        for k, edge in enumerate(edges):
            out.move_to(edge.position)
            condition = self.effects.expressions.condition(edge.guard)
            out.line(f"if {condition}: open.append({k})")
        with out.block("if not open:"):
            self._blocked(location, edges)
        if out.mode is Mode.DIRECT:
            with out.block("if len(open) > 1:"):
                out.alternatives()
            out.line("taken = open[0]")
        else:
            out.line("taken = choose.edge(open)")
        for k, edge in enumerate(edges):
            with out.block(f"{'el' if k else ''}if taken == {k}:"):
                out.move_to(edge.position)
                self._edge(location, k, edge)

    def _blocked(self, location: int, edges: tuple[Edge, ...]) -> None:
        kinds = {edge.kind for edge in edges}
        if GuardKind.ASSUME in kinds:
            self.out.stop("ASSUMING")
        elif GuardKind.AWAIT in kinds:
            self.out.stop("AWAITING")
        else:
            name = f"{self.code.template.name}:{location}"
            self.out.line(f"raise AssertionError('internal error: no guard holds at {name}')")

    def _edge(self, location: int, k: int, edge: Edge) -> None:
        if self.out.recording:
            self.out.line(f"record.edge({self.code.first_pc + location}, {k})")
        if self.effects.edge(location, edge):
            self._go(edge.target)

    def _go(self, target: int) -> None:
        out, region = self.out, self.region
        if region.ends_at(target):
            out.writable()
            frame = [self.code.variables[name] for name in self.code.frames[target]]
            out.line(f"s[i] = (t, {', '.join([str(self.code.first_pc + target), *frame])})")
            out.step()
        elif target in region.joins or out.depth > MAX_INDENT or self._chained > MAX_CHAIN:
            out.copy()
            self.pending.add(target)
            earlier = self._written.get(target, Changed.NOTHING)
            self._written[target] = max(earlier, out.written)
            out.line(f"go = {target}")
            if region.cyclic:
                out.line("continue")
        else:
            self._location(target)


def always(guard: Expr) -> bool:
    """Whether the guard is a constant that holds."""
    return isinstance(guard, Const) and guard.value != 0


def complete(edges: tuple[Edge, ...]) -> bool:
    """Whether one of two guards is the negation of the other."""
    first, second = (edge.guard for edge in edges)
    return negate(first) == second or negate(second) == first


def exclusive(edges: tuple[Edge, ...]) -> bool:
    """Whether never two of the guards hold; seen from their form."""
    if len(edges) <= 1:
        return True
    if len(edges) == 2 and complete(edges):
        return True
    compared: dict[Expr, set[int]] = {}
    for edge in edges:
        match edge.guard:
            case Compare("==", left, Const(value, _)):
                values = compared.setdefault(left, set())
                if value in values:
                    return False
                values.add(value)
            case _:
                return False
    return len(compared) == 1
