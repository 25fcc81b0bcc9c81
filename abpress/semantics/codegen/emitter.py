"""Source text of one generated function, and the names that it refers to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import Enum, IntEnum
from typing import Any

from abpress.errors import NOWHERE, Position
from abpress.ir.expr import Reg
from abpress.ir.types import PtrType, Scalar
from abpress.semantics.context import Code, Context
from abpress.semantics.inputs import input_domain, is_tried


class Mode(Enum):
    """The variants of a step's function."""

    DIRECT = "direct"  # hands over to all alternatives at the first real choice
    CHOOSING = "choosing"  # one sequence of choices, given by `choose`
    RECORDING = "recording"  # the same, telling `record` what it does
    IN_PLACE = "in place"  # one sequence of choices, on a state that changes (`semantics.in_place`)


class Changed(IntEnum):
    """What a step may have written; in place also, when it turns to a draft of the state."""

    NOTHING = 0  # never
    CHOSEN = 1  # values of undefined cells; as soon as one is chosen
    STORED = 2  # more; at once


class Environment:
    """The global names of generated functions."""

    def __init__(self, **names: Any) -> None:
        self.names: dict[str, Any] = dict(names)
        self._bound: dict[int, str] = {}

    def bind(self, prefix: str, value: Any) -> str:
        """The name under which the code finds the value."""
        """A name for an object (compared by identity)."""
        name = self._bound.get(id(value))
        if name is None:
            name = self._bound[id(value)] = f"{prefix}{len(self._bound)}"
            self.names[name] = value
        return name


class Emitter:
    """Lines of the function under construction, and what is known at the current line.

    `undefined` are the registers that may hold None here; `copied` says that the list `s` already
    exists, else the state is still only read; `written`, how the step may have changed it.

    In place, a step that may stop after it has written works on a draft: `draft` says when it turns
    to it, and `stops` is what may be written when it stops.
    `grows`: the step may create threads.
    """

    def __init__(
        self,
        context: Context,
        code: Code,
        environment: Environment,
        mode: Mode,
        draft: Changed = Changed.NOTHING,
    ) -> None:
        self.context = context
        self.code = code
        self.environment = environment
        self.mode = mode
        self.lines: list[str] = []
        self.depth = 1
        self.undefined: frozenset[str] = frozenset()
        self.copied = mode is Mode.IN_PLACE
        self.written = Changed.NOTHING
        self.draft = draft
        self.stops = Changed.NOTHING
        self.grows = False
        self.pc = 0
        self.where = ""
        self.at = NOWHERE
        self._temporaries = 0

    @property
    def recording(self) -> bool:
        """Whether the code tells a recorder what it accesses."""
        return self.mode is Mode.RECORDING

    def line(self, text: str) -> None:
        """Adds a line at the current depth."""
        self.lines.append(" " * self.depth + text)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """An indented block; what is known after it is what was known before it."""
        known = self.undefined, self.copied, self.written
        self.line(header)
        self.depth += 1
        yield
        self.depth -= 1
        self.undefined, self.copied, self.written = known

    @contextmanager
    def attempting(self, *accesses: tuple[str, int | str]) -> Iterator[None]:
        """What may end the execution at its accesses (addresses, sizes): they are recorded then.

        NOTE(failed-accesses): whether and how an access fails depends on what others do.
        """
        if not self.recording:
            yield
            return
        self.line("try:")
        self.depth += 1
        yield
        self.depth -= 1
        self.line("except ExecutionEnds:")
        for address, size in accesses:
            self.line(f" record.failed({address}, {size})")
        self.line(" raise")

    def temporary(self) -> str:
        """The name of a new variable."""
        self._temporaries += 1
        return f"x{self._temporaries}"

    def bind(self, prefix: str, value: Any) -> str:
        return self.environment.bind(prefix, value)

    def move_to(self, position: Position) -> None:
        """Sets the position in the source of what follows."""
        self.at = position
        self.where = position.described

    @property
    def place(self) -> str:
        """The name of the position in the source of what follows."""
        return self.bind("P", self.at)

    @property
    def memory(self) -> str:
        """The name of the state to read from."""
        return "s" if self.copied else "state"

    def copy(self) -> None:
        """Makes `s`, the state as a list."""
        if not self.copied:
            self.line("s = list(state)")
            self.copied = True

    def writable(self) -> None:
        """Makes `s`, which is going to be changed."""
        self.copy()
        self.written = Changed.STORED

    def settling(self) -> None:
        """Before the value is written that an undefined cell has got."""
        if self.draft is Changed.CHOSEN:
            self.line("if s is state: s = draft(s)")

    def settled(self) -> None:
        """After the branch in which an undefined cell gets a value."""
        self.written = max(self.written, Changed.CHOSEN)

    def stop(self, why: str) -> None:
        """Returns that there is no step."""
        self.stops = max(self.stops, self.written)
        self.line(f"return {why}")

    def step(self, violation: str = "None") -> None:
        """Returns the step that leads to `s`."""
        if self.mode is Mode.IN_PLACE:
            if self.draft is not Changed.NOTHING:
                self.line("if s is not state: state[:] = s")
            self.line(f"return {violation}")
            return
        taken = "()" if self.mode is Mode.DIRECT else "tuple(choose.taken)"
        made = "grown(s)" if self.grows else "tuple(s)"
        self.line(f"return (new(Step, (t, {taken}, {made}, {violation})),)")

    def end_program(self, status: str) -> None:
        """Emits the end of the program: all threads stop, and of the state only memory is left."""
        self.writable()
        if self.recording:
            self.line(f"record.end({status!r})")
        self.line(f"s[{self.context.status}] = {status!r}")
        self.line(f"del s[{self.context.base}:]")

    def check_losses(self, live: Iterable[str], component: str = "i") -> None:
        """Returns the step that violates valid-memtrack, if what was done here has lost memory.

        `live` are the registers that may still be read; `component` is the thread's in the state,
        which has not got them yet, or "-1".
        """
        registers = self.code.template.registers
        held = [
            self.code.variables[name]
            for name in sorted(live)
            if isinstance(registers.get(name), PtrType)
        ]
        position = self.bind("P", self.at)
        roots = f"({', '.join(held)},)" if held else "()"
        self.line(f"last = lost({self.memory}, {component}, {roots}, t, {position})")
        with self.block("if last is not None:"):
            self.copy()
            self.step("last")

    def leftovers(self, asked: str = "left") -> str:
        """The violation of valid-memcleanup where the thread ends the program, or may have."""
        if not self.context.options.leftovers:
            return "None"
        self.line(f"last = {asked}({self.memory}, t, {self.bind('P', self.at)})")
        return "last"

    def fail(self, prop: str, message: str) -> None:
        """Returns the step that violates a property here."""
        self.end_program(f"violates {prop}: {message}")
        self.step(f"Violation({prop!r}, {message!r}, {self.place}, t)")

    # -- arbitrary values -----------------------------------------------------------------------

    def register(self, reg: Reg) -> str:
        """The variable of a register that is used here; it gets a value if it has none."""
        variable = self.code.variables[reg.name]
        if reg.name in self.undefined:
            what = f"uninitialised {reg.name.split('#')[0]}"
            with self.block(f"if {variable} is None:"):
                self.choose(variable, reg.type, what, whole=reg.name)
            self.undefined -= {reg.name}
        return variable

    def choose(
        self,
        variable: str,
        type: Scalar,
        what: str,
        low: int | None = None,
        high: int | None = None,
        whole: str | None = None,
        from_memory: bool = False,
    ) -> bool:
        """variable := an arbitrary value of the type. Returns whether the code goes on here.

        `whole` is the register that gets the value, if nothing else holds it.
        """
        if not is_tried(self.context, type, from_memory):
            reason = f"arbitrary pointer: {what} at {self.where}"
            self.line(f"raise ExecutionEnds({reason!r})")
            return False
        if self.mode is Mode.DIRECT:
            self.alternatives()
            return False
        domain = input_domain(self.context, self.code, type, what, self.where, (low, high), whole)
        name = self.bind("D", domain)
        self.line(f"{variable} = choose.pick({name})")
        if self.recording:
            self.line(f"record.chosen({what!r}, {variable})")
        return True

    def alternatives(self) -> None:
        """Emits the end of direct mode, which has met a choice: a new start that tries all."""
        self.line(f"return alternatives({self.pc}, state, t)")
