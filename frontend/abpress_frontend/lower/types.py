"""Reads declarations of the syntax tree as C types."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from pycparser import c_ast

from abpress.errors import InputError, UnsupportedError
from abpress.ir.expr import Const, Expr
from abpress_frontend.gnu import ALIGNED
from abpress_frontend.lower.ctypes import (
    VOID,
    CArray,
    CFloat,
    CFunction,
    CInt,
    CPtr,
    CRecord,
    CType,
    CVoid,
    DataModel,
    sizeof,
)
from abpress_frontend.lower.layout import alignof
from abpress_frontend.lower.positions import position
from abpress_frontend.lower.scope import ConstantSymbol, Scope, TypedefSymbol
from abpress_frontend.lower.syntax import has_effect
from abpress_frontend.lower.tags import TagReader, declarator_attributes, only
from abpress_frontend.lower.unions import MembersInUse
from abpress_frontend.parser import LayoutAttribute
from abpress_frontend.tree import subtrees


class TypeReader:
    """Reads types in a scope. `evaluate` gives an array length or other constant as an expression
    (a `Const` unless variable); `typeof` the type of an expression that is not evaluated;
    `within` makes names in them mean what they mean in a scope; `check` refuses static assertions
    that fail; `used` and `every_byte` are of `TagReader`."""

    def __init__(
        self,
        model: DataModel,
        evaluate: Callable[[c_ast.Node], Expr],
        typeof: Callable[[c_ast.Node], CType],
        within: Callable[[Scope], AbstractContextManager[None]],
        check: Callable[[c_ast.StaticAssert], None],
        used: MembersInUse,
        every_byte: bool = False,
    ) -> None:
        self.model = model
        self.evaluate = evaluate
        self.typeof = typeof
        self.within = within
        self.check = check
        self.opaque: dict[str, CType] = {}
        self.is_constant_required = False
        self.tags = TagReader(self, every_byte, used)

    def is_foreign(self, type: CType) -> bool:
        """Whether the struct is ours in place of the definition of another header."""
        return isinstance(type, CRecord) and any(type == own for own in self.opaque.values())

    def constant(self, node: c_ast.Node) -> int:
        """The value of a constant expression; `is_constant_required` holds while it is read."""
        before, self.is_constant_required = self.is_constant_required, True
        try:
            value = self.evaluate(node)
        finally:
            self.is_constant_required = before
        if not isinstance(value, Const):
            raise InputError("a constant expression is expected here", position(node))
        return value.value

    def declared(self, node: c_ast.Node, scope: Scope) -> CType:
        """The type that a declarator node (TypeDecl, PtrDecl, Typename, Decl, …) declares."""
        match node:
            case c_ast.Decl():
                return self.declared(node.type, scope)
            case c_ast.Typename() | c_ast.Typedef():
                type = self.declared(node.type, scope)
                align = self.aligned(node, type, scope)
                return type if align is None else self._realigned(type, align, node)
            case c_ast.TypeDecl():
                return self._qualified(self.specified(node.type, scope), node.quals)
            case c_ast.AttributedType():
                return self.declared(node.type, scope)
            case c_ast.PtrDecl():
                pointer = self.model.pointer_to(self.declared(node.type, scope))
                return self._qualified(pointer, node.quals)
            case c_ast.ArrayDecl():
                return self._array(node, scope)
            case c_ast.FuncDecl():
                return self.function(node, scope, Scope(scope))
            case c_ast.IdentifierType() | c_ast.Struct() | c_ast.Union() | c_ast.Enum():
                return self.specified(node, scope)
            case _:
                return self.specified(node, scope)

    def aligned(self, node: c_ast.Node, type: CType, scope: Scope) -> int | None:
        """The alignment that `_Alignas` or `aligned` asks for, of what a declaration or a typedef
        declares to be of that type. Raises InputError for one that C forbids."""
        given = node.align if isinstance(node, c_ast.Decl | c_ast.Typename) else node.attributes
        found: set[int] = set()
        for part in (*(given or ()), *declarator_attributes(node)):
            is_attribute = isinstance(part, LayoutAttribute)
            if is_attribute and part.word != ALIGNED:
                continue
            wanted = self.alignment(part, scope)
            if not is_attribute and isinstance(node, c_ast.Typedef | c_ast.Typename):
                raise InputError("_Alignas in a type", position(part))
            if not is_attribute and 0 < wanted < alignof(type):
                raise InputError(f"_Alignas({wanted}) reduces the alignment", position(part))
            if wanted:
                found.add(wanted)
        return only(found, position(node)) if found else None

    def alignment(self, part: c_ast.Alignas, scope: Scope) -> int:
        """The number of bytes that `_Alignas` or `aligned` names; 0 for `_Alignas(0)`."""
        if isinstance(part.alignment, c_ast.Typename):
            return alignof(self.declared(part.alignment, scope))
        wanted = self.constant(part.alignment)
        is_attribute = isinstance(part, LayoutAttribute)
        if wanted < 0 or wanted & (wanted - 1) or wanted > 1 << 28 or (is_attribute and not wanted):
            raise InputError(f"alignment {wanted} is no power of two", position(part))
        return wanted

    def _realigned(self, type: CType, align: int, node: c_ast.Node) -> CType:
        """The type of a typedef with `aligned`."""
        if isinstance(type, CVoid | CFunction):
            raise UnsupportedError(f"alignment of {type}", position(node))
        return dataclasses.replace(type, align=align)

    def _array(self, node: c_ast.ArrayDecl, scope: Scope) -> CType:
        element = self.declared(node.type, scope)
        self._check_element(element, node)
        if node.dim is None:
            return CArray(element, None)
        length = self.evaluate(node.dim)
        if isinstance(length, Const):
            if isinstance(element, CArray) and element.length is not None:
                return CArray(element, None, length)  # variable, too (C11 6.7.6.2p4)
            if length.value >= 0:
                return CArray(element, length.value)
            if all(isinstance(scope.lookup(n), ConstantSymbol) for n in _names(node.dim)):
                raise InputError("array of negative size", position(node))
        return CArray(element, None, length)

    def _check_element(self, element: CType, node: c_ast.ArrayDecl) -> None:
        """Raises InputError for an array whose elements would not be aligned."""
        known = isinstance(element, CInt | CPtr | CFloat) or (
            isinstance(element, CRecord) and element.fields is not None
        )
        if known and sizeof(element) % alignof(element):
            raise InputError(f"array of {element}, which is aligned to more", position(node))

    def function(self, node: c_ast.FuncDecl, scope: Scope, inner: Scope) -> CFunction:
        """The type of a function; what its parameters declare is declared in `inner`."""
        with self.within(inner):
            parameters, variadic = self._parameters(node, inner)
        return CFunction(self.declared(node.type, scope), parameters, variadic)

    def _parameters(self, node: c_ast.FuncDecl, scope: Scope) -> tuple[tuple[CType, ...], bool]:
        """The types of the parameters, and whether any others may follow."""
        parameters: list[CType] = []
        given = node.args.params if node.args else ()
        names = {p.name for p in given if isinstance(p, c_ast.Decl)}
        for p in given:
            if isinstance(p, c_ast.ID):
                parameters.append(self.model.int)  # K&R; the definition's declarations correct it
            elif not isinstance(p, c_ast.EllipsisParam):
                parameters.append(self._parameter(p, names, scope))
        variadic = not given or isinstance(given[-1], c_ast.EllipsisParam)
        return () if parameters == [VOID] else tuple(parameters), variadic

    def _parameter(self, node: c_ast.Node, names: set[str], scope: Scope) -> CType:
        """The type of a parameter beside others of these names; the length of an array does not
        matter (C11 6.7.6.3)."""
        inner, is_array = _inner(node)
        if is_array and node.type.dim is not None and has_effect(node.type.dim):
            raise UnsupportedError("side effects in the length of a parameter", position(node))
        variable = any(name in names for name in _names_in_lengths(inner))
        type = None if variable else self.declared(inner if is_array else node, scope)
        if type is None or _has_length(type):
            type = self._without_lengths(inner, names, scope)
        return self.model.pointer_to(type) if is_array else self.decayed(type)

    def _without_lengths(self, node: c_ast.Node, names: set[str], scope: Scope) -> CType:
        """The type of a declarator, of which variable lengths are left out, as they are known in
        calls only (`abpress_frontend.lower.lengths`)."""
        match node:
            case c_ast.PtrDecl():
                return self.model.pointer_to(self._without_lengths(node.type, names, scope))
            case c_ast.ArrayDecl():
                if node.dim is not None and has_effect(node.dim):
                    raise UnsupportedError("side effects in the length of a parameter")
                element = self._without_lengths(node.type, names, scope)
                if node.dim is None or not names.isdisjoint(_names(node.dim)):
                    return CArray(element, None)
                length = self.evaluate(node.dim)
                return CArray(element, length.value if isinstance(length, Const) else None)
            case _:
                type = self.declared(node, scope)
                if _has_length(type):
                    raise UnsupportedError("parameter of a variable type", position(node))
                return type

    def parameter(self, node: c_ast.Node, scope: Scope) -> CType | None:
        """The type of a parameter that may point to arrays of variable length, in a call, where all
        parameters are in scope; None for other parameters."""
        inner, is_array = _inner(node)
        if next(_names_in_lengths(inner), None) is None:
            return None
        type = self.declared(inner, scope)
        return self.model.pointer_to(type) if is_array else self.decayed(type)

    def decayed(self, t: CType) -> CType:
        """The type of a parameter or value of type `t`: arrays and functions become pointers."""
        if isinstance(t, CArray):
            return self.model.pointer_to(t.element)
        if isinstance(t, CFunction):
            return self.model.pointer_to(t)
        return t

    def _qualified(self, t: CType, quals: list[str] | None) -> CType:
        if not quals or "_Atomic" not in quals:
            return t
        if isinstance(t, CInt | CPtr | CFloat):
            return dataclasses.replace(t, atomic=True)
        if isinstance(t, CRecord) and t.fields is not None:
            size = sizeof(t)
            if size not in (1, 2, 4, 8) and size < 16:
                raise UnsupportedError(f"_Atomic object of {size} bytes: GCC and Clang differ")
            align = max(size, alignof(t)) if size <= 16 else t.align
            return dataclasses.replace(t, atomic=True, align=align)
        raise UnsupportedError(f"_Atomic object of type {t}")

    def specified(self, node: c_ast.Node, scope: Scope) -> CType:
        """The type that a specifier node names."""
        match node:
            case c_ast.IdentifierType(names=names):
                return self._named(list(names), node, scope)
            case c_ast.Struct() | c_ast.Union() | c_ast.Enum():
                return self.tags.read(node, scope)
            case c_ast.TypeOf():
                if isinstance(node.expr, c_ast.Typename):
                    return self.declared(node.expr, scope)
                t = self.typeof(node.expr)
                return unatomic(t)
            case c_ast.Typename() | c_ast.TypeDecl() | c_ast.PtrDecl() | c_ast.ArrayDecl():
                return self.declared(node, scope)
            case _:
                raise UnsupportedError(f"type specifier {type(node).__name__}", position(node))

    def _named(self, names: list[str], node: c_ast.Node, scope: Scope) -> CType:
        m = self.model
        if len(names) == 1:
            name = names[0]
            if name in self.opaque:
                return self.opaque[name]
            if name in m.users:
                return m.users[name]
            symbol = scope.lookup(name)
            if isinstance(symbol, TypedefSymbol):
                return symbol.type
        words = [
            n.strip("_") if n not in ("__int128", "__abp_set_t", "_Bool") else n for n in names
        ]
        count = {w: words.count(w) for w in words}
        signed = "unsigned" not in count
        base = [w for w in words if w not in ("signed", "unsigned", "const", "volatile", "int")]
        match sorted(base):
            case []:
                return m.int if signed else m.uint
            case ["void"]:
                return VOID
            case ["_Bool"] | ["bool"]:
                return m.bool
            case ["char"]:
                return (m.schar if "signed" in count else m.char) if signed else m.uchar
            case ["short"]:
                return m.short if signed else m.ushort
            case ["long"]:
                return m.long if signed else m.ulong
            case ["long", "long"]:
                return m.llong if signed else m.ullong
            case ["__int128"] | ["int128_t"]:
                return m.int128 if signed else m.uint128
            case ["uint128_t"]:
                return m.uint128
            case ["__abp_set_t"]:
                return m.set
            case ["float"] | ["Float32"]:
                return m.float
            case ["double"] | ["Float64"] | ["Float32x"]:
                return m.double
            case ["double", "long"] | ["Float64x"] | ["float80"]:
                return m.long_double
            case ["Float128"] | ["float128"]:
                return CFloat("_Float128", 16)
            case ["builtin_va_list"]:
                return m.pointer_to(VOID)
            case _:
                if "Complex" in base:
                    return CFloat("_Complex", 16)
                raise InputError(f"unknown type name '{' '.join(names)}'", position(node))


def unatomic(t: CType) -> CType:
    if isinstance(t, CInt | CPtr | CFloat) and t.atomic:
        return dataclasses.replace(t, atomic=False)
    if isinstance(t, CRecord) and t.atomic:
        return dataclasses.replace(t, atomic=False, align=None)
    return t


def _has_length(type: CType) -> bool:
    """Whether the length of an array in the type is no constant."""
    while isinstance(type, CPtr | CArray):
        if isinstance(type, CArray) and type.length is not None:
            return True
        type = type.target if isinstance(type, CPtr) else type.element
    return False


def _inner(parameter: c_ast.Node) -> tuple[c_ast.Node, bool]:
    """The declarator of a parameter, or that of its elements if it is an array; and whether it
    is."""
    declarator = getattr(parameter, "type", None)
    if isinstance(declarator, c_ast.ArrayDecl):
        return declarator.type, True
    return declarator, False


def _names_in_lengths(node: c_ast.Node) -> Iterator[str]:
    """The names that array lengths of a declarator mention."""
    while isinstance(node, c_ast.ArrayDecl | c_ast.PtrDecl):
        if isinstance(node, c_ast.ArrayDecl) and node.dim is not None:
            yield from _names(node.dim)
        node = node.type


def _names(node: c_ast.Node) -> Iterator[str]:
    """The names that an expression mentions."""
    return (part.name for part in subtrees(node) if isinstance(part, c_ast.ID))
