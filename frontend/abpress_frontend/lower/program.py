"""Lowers a parsed program: wires the parts together, then one template after the other."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache

from pycparser import c_ast

from abpress.config import ProgramOptions
from abpress.errors import InputError, Position, UnsupportedError
from abpress.ir.expr import Const, Expr
from abpress.ir.program import (
    RETURN_FROM_MAIN,
    Assign,
    Cut,
    Enter,
    Exit,
    Finish,
    Leave,
    Load,
    Overflow,
    Program,
    Template,
)
from abpress.ir.types import INT
from abpress_frontend.lower.body import Body, Frame
from abpress_frontend.lower.calls import CallLowering
from abpress_frontend.lower.cancellation import REQUEST
from abpress_frontend.lower.ctypes import (
    VOID,
    CRecord,
    CType,
    CVoid,
    Definition,
    is_scalar,
    scalar,
    sizeof,
)
from abpress_frontend.lower.elsewhere import defined_elsewhere
from abpress_frontend.lower.endings import LEFT, has_handlers, run_handlers
from abpress_frontend.lower.expressions import ExpressionLowering
from abpress_frontend.lower.features import MAKES_ROBUST, ONCE_IS_LEFT, features, ignored_calls
from abpress_frontend.lower.foreign import foreign_types
from abpress_frontend.lower.function import Function
from abpress_frontend.lower.function_values import functions_from_elsewhere
from abpress_frontend.lower.graph import TooLarge, most_edges
from abpress_frontend.lower.hidden_ids import look_behind_pointers
from abpress_frontend.lower.initialisers import InitialiserReader
from abpress_frontend.lower.layout import PADDED, unused
from abpress_frontend.lower.line_scans import scanned_once
from abpress_frontend.lower.main_arguments import arguments_of_main
from abpress_frontend.lower.misuse import initialised_twice
from abpress_frontend.lower.orders import add_orders
from abpress_frontend.lower.places import PlaceLowering
from abpress_frontend.lower.pointing import Pointing
from abpress_frontend.lower.positions import position
from abpress_frontend.lower.scope import Scope, TypedefSymbol
from abpress_frontend.lower.statements import StatementLowering
from abpress_frontend.lower.static_data import StaticEntry
from abpress_frontend.lower.thread_ids import COMPARED, NeedsFeature
from abpress_frontend.lower.types import TypeReader
from abpress_frontend.lower.unchecked import (
    BUILTIN,
    RESTRICT,
    constants,
    reads_unwritten,
    restrict_pointer,
    taken_for_builtin,
)
from abpress_frontend.lower.unions import MembersInUse
from abpress_frontend.lower.unit import Unit
from abpress_frontend.lower.values import Value, converted, folder_with, settled
from abpress_frontend.parse import ParsedSource
from abpress_frontend.tree import subtrees

CLEANUP = "__abp_thread_exit_cleanup"
"""Runs cleanup handlers that were pushed and not popped."""

HOOKS = {
    "__abp_thread_exit_cancel": ("cancel.c", (REQUEST,)),
    CLEANUP: ("cleanup.c", ("pthread_cleanup_push", "__pthread_register_cancel")),
    "__abp_thread_exit_keys": ("keys.c", ("pthread_setspecific", "tss_set")),
    "__abp_thread_exit_robust": ("mutex.c", MAKES_ROBUST),
}
"""Functions of the models that run when a thread ends -> their file, and the functions whose use
calls for them."""

ENDED = "__abp_thread_exit_ended"
"""Runs after the others, in programs that compare ids of threads that may be detached."""


class ProgramTooLarge(UnsupportedError):
    """Inlining goes too far; a smaller bound on recursion may help."""


class ProgramLowering:
    """Lowers one program. Mutable: the unit grows."""

    def __init__(
        self,
        source: ParsedSource,
        options: ProgramOptions,
        recursion_bound: int,
        needed: Collection[str] = (),
        lifetimes: bool = False,
    ) -> None:
        self.source = source
        self.options = options
        self.needed = needed
        self.unit = Unit(options, self._static_entries, recursion_bound, lifetimes)
        self.unit.needed = needed
        self.unit.most_edges = most_edges(sum(1 for _ in subtrees(source.ast)))
        self.unit.at_file_level = self._at_file_level
        self.unit.types = TypeReader(
            self.unit.model,
            self._length,
            self._typeof,
            self._within,
            self.unit.check,
            MembersInUse(source.ast),
            every_byte=PADDED in needed,
        )
        self.unit.weak, self.unit.noreturn = source.weak, source.noreturn
        self.unit.assumptions.update(dict.fromkeys(source.assumptions))
        self.unit.initialisers = InitialiserReader(
            self.unit.types.constant, self._typeof, self.unit.types.is_foreign
        )
        self._current = self._body(None)
        self._from_elsewhere = functions_from_elsewhere(source.ast)

    def lower(self, overflow: Overflow) -> Program:
        """The program, with every template that its threads can run."""
        self._own_types()
        self._look_at_text()
        self.unit.read(self.source.ast, self.unit.scope, model=False)
        entry = self.unit.functions.get(self.options.entry)
        if entry is None:
            raise InputError(f"no function {self.options.entry} is defined")
        self.unit.ignored = frozenset(ignored_calls(self.source.ast))
        self.unit.lines = scanned_once(self.source.ast)
        self.unit.features = features(
            self.source.ast, self._from_elsewhere, self.options, self.needed
        )
        again = initialised_twice(
            self.source.ast, self.options.entry, frozenset(self._from_elsewhere)
        )
        if again:
            self.unit.assumptions.setdefault(
                f"nothing that is initialised is initialised again by {', '.join(again)}"
            )
        needed = {CLEANUP} if self.unit.features[ONCE_IS_LEFT] else set()
        self.hooks = [h for h, (_, users) in HOOKS.items() if h in needed or self._uses(users)]
        if self.unit.features["__abp_detaches"] and self.unit.features[COMPARED]:
            self.hooks.append(ENDED)
        self.unit.pending.append(entry.name)
        bodies: dict[str, Body] = {}
        while self.unit.pending:
            name = self.unit.pending.pop(0)
            function = self._begun(name)
            bodies[name] = self._template(function, main=function is entry)
            self.unit.templates.add(name)
        for body in bodies.values():
            self.unit.assumptions.update(dict.fromkeys(reads_unwritten(body.graph)))
        self._look_at_padding()
        graphs = {name: body.graph for name, body in bodies.items()}
        points_to = cache(lambda: Pointing(graphs, self.unit.objects.by_name))
        look_behind_pointers(bodies, self.unit.objects.by_name, points_to)
        evaluations = {name: body.order.evaluations for name, body in bodies.items()}
        add_orders(graphs, evaluations, points_to, entry.name)
        program = Program(
            {name: self._finished(name, body) for name, body in bodies.items()},
            self.unit.objects.by_name,
            self.unit.addressed(),
            self.unit.model.pointer.size,
            overflow,
            entry.name,
        )
        for assumption in defined_elsewhere(program, self.unit.undefined):
            self.unit.assumptions.setdefault(assumption)
        return program

    def _look_at_text(self) -> None:
        """Notes what is assumed where the text has certain words."""
        ast = self.source.ast
        self.unit.constants = constants(ast)
        pointer = restrict_pointer(ast)
        if pointer is not None:
            self.unit.assume(RESTRICT, position(pointer))
        known = taken_for_builtin(ast)
        if known:
            self.unit.assumptions.setdefault(f"{BUILTIN}: {', '.join(known)}")

    def _look_at_padding(self) -> None:
        """Asks for cells for padding where it is there and can be seen: that behind our cells in a
        lock only where memory is filled or copied."""
        if not self.unit.sees_bytes:
            return
        if PADDED in self.needed:
            self.unit.assumptions.setdefault(
                "a store to a member leaves the padding beside it as it is"
            )
            return
        silent = set[Definition]() if self.unit.moves_bytes else self.unit.enlarged
        definitions = (d for d in self.unit.types.tags.definitions if d not in silent)
        spaces = (d.layout for d in definitions if d.layout is not None)
        if any(unused(space.size, space.cells) for space in spaces):
            raise NeedsFeature(PADDED)

    def _uses(self, functions: tuple[str, ...]) -> bool:
        return not self._from_elsewhere.isdisjoint(functions)

    def _own_types(self) -> None:
        """Our definitions of the pthread types, for programs that bring other headers."""
        foreign = foreign_types(self.source.ast, self._from_elsewhere)
        if not foreign:
            return
        scope = Scope()
        self.unit.read(self.unit.parse("types.c", whole=True), scope, model=True)
        for name in foreign:
            symbol = scope.names.get(name)
            if isinstance(symbol, TypedefSymbol):
                self.unit.types.opaque[name] = symbol.type

    # -- templates ----------------------------------------------------------------------------

    def _body(self, function: Function | None) -> Body:
        frame = Frame(function, Scope(self.unit.scope), None, 0, ())
        body = Body(self.unit, frame)
        body.expressions = ExpressionLowering(body)
        body.places = PlaceLowering(body)
        body.statements = StatementLowering(body)
        body.calls = CallLowering(body)
        return body

    def _finished(self, name: str, body: Body) -> Template:
        return body.graph.finish(name, position(self._begun(name).node.decl, name))

    def _begun(self, name: str) -> Function:
        """What a thread runs that begins with the function of that name."""
        return self.unit.wrappers.get(name) or self.unit.functions[name]

    def _template(self, function: Function, main: bool) -> Body:
        """The lowered code of threads that run the function."""
        body = self._body(None)
        outer, self._current = self._current, body
        at = position(function.node.decl, function.name)
        start = body.graph.location()
        entry = body.graph.here
        try:
            body.graph.position = at
            body.graph.at(start)
            self._run(body, function, main)
            self._end(body, at, main)
            body.graph.at(entry)
            for object in body.thread_locals.values():
                body.graph.emit(Enter(object))
            body.graph.goto(start)
        except TooLarge:
            raise ProgramTooLarge(
                f"{function.name} has more than {self.unit.most_edges} actions after inlining", at
            ) from None
        self._current = outer
        return body

    def _run(self, body: Body, function: Function, main: bool) -> None:
        """The thread's function is inlined; where it returns the thread, or the program, ends."""
        if main:
            arguments = arguments_of_main(body, function)
        else:
            generic = self.unit.model.pointer_to(VOID)
            passed = Value(body.graph.ambient("$arg", body.pointer), generic)
            if len(function.parameters) > 1:
                raise UnsupportedError(
                    f"thread function {function.name} with {len(function.parameters)} parameters",
                    position(function.node.decl),
                )
            arguments = [passed][: len(function.parameters)]
        result = body.calls.inline(function, arguments, None)
        body.graph.position = position(function.node.decl, function.name)
        if main:
            if self.unit.lifetimes:  # its thread goes on to `exit`, so what is thread-local stays
                lasting = set(body.thread_locals.values())
                for object in body.graph.locals:
                    if object not in lasting:
                        body.graph.emit(Leave(object))
            run_handlers(body, "exit", None)
            body.graph.emit(Exit(RETURN_FROM_MAIN))
            return
        if isinstance(result.type, CVoid):
            value: Expr = Const(0, body.pointer)
        elif isinstance(result.type, CRecord):
            raise UnsupportedError(f"thread function {function.name} returns {result.type}")
        else:
            value = converted(result, self.unit.model.pointer_to(VOID)).expr
        body.graph.emit(Assign(body.result, value))
        body.graph.goto(body.finish)

    def _end(self, body: Body, at: Position, main: bool) -> None:
        """Where all ends of the thread but those of the program meet."""
        body.graph.at(body.finish)
        body.frame.stack = (at,)
        for hook in self.hooks:
            self.unit.load_model(HOOKS[hook][0] if hook in HOOKS else "thread.c")
            body.calls.inline(self.unit.models[hook], [], None)
        for object in body.graph.locals:
            body.graph.emit(Leave(object))
        if main and has_handlers(body, "exit"):
            body.graph.emit(Cut(LEFT))
        body.graph.emit(Finish(body.result))

    # -- constants ----------------------------------------------------------------------------

    @contextmanager
    def _at_file_level(self, scope: Scope) -> Iterator[None]:
        outer, self._current = self._current, self._body(None)
        self._current.frame.scope = scope
        try:
            yield
        finally:
            self._current = outer

    @contextmanager
    def _within(self, scope: Scope) -> Iterator[None]:
        frame = self._current.frame
        outer, frame.scope = frame.scope, scope
        try:
            yield
        finally:
            frame.scope = outer

    def _typeof(self, node: c_ast.Node) -> CType:
        return self._current.expressions.typeof(node)

    def _length(self, node: c_ast.Node) -> Expr:
        """An array length or other integer that is usually constant."""
        return settled(self._current.expressions.value(node).expr)

    def _static_entries(self, type: CType, init: c_ast.Node) -> list[StaticEntry]:
        """What a static initialiser puts where; nothing may be executed for it."""
        if isinstance(init, c_ast.CompoundLiteral) and not is_scalar(type):
            init = init.init
        result: list[StaticEntry] = []
        folder = folder_with(self.unit.objects.by_name)
        for e in self.unit.initialisers.entries(type, init):
            if isinstance(e.value, int):
                result.append(StaticEntry(e.offset, sizeof(e.type), Const(e.value, INT)))
            elif is_scalar(e.type):
                value = settled(self._static_value(e.value, e.type).expr, folder)
                result.append(StaticEntry(e.offset, scalar(e.type).size, value, e.bits))
            elif isinstance(e.value, c_ast.CompoundLiteral):
                result += [
                    dataclasses.replace(inner, offset=e.offset + inner.offset)
                    for inner in self._static_entries(e.type, e.value)
                ]
            else:
                self._static_value(e.value, e.type)
                raise InputError("the initialiser is not constant", position(e.value))
        return result

    def _static_value(self, node: c_ast.Node, type: CType) -> Value:
        """The value of a constant expression of scalar type."""
        body = self._body(None)
        body.frame.scope = self._current.frame.scope
        value = converted(body.expressions.value(node, type), type)
        if any(isinstance(effect, Load) for effect in body.graph.effects()):
            raise InputError("the initialiser is not constant", position(node))
        return value
