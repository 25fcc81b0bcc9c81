"""The kinds of entries of the library table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pycparser import c_ast

from abpress.errors import UnsupportedError
from abpress.ir.program import Cut
from abpress_frontend.lower.aggregates import any_object
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import VOID, CFloat, CInt, CPtr, CRecord, CType, DataModel
from abpress_frontend.lower.types import unatomic
from abpress_frontend.lower.values import Value

ASSUME_UNDEFINED = "--undefined-functions=havoc assumes that it writes no memory"

TYPES: dict[str, Callable[[DataModel], CType]] = {
    "void": lambda m: VOID,
    "int": lambda m: m.int,
    "uint": lambda m: m.uint,
    "size_t": lambda m: m.size_t,
    "long": lambda m: m.long,
    "ulong": lambda m: m.ulong,
    "bool": lambda m: m.bool,
    "float": lambda m: m.float,
    "double": lambda m: m.double,
    "long_double": lambda m: m.long_double,
    "void*": lambda m: m.pointer_to(VOID),
    "set": lambda m: m.set,
}
"""Result types of library functions, by name."""


@dataclass(frozen=True, slots=True)
class Lowered:
    """Lowered by `handler`. `type` gives or names the result type, `*k` stands for what argument k
    points to and `k` for the type of argument k. A `forced` entry is taken even where the program
    brings a body of its own. An `operator` only looks like a call."""

    handler: Callable[[Call], Value]
    type: str | Callable[[Body, c_ast.FuncCall], CType] = "void"
    forced: bool = False
    operator: bool = False

    def lower(self, call: Call) -> Value:
        return self.handler(call)

    def result(self, body: Body, node: c_ast.FuncCall) -> CType | None:
        if not isinstance(self.type, str):
            return self.type(body, node)
        if self.type[0] == "*":
            pointer = body.expressions.typeof(node.args.exprs[int(self.type[1:])])
            pointer = body.unit.types.decayed(pointer)
            return unatomic(pointer.target) if isinstance(pointer, CPtr) else None
        if self.type.isdigit():
            return unatomic(body.expressions.typeof(node.args.exprs[int(self.type)]))
        return TYPES[self.type](body.unit.model)


@dataclass(frozen=True, slots=True)
class Model:
    """Modelled in C, by the function of that name in `frontend/models/<file>`."""

    file: str
    forced: bool = False

    def lower(self, call: Call) -> Value:
        raise AssertionError("a model is inlined as a function")

    def result(self, body: Body, node: c_ast.FuncCall) -> CType | None:
        return None


@dataclass(frozen=True, slots=True)
class NoEffect:
    """Evaluates its arguments; the result is arbitrary, or `value` where it is given."""

    type: str = "int"
    value: int | None = None
    forced: bool = False

    def lower(self, call: Call) -> Value:
        call.evaluate()
        type = TYPES[self.type](call.model)
        if type == VOID:
            return call.nothing()
        if self.value is not None and isinstance(type, CInt):
            return call.constant(self.value, type)
        return call.arbitrary(type, f"result of {call.name}")

    def result(self, body: Body, node: c_ast.FuncCall) -> CType | None:
        return TYPES[self.type](body.unit.model)


@dataclass(frozen=True, slots=True)
class Input:
    """An arbitrary value of a number's type, given as an attribute name of `DataModel`."""

    attribute: str
    forced: bool = True

    def lower(self, call: Call) -> Value:
        call.evaluate()
        return call.arbitrary(self.ctype(call.model), f"{call.name}()")

    def ctype(self, model: DataModel) -> CInt | CFloat:
        type = getattr(model, self.attribute)
        assert isinstance(type, CInt | CFloat)
        return type

    def result(self, body: Body, node: c_ast.FuncCall) -> CType | None:
        return self.ctype(body.unit.model)


@dataclass(frozen=True, slots=True)
class Refused:
    """Known, and not supported: `why` says what is missing."""

    why: str
    forced: bool = False

    def lower(self, call: Call) -> Value:
        at = call.body.position(call.node)
        raise UnsupportedError(f"call of {call.name}: {self.why}", at)

    def result(self, body: Body, node: c_ast.FuncCall) -> CType | None:
        return None


@dataclass(frozen=True, slots=True)
class NotModelled:
    """Known, and not what it does: an execution that calls it ends there, and nothing is known of
    what follows. `why` says what is missing. One that is `outside` of the program is by option
    taken for undefined."""

    why: str
    outside: bool = False
    forced: bool = False

    def lower(self, call: Call) -> Value:
        call.evaluate()
        hint = f" ({ASSUME_UNDEFINED})" if self.outside else ""
        call.graph.emit(Cut(f"call of {call.name}: {self.why}{hint}"))
        type = call.body.calls.result_type(call.node)
        return call.nothing() if type == VOID else call.body.dead_value(type)

    def result(self, body: Body, node: c_ast.FuncCall) -> CType | None:
        return None


@dataclass(frozen=True, slots=True)
class Undefined:
    """Defined nowhere: by option, its result is arbitrary and it does nothing."""

    forced: bool = False

    def lower(self, call: Call) -> Value:
        call.evaluate()
        type = call.body.calls.result_type(call.node)
        if type == VOID:
            return call.nothing()
        if isinstance(type, CRecord):
            return any_object(call.body, type, f"{call.name}()")
        return call.arbitrary(type, f"{call.name}()")

    def result(self, body: Body, node: c_ast.FuncCall) -> CType | None:
        return None


Entry = Lowered | Model | NoEffect | NotModelled | Input | Refused | Undefined
