"""Calls: of the library, inlined, or through function pointers."""

from __future__ import annotations

from pycparser import c_ast

from abpress.errors import AbPressError, InputError, Position, UnsupportedError
from abpress.ir.expr import Addr, Const, Expr, FuncAddr, Reg
from abpress.ir.program import Assign, Cut, Enter, Fault, Free, Leave
from abpress.ir.types import INT
from abpress_frontend.library import (
    LIBRARY,
    LINE_NUMBERS,
    Entry,
    Lowered,
    Model,
    NotModelled,
    Undefined,
)
from abpress_frontend.lower import thread_ids
from abpress_frontend.lower.aggregates import copied_object, copy_object
from abpress_frontend.lower.body import Body, Frame
from abpress_frontend.lower.builtins.scanning import FITS, UNCHECKED_NUMBERS
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.cancellation import cancellation_point
from abpress_frontend.lower.ctypes import (
    VOID,
    CFunction,
    CPtr,
    CRecord,
    CType,
    CVoid,
    is_scalar,
    scalar,
)
from abpress_frontend.lower.entries import ASSUME_UNDEFINED
from abpress_frontend.lower.features import ROBUST
from abpress_frontend.lower.free_results import CLASSES, ORDERS, freed
from abpress_frontend.lower.function import Function
from abpress_frontend.lower.indirect import call_through, function_type
from abpress_frontend.lower.lengths import evaluate_parameters
from abpress_frontend.lower.locksets import TAKES, WAITS
from abpress_frontend.lower.misuse import COPYING, WAITING, knows_waiters, may_overlap
from abpress_frontend.lower.scope import (
    BoundSymbol,
    FunctionSymbol,
    ObjectSymbol,
    RegisterSymbol,
    Scope,
)
from abpress_frontend.lower.sequencing import Kind, LibraryCall, Operands
from abpress_frontend.lower.syntax import has_effect
from abpress_frontend.lower.values import Value, converted
from abpress_frontend.lower.variadic import variable_arguments
from abpress_frontend.lower.wrappers import wrapper

_BYTEWISE = frozenset({"memcmp", "memchr"})
"""Models that look at the bytes of whatever they are given."""


class CallLowering:
    """Lowers the calls of one template."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.unit = body.unit
        self.graph = body.graph

    # -- which function -----------------------------------------------------------------------

    def call(self, node: c_ast.FuncCall, hint: CType | None) -> Value:
        """The value of a call."""
        name, order = self._callee_name(node), self.body.order
        hint, mark = self._purpose(node, hint), order.mark
        if name is None:
            with order.operands() as operands:
                with operands.one():
                    pointer = self.body.expressions.value(node.name)
                arguments = self._arguments(node, function_type(pointer), operands)
            order.point(mark)
            with order.whole(Kind.CALL):
                return call_through(self.body, pointer, arguments, node, hint)
        target = self._resolve(name, node)
        if isinstance(target, Function):
            with order.operands() as operands:
                arguments = self._arguments(node, target.type, operands)
            order.point(mark)
            with order.whole(Kind.CALL):
                if name in _BYTEWISE and any(thread_ids.is_pointer(a.type) for a in arguments):
                    thread_ids.inspected(self.body)
                return self.inline(target, arguments, node, hint)
        if isinstance(target, Lowered) and target.operator:
            with order.whole(Kind.BRANCHING):
                return self._lowered(target, Call(self.body, node, name, hint, None))
        place = LibraryCall(order, self.graph)
        value = self._lowered(target, Call(self.body, node, name, hint, place))
        place.end()
        return value

    def _purpose(self, node: c_ast.FuncCall, hint: CType | None) -> CType | None:
        """What the value becomes: what its context says, or else the variables that keep it, if
        these say one thing."""
        frame = self.body.frame
        if frame.function is None or not (isinstance(hint, CPtr) and hint.target == VOID):
            return hint
        found = {}
        for use in frame.function.purposes.get(node, ()):
            type = frame.hint if isinstance(use, c_ast.Return) else self._type_of(use)
            if isinstance(type, CPtr) and type.target != VOID:
                found[str(type)] = type
        (type,) = found.values() if len(found) == 1 else (hint,)
        return type

    def _type_of(self, node: c_ast.Node) -> CType | None:
        try:
            return self.body.expressions.typeof(node)
        except AbPressError:  # a name that is declared later, or in another block
            return None

    def _lowered(self, target: Entry, call: Call) -> Value:
        """A call that an entry of the library table lowers."""
        value = target.lower(call)
        if not self._in_model():
            cancellation_point(self.body, call.name, call.node)
        call.end()
        return value

    def result_type(self, node: c_ast.FuncCall) -> CType:
        """The type of the call's value, without evaluating anything."""
        name = self._callee_name(node)
        if name is None:
            t = self.body.expressions.typeof(node.name)
            function = t.target if isinstance(t, CPtr) else t
            return function.result if isinstance(function, CFunction) else VOID
        symbol = self.body.scope.lookup(name)
        own = self.unit.function(name, self._in_model())
        if own is not None and not (name in LIBRARY and LIBRARY[name].forced):
            return own.type.result
        if name in LIBRARY:
            known = LIBRARY[name].result(self.body, node)
            if known is not None:
                return known
        if isinstance(symbol, FunctionSymbol) and isinstance(symbol.type, CFunction):
            return symbol.type.result
        target = self._resolve(name, node)
        return target.type.result if isinstance(target, Function) else self.unit.model.int

    def _in_model(self) -> bool:
        function = self.body.frame.function
        return function is not None and function.model

    def _callee_name(self, node: c_ast.FuncCall) -> str | None:
        """The name of the called function, or None where a pointer is called."""
        callee = node.name
        while isinstance(callee, c_ast.UnaryOp) and callee.op in ("*", "&"):
            callee = callee.expr
        if not isinstance(callee, c_ast.ID):
            return None
        symbol = self.body.scope.lookup(callee.name)
        if symbol is None or isinstance(symbol, FunctionSymbol):
            name: str = callee.name
            return name
        return None

    def _resolve(self, name: str, node: c_ast.Node) -> Function | Entry:
        entry = LIBRARY.get(name)
        if entry is not None and entry.forced:
            return entry
        own = self.unit.function(name, self._in_model())
        if own is not None:
            return own
        if not self._in_model():
            self.unit.library_calls.setdefault(name)
        if node in self.unit.lines:
            return LINE_NUMBERS[name]
        if isinstance(entry, Model):
            self.unit.load_model(entry.file)
            return self.unit.models[name]
        havoc = self.unit.options.undefined_functions == "havoc"
        if entry is not None and not (havoc and isinstance(entry, NotModelled) and entry.outside):
            return entry
        at = self.body.position(node)
        if havoc:
            self.unit.assumptions.setdefault(
                f"the undefined '{name}' writes no memory, calls nothing back and returns an"
                f" arbitrary value ({at.origin})"
            )
            return Undefined()
        raise UnsupportedError(
            f"call of the undefined function '{name}' ({ASSUME_UNDEFINED})",
            at,
        )

    def _arguments(self, node: c_ast.FuncCall, type: CFunction, operands: Operands) -> list[Value]:
        given = node.args.exprs if node.args else []
        values = []
        for i, argument in enumerate(given):
            wanted = type.parameters[i] if i < len(type.parameters) else None
            with operands.one():
                value = self.body.expressions.value(argument, wanted)
                if isinstance(value.type, CRecord) and self._sees_others(node, argument):
                    value = copied_object(self.body, value)
            values.append(value)
        return values

    def _sees_others(self, node: c_ast.FuncCall, argument: c_ast.Node) -> bool:
        """Whether the other arguments may do or see something while a struct is read."""
        others = [node.name, *(a for a in node.args.exprs if a is not argument)]
        return any(has_effect(a) or self.body.expressions.reads_memory(a) for a in others)

    def pointee(self, name: str) -> Function | None:
        """The function with a body that a pointer to `name` calls; None where there is none."""
        function = self.runnable(name)
        entry = LIBRARY.get(name)
        if function is not None or not isinstance(entry, Model):
            return function
        self.unit.library_calls.setdefault(name)
        self.unit.load_model(entry.file)
        return self.unit.models.get(name)

    def is_library(self, name: str) -> bool:
        """Whether the library has a function of that name."""
        return name in LIBRARY

    def runnable(self, name: str) -> Function | None:
        """The same without the models, which no thread begins with."""
        entry = LIBRARY.get(name)
        own = self.unit.functions.get(name)
        if own is not None and not (entry is not None and entry.forced):
            return own
        wrapped = wrapper(self.unit, name, entry)
        if wrapped is None:
            return own
        self.unit.library_calls.setdefault(name)
        return wrapped

    # -- inlining -----------------------------------------------------------------------------

    def inline(
        self,
        function: Function,
        arguments: list[Value],
        at: c_ast.Node | None,
        hint: CType | None = None,
    ) -> Value:
        """The function's body in place of the call; its value is the call's."""
        result = function.type.result
        if self.graph.here is None:
            return self.body.dead_value(result)
        if sum(f.function is function for f in self.body.frames) > self.unit.recursion_bound:
            bound = self.unit.recursion_bound
            self.unit.recursion_cut = True
            self.graph.emit(Cut(f"recursion of {function.name} deeper than {bound}"))
            return self.body.dead_value(result)
        if len(arguments) < len(function.parameters):
            raise InputError(f"too few arguments for {function.name}")
        if function.model and at is not None and not self._in_model():
            cancellation_point(self.body, function.name, at)
        slot: Reg | Addr | None = None
        if is_scalar(result):
            slot = self.graph.temporary(scalar(result))
        elif isinstance(result, CRecord):
            slot = self.body.local_object(f"{function.name}()", result)
        elif not isinstance(result, CVoid):
            scalar(result)
        caller = self.body.frame
        stack: tuple[Position, ...] = caller.stack
        if at is not None:
            stack = (*stack, self.body.position(at))
        useful = hint if isinstance(hint, CPtr) and isinstance(result, CPtr) else None
        if isinstance(useful, CPtr) and isinstance(useful.target, CVoid):
            useful = None
        if isinstance(result, CPtr) and not isinstance(result.target, CVoid):
            useful = None
        frame = Frame(
            function, Scope(function.scope), slot, self.graph.location(), stack, hint=useful
        )
        self.body.frames.append(frame)
        entry, start = self.graph.here, self.graph.location()
        if function.model:
            self._note_lock(function.name, arguments, entry, frame.exit)
            if caller.function is not None and not caller.function.model:
                self._note_use(function.name, [a.expr for a in arguments])
        self.graph.at(start)
        self._bind(function, arguments)
        if function.type.variadic and function.reads_variable:
            frame.variable = variable_arguments(self.body, arguments[len(function.parameters) :])
        atomic = function.name.startswith("__VERIFIER_atomic_")
        if atomic:
            self.graph.atomic(+1)
        self.body.statements.function_body(function.node.body)
        self.graph.at(entry)
        for object in frame.outermost.early:
            self.graph.emit(Enter(object))
        for memory in frame.allocated:
            self.graph.emit(Assign(memory, Const(0, self.body.pointer)))
        self.graph.goto(start)
        self.graph.at(frame.exit)
        for memory in frame.allocated:
            self.graph.emit(Free(memory, True))
        if len(self.body.frames) > 2:  # what the thread's own function declares lives to its end
            for object in frame.outermost.objects:
                self.graph.emit(Leave(object))
        if atomic:
            self.graph.atomic(-1)
        self.body.frames.pop()
        if function.name in self.unit.noreturn:
            self.graph.emit(Fault(f"{function.name}, which is declared noreturn, returns"))
            return self.body.dead_value(result)
        if slot is None:
            return Value(Const(0, INT), VOID)
        value = Value(slot, result)
        if function.model and function.name in CLASSES | ORDERS and at not in self._tested():
            return freed(self.body, function.name, value)
        return value

    def _note_lock(self, name: str, arguments: list[Value], entry: int, exit: int) -> None:
        """Notes that a call of a model returns with a mutex."""
        if self.unit.features[ROBUST]:  # NOTE(robust-mutexes)
            return
        if name in TAKES:
            self.graph.locks.setdefault(exit, []).append((arguments[0].expr, None))
        elif name in WAITS:
            self.graph.locks.setdefault(exit, []).append((arguments[WAITS[name]].expr, entry))

    def _note_use(self, name: str, arguments: list[Expr]) -> None:
        """Notes what is assumed of how the program uses a model."""
        if name in UNCHECKED_NUMBERS:
            self.unit.assume(FITS, self.graph.position)
        if name in COPYING and may_overlap(arguments):
            at = self.graph.position.described
            self.unit.assumptions.setdefault(f"the areas of {name} do not overlap ({at})")
        if (
            name in WAITING
            and not knows_waiters(self.unit.options)
            and self.unit.waits.may_differ(*arguments[:2])
        ):
            self.unit.assumptions.setdefault(
                "threads that wait for one condition variable at the same time use one mutex"
            )

    def _tested(self) -> frozenset[c_ast.Node]:
        """The calls of the current function of whose value only the sign is asked."""
        caller = self.body.frame.function
        return frozenset() if caller is None else caller.tested

    def _bind(self, function: Function, arguments: list[Value]) -> None:
        """Parameters as variables of the new frame. A constant argument of a parameter that is
        never written is substituted, so that function pointers stay known."""
        scope = self.body.scope
        parameters = [*zip(function.parameters, function.type.parameters, strict=False)]
        for value in arguments[len(parameters) :]:
            self.body.computed(value.expr)
        for (name, wanted), value in zip(parameters, arguments, strict=False):
            if not name:
                self.body.computed(value.expr)
                continue
            if isinstance(wanted, CRecord) and not isinstance(value.type, CRecord):
                what = f"argument of type {value.type} of {function.name}, which expects {wanted}"
                raise UnsupportedError(what)
            if isinstance(wanted, CRecord):
                address = self.body.local_object(name, wanted)
                copy_object(self.body, address, value.expr, wanted)
                scope.names[name] = ObjectSymbol(address, wanted)
                continue
            value = converted(value, wanted)
            addressed = name in function.addressed
            constant = isinstance(value.expr, Const | Addr | FuncAddr)
            if constant and not addressed and name not in function.assigned:
                scope.names[name] = BoundSymbol(value.expr, wanted)
            elif self.unit.is_object(function, name, wanted):
                address = self.body.local_object(name, wanted)
                self.body.store(address, value.expr)
                scope.names[name] = ObjectSymbol(address, wanted)
            else:
                place = self.body.register_place(name, wanted)
                self.body.places.assign(place, value)
                scope.names[name] = RegisterSymbol(place.register, wanted)
        evaluate_parameters(self.body, function)
