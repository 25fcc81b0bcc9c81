"""The whole program while it is lowered: global names, functions, templates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from pathlib import Path

from pycparser import c_ast

from abpress.config import ProgramOptions
from abpress.errors import AbPressError, InputError, Position, UnsupportedError
from abpress.ir.expr import Addr, FuncAddr
from abpress.ir.program import Initial, Overflow
from abpress_frontend.lower.ctypes import (
    CArray,
    CFunction,
    CPtr,
    CRecord,
    CType,
    DataModel,
    Definition,
    give_alias,
    sizeof,
)
from abpress_frontend.lower.elsewhere import STREAMS
from abpress_frontend.lower.foreign import SPACE
from abpress_frontend.lower.function import Function
from abpress_frontend.lower.function_values import functions_as_values
from abpress_frontend.lower.graph import MAX_EDGES
from abpress_frontend.lower.initialisers import InitialiserReader
from abpress_frontend.lower.layout import layout
from abpress_frontend.lower.misuse import LIBRARY_OBJECTS, SYNCHRONISATION, Waits
from abpress_frontend.lower.positions import position
from abpress_frontend.lower.redeclared import compatible
from abpress_frontend.lower.scope import (
    FunctionSymbol,
    ObjectSymbol,
    Scope,
    Symbol,
    ThreadLocal,
    ThreadLocalSymbol,
    TypedefSymbol,
)
from abpress_frontend.lower.static_data import StaticEntry
from abpress_frontend.lower.static_objects import StaticObjects
from abpress_frontend.lower.syntax import (
    is_constant_object,
)
from abpress_frontend.lower.types import TypeReader
from abpress_frontend.parse import parse_model

MODELS = Path(__file__).parent.parent / "models"

_MOST_PLACES = 4
"""Places of an assumption that are named."""

_as_values_in_model = lru_cache(maxsize=None)(functions_as_values)
"""The same of a model, whose tree all programs share."""


class Unit:
    """Mutable: grows while templates are lowered. The collaborators that need expressions are set
    by `abpress_frontend.lower.program`."""

    types: TypeReader
    initialisers: InitialiserReader
    at_file_level: Callable[[Scope], AbstractContextManager[None]]
    """Constant expressions are read in this scope."""

    def __init__(
        self,
        options: ProgramOptions,
        entries: Callable[[CType, c_ast.Node], list[StaticEntry]],
        recursion_bound: int,
        lifetimes: bool = False,
    ) -> None:
        self.options = options
        self.lifetimes = lifetimes  # whether variables that hold pointers live as C says
        self.recursion_bound = recursion_bound
        self.most_edges = MAX_EDGES
        self.model = DataModel(options.data_model, options.misuse)
        self.objects = StaticObjects(self.model, entries)
        self.overflow = Overflow(options.signed_overflow)
        self.scope = Scope()
        self.functions: dict[str, Function] = {}
        self.models: dict[str, Function] = {}
        self.wrappers: dict[str, Function] = {}  # of functions of the library, for pointers
        self._loaded: set[str] = set()
        self.undefined: dict[str, CType] = {}  # objects that are declared only
        self._tentative: set[str] = set()  # arrays whose length a later declaration may tell
        self._incomplete: dict[str, tuple[CType, Position, bool]] = {}  # objects of such types
        self.templates: set[str] = set()  # that have been lowered
        self.pending: list[str] = []
        self.address_taken: dict[str, None] = {}  # functions whose address is a value
        self.compared: dict[str, None] = {}  # functions that a pointer is compared with in a call
        self.pointed_to: dict[str, None] = {}  # what function pointers may point to
        self.ignored: frozenset[c_ast.Node] = frozenset()  # calls of which nobody uses the result
        self.lines: dict[c_ast.Node, c_ast.FuncCall] = {}  # see abpress_frontend.lower.line_scans
        self.sees_bytes = False  # whether objects are accessed as something else than they are
        self.moves_bytes = False  # whether memory is filled or copied as such
        self.features: dict[str, int] = {}  # constants that tell the models what they must do
        self.needed: Collection[str] = ()  # features that an earlier lowering asked for
        self.weak: frozenset[str] = frozenset()  # variables that need not be defined
        self.noreturn: frozenset[str] = frozenset()  # functions that do not return
        self.recursion_cut = False  # whether the bound on recursion left anything out
        self.assumptions: dict[str, None] = {}
        self._assumed: dict[str, dict[str, None]] = {}  # assumptions -> places in the text
        self.library_calls: dict[str, None] = {}  # by the program, of functions without its body
        self.warnings: dict[str, None] = {}
        self.synchronisation: frozenset[Definition] = frozenset()  # see misuse.SYNCHRONISATION
        self.library_objects: frozenset[Definition] = frozenset()  # see misuse.LIBRARY_OBJECTS
        self.enlarged: set[Definition] = set()  # to the size that they have elsewhere
        self.waits = Waits()
        self.constants: frozenset[str] = frozenset()  # see abpress_frontend.lower.unchecked
        self._declared: dict[str, tuple[CType, Position]] = {}  # of other files, to compare
        self.statics: dict[c_ast.Node, Symbol] = {}

    # -- reading declarations -----------------------------------------------------------------

    def read(self, ast: c_ast.FileAST, scope: Scope, model: bool) -> None:
        """Declares everything of a translation unit at file level."""
        with self.at_file_level(scope):
            for node in ast.ext:
                try:
                    self._external(node, scope, model)
                except AbPressError as e:
                    if e.position is None:
                        e.position = position(node)
                    raise
        for object, (type, at, readonly) in self._incomplete.items():
            if object not in self.objects.by_name:
                self.objects.add_variable(object, type, None, at, readonly)
        self._incomplete.clear()
        known = frozenset(n for n, s in scope.names.items() if isinstance(s, FunctionSymbol))
        types = frozenset(
            name
            for name, s in scope.names.items()
            if isinstance(s, TypedefSymbol) and isinstance(s.type, CFunction)
        )
        find = _as_values_in_model if model else functions_as_values
        self.pointed_to.update(find(ast, known, types))

    def _external(self, node: c_ast.Node, scope: Scope, model: bool) -> None:
        match node:
            case c_ast.Typedef():
                self._typedef(node, scope)
            case c_ast.FuncDef():
                self._function(node, scope, model)
            case c_ast.Decl():
                self.declare(node, scope, node.name or "")
                self.align(node, scope)
            case c_ast.StaticAssert():
                self.check(node)

    def _typedef(self, node: c_ast.Typedef, scope: Scope) -> None:
        if node.name == "__abp_set_t":
            scope.names[node.name] = TypedefSymbol(self.model.set)
            return
        if node.name == "__abp_thread_t":
            scope.names[node.name] = TypedefSymbol(self.model.thread)
            return
        if node.name in self.types.opaque:
            scope.names[node.name] = TypedefSymbol(self.types.opaque[node.name])
            return
        type = self.types.declared(node, scope)
        if node.name in SYNCHRONISATION and isinstance(type, CRecord):
            self.synchronisation |= {type.definition}
        if node.name in LIBRARY_OBJECTS and isinstance(type, CRecord):
            self.library_objects |= {type.definition}
        if node.name in SPACE and position(node).in_model and isinstance(type, CRecord):
            space = SPACE[node.name][self.model.pointer.size // 8]
            assert sizeof(type) <= space[0], node.name
            type.definition.size, type.definition.alignment = space
            self.enlarged.add(type.definition)
        give_alias(type, node.name)
        scope.names[node.name] = TypedefSymbol(type)

    def _function(self, node: c_ast.FuncDef, scope: Scope, model: bool) -> None:
        decl = node.decl.type
        inner = Scope(scope)
        type = self.types.function(decl, scope, inner)
        given = decl.args.params if decl.args else ()
        parameters = tuple(p.name or "" for p in given if not isinstance(p, c_ast.EllipsisParam))[
            : len(type.parameters)
        ]  # none for (void)
        if node.param_decls:  # K&R
            by_name = {d.name: self.types.declared(d, inner) for d in node.param_decls}
            parts = tuple(self.types.decayed(by_name.get(p, self.model.int)) for p in parameters)
            type = CFunction(type.result, parts)
        name = node.decl.name
        function = Function(name, node, inner, type, parameters, model)
        (self.models if model else self.functions)[name] = function
        if not model:
            self._compare(name, type, position(node.decl))
        scope.names[name] = FunctionSymbol(name, type)

    def _compare(self, name: str, type: CType, at: Position) -> None:
        """Raises InputError where files of a program declare a name with different types."""
        if not self.options.others or at.in_model:
            return
        known, first = self._declared.setdefault(name, (type, at))
        if not compatible(known, type):
            raise InputError(f"conflicting types for {name}: {type}, but {known} in {first}", at)

    def check(self, node: c_ast.StaticAssert) -> None:
        """Raises InputError for a static assertion that fails."""
        if not self.types.constant(node.cond):
            raise InputError("a static assertion fails", position(node))

    def align(self, node: c_ast.Decl, scope: Scope) -> None:
        """Keeps the alignment that a variable is declared with."""
        symbol = scope.names.get(node.name)
        if symbol is None:
            return
        aligned = self.types.aligned(node, symbol.type, scope)
        if aligned is not None:
            scope.alignments[node.name] = max(aligned, scope.alignments.get(node.name, 1))

    def declare(self, node: c_ast.Decl, scope: Scope, name: str) -> None:
        """A declaration at file level, or of a static or extern variable in a block."""
        if node.name is None:
            self.types.tags.declare(node, scope)
        type = self.types.declared(node, scope)
        if node.name is None:
            return
        if scope is self.scope or "extern" in node.storage:
            self._compare(node.name, type, position(node))
        if isinstance(type, CFunction):
            scope.names.setdefault(node.name, FunctionSymbol(node.name, type))
            return
        known = scope.names.get(node.name)
        if "extern" in node.storage and node.init is None:
            if not isinstance(known, ObjectSymbol | ThreadLocalSymbol):
                self._extern(node, type, scope)
            if not (self._is_tentative(known) and isinstance(type, CArray) and type.count):
                return
        if node.init is not None:
            type = self.initialisers.completed(type, node.init)
        tentative = isinstance(type, CArray) and type.count is None and type.length is None
        if tentative and isinstance(type, CArray):
            type = CArray(type.element, 1)  # if nothing completes it (C11 6.9.2)
        at = position(node)
        if isinstance(type, CArray) and type.length is not None:
            raise UnsupportedError("variable-length array with static lifetime", at)
        if "_Thread_local" in node.storage or "__thread" in node.storage:
            variable = ThreadLocal(self.objects.fresh_name(name), type, (), at)
            scope.names[node.name] = ThreadLocalSymbol(variable)
            variable.initial = self.objects.initial(type, node.init, layout(type), at)
            return
        if isinstance(known, ObjectSymbol) and isinstance(known.address, Addr) and not scope.parent:
            object = known.address.object
            if tentative and isinstance(known.type, CArray) and known.type.count:
                type = known.type
            completes = object in self.undefined or (object in self._tentative and not tentative)
            if node.init is None and not completes:
                return
            self.undefined.pop(object, None)
            self._tentative.discard(object)
        else:
            object = self.objects.fresh_name(name)
        if tentative:
            self._tentative.add(object)
        scope.names[node.name] = ObjectSymbol(self.objects.address(object), type)
        # Declared before its initialiser is read, which may refer to it.
        readonly = is_constant_object(node)
        if isinstance(type, CRecord) and type.fields is None and not (node.init or scope.parent):
            self._incomplete[object] = type, at, readonly  # till the end of the file (C11 6.9.2)
            return
        self.objects.add_variable(object, type, None, at, readonly)
        if node.init is not None:
            self.objects.add_variable(object, type, node.init, at, readonly)

    def _is_tentative(self, known: Symbol | None) -> bool:
        return isinstance(known, ObjectSymbol) and (
            isinstance(known.address, Addr) and known.address.object in self._tentative
        )

    def _extern(self, node: c_ast.Decl, type: CType, scope: Scope) -> None:
        """An extern variable: the file-level one of that name, or one that is defined nowhere."""
        if node.name in self.weak:
            raise UnsupportedError(f"weak variable {node.name} without definition", position(node))
        outer = self.scope.names.get(node.name)
        if outer is not None and scope is not self.scope:
            scope.names[node.name] = outer
            return
        at = position(node)
        if isinstance(type, CRecord) and type.fields is None:
            return  # of use only by address in code that is then refused
        if isinstance(type, CArray) and type.count is None:
            type = CArray(type.element, 0)
        object = self.objects.fresh_name(node.name)
        self.undefined[object] = type
        space = layout(type)
        symbol = ObjectSymbol(self.objects.address(object), type)
        scope.names[node.name] = symbol
        values: tuple[Initial, ...] = (None,) * len(space.cells)
        if node.name in STREAMS and isinstance(type, CPtr):
            its = layout(self.model.char)
            values = (self.objects.add(f"stream {node.name}", its, (None,), at),)
        self.objects.add(object, space, values, at)

    def function(self, name: str, model: bool) -> Function | None:
        """The function with a body that `name` means in the program, or inside a model."""
        return (self.models if model else self.functions).get(name)

    def load_model(self, file: str) -> None:
        """Makes the functions of a C model known, once."""
        if file not in self._loaded:
            self._loaded.add(file)
            self.read(self.parse(file), Scope(), model=True)

    def parse(self, file: str, whole: bool = False) -> c_ast.FileAST:
        """The syntax tree of a file of the models, `whole` with all of its headers."""
        return parse_model(MODELS / file, self.options.data_model, whole)

    def assume(self, what: str, at: Position, everywhere: bool = False) -> None:
        """Notes an assumption that the text of the program makes, with the first place of it, or,
        of one that is broken `everywhere` alike, with the first few."""
        places = self._assumed.setdefault(what, {})
        before = _assumption(what, tuple(places))
        other = not places and any(text.startswith(what) for text in self.assumptions)
        if at.in_model or other or (places and not everywhere):
            return
        places.setdefault(str(at.origin))
        now = _assumption(what, tuple(places))
        self.assumptions.setdefault(before)
        self.assumptions = {now if text == before else text: None for text in self.assumptions}

    # -- addresses ----------------------------------------------------------------------------

    def function_address(self, name: str) -> FuncAddr:
        """The address of a function; raises UnsupportedError if it may be null."""
        if name in self.weak and name not in self.functions:
            raise UnsupportedError(f"weak function {name} without definition")
        self.address_taken.setdefault(name)
        return FuncAddr(name, self.model.pointer)

    def is_object(self, function: Function | None, name: str, type: CType) -> bool:
        """Whether a scalar local variable of the function lives in memory: its address is taken,
        or it holds pointers to objects whose last one it may be."""
        if function is None:
            return False
        if name in function.addressed:
            return True
        holds = isinstance(type, CPtr) and not isinstance(type.target, CFunction)
        return self.lifetimes and holds and not function.model

    def addressed(self) -> tuple[str, ...]:
        """Every function with a FuncAddr."""
        return tuple(self.address_taken | self.compared)

    def template(self, function: str) -> str:
        """The name of the template of threads that are created to run `function`, lowered later.

        Raises UnsupportedError for the function that the program begins with, whose end is that of
        the program.
        """
        if function == self.options.entry:
            raise UnsupportedError(
                f"creation of a thread that runs '{function}', as the first does"
            )
        if function not in self.templates and function not in self.pending:
            self.pending.append(function)
        return function


def _assumption(what: str, places: Sequence[str]) -> str:
    """The words of an assumption that is made at some places."""
    more = len(places) - _MOST_PLACES
    some = ", ".join(places[:_MOST_PLACES])
    return f"{what} ({some}{f' and {more} more' if more > 0 else ''})"
