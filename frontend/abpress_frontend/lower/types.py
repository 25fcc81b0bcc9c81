"""Reads declarations of the syntax tree as C types."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

from pycparser import c_ast

from abpress.errors import InputError, UnsupportedError
from abpress.ir.expr import Const, Expr
from abpress_frontend.lower.ctypes import (
    VOID,
    CArray,
    CFloat,
    CFunction,
    CInt,
    CPtr,
    CRecord,
    CType,
    DataModel,
    complete,
)
from abpress_frontend.lower.positions import position
from abpress_frontend.lower.scope import ConstantSymbol, Scope, TypedefSymbol


class TypeReader:
    """Reads types in a scope. `evaluate` gives an array length or other constant as an expression
    (a `Const` unless variable); `typeof` the type of an expression that is not evaluated."""

    def __init__(
        self,
        model: DataModel,
        evaluate: Callable[[c_ast.Node], Expr],
        typeof: Callable[[c_ast.Node], CType],
    ) -> None:
        self.model = model
        self.evaluate = evaluate
        self.typeof = typeof
        self.opaque: dict[str, CType] = {}
        self.packed: frozenset[tuple[str, int, int]] = frozenset()
        self._anonymous = 0
        self._records: dict[c_ast.Node, CRecord] = {}

    def is_foreign(self, type: CType) -> bool:
        """Whether the struct is ours in place of the definition of another header."""
        return isinstance(type, CRecord) and any(type is own for own in self.opaque.values())

    def constant(self, node: c_ast.Node) -> int:
        value = self.evaluate(node)
        if not isinstance(value, Const):
            raise InputError("a constant expression is expected here", position(node))
        return value.value

    def declared(self, node: c_ast.Node, scope: Scope) -> CType:
        """The type that a declarator node (TypeDecl, PtrDecl, Typename, Decl, …) declares."""
        match node:
            case c_ast.Decl() | c_ast.Typename() | c_ast.Typedef():
                return self.declared(node.type, scope)
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
                return self._function(node, scope)
            case c_ast.IdentifierType() | c_ast.Struct() | c_ast.Union() | c_ast.Enum():
                return self.specified(node, scope)
            case _:
                return self.specified(node, scope)

    def _array(self, node: c_ast.ArrayDecl, scope: Scope) -> CType:
        element = self.declared(node.type, scope)
        if node.dim is None:
            return CArray(element, None)
        length = self.evaluate(node.dim)
        if isinstance(length, Const):
            if length.value < 0:
                raise InputError("array of negative size", position(node))
            return CArray(element, length.value)
        return CArray(element, None, length)

    def _function(self, node: c_ast.FuncDecl, scope: Scope) -> CType:
        parameters: list[CType] = []
        variadic = False
        given = node.args.params if node.args else ()
        names = {p.name for p in given if isinstance(p, c_ast.Decl)}
        for p in given:
            if isinstance(p, c_ast.EllipsisParam):
                variadic = True
            elif isinstance(p, c_ast.ID):
                parameters.append(self.model.int)  # K&R; the definition's declarations correct it
            else:
                parameters.append(self._parameter(p, names, scope))
        if parameters == [VOID]:
            parameters = []
        if node.args is None:
            variadic = True
        return CFunction(self.declared(node.type, scope), tuple(parameters), variadic)

    def _parameter(self, node: c_ast.Node, names: set[str], scope: Scope) -> CType:
        """The type of a parameter beside others of these names; the length of an array does not
        matter (C11 6.7.6.3)."""
        is_array = isinstance(node.type, c_ast.ArrayDecl)
        inner = node.type.type if is_array else node.type
        if any(name in names for name in _names_in_lengths(inner)):
            raise UnsupportedError("parameter that points to variable arrays", position(node))
        if is_array:
            return self.model.pointer_to(self.declared(inner, scope))
        return self.decayed(self.declared(node, scope))

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
        raise UnsupportedError(f"_Atomic object of type {t}")

    def specified(self, node: c_ast.Node, scope: Scope) -> CType:
        """The type that a specifier node names."""
        match node:
            case c_ast.IdentifierType(names=names):
                return self._named(list(names), node, scope)
            case c_ast.Struct() | c_ast.Union():
                return self._record(node, scope)
            case c_ast.Enum():
                return self._enum(node, scope)
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
                return CFloat("float", 4)
            case ["double"] | ["Float64"] | ["Float32x"]:
                return CFloat("double", 8)
            case ["double", "long"] | ["Float128"] | ["float128"] | ["Float64x"] | ["float80"]:
                return CFloat("long double", 16 if m.name == "LP64" else 12)
            case ["builtin_va_list"]:
                return m.pointer_to(VOID)
            case _:
                if "Complex" in base:
                    return CFloat("_Complex", 16)
                raise InputError(f"unknown type name '{' '.join(names)}'", position(node))

    def _record(self, node: c_ast.Struct | c_ast.Union, scope: Scope) -> CType:
        is_union = isinstance(node, c_ast.Union)
        if node in self._records:  # one node serves all declarators, and all inlined copies
            if node.name is not None:
                scope.tags[node.name] = self._records[node]
            return self._records[node]
        if node.name is None:
            self._anonymous += 1
            record = CRecord(f"<anonymous {self._anonymous}>", is_union)
        else:
            known = scope.tags.get(node.name)
            if known is None and node.decls is None:
                known = scope.lookup_tag(node.name)
            if isinstance(known, CRecord) and known.is_union == is_union:
                record = known
            else:
                record = CRecord(node.name, is_union)
                scope.tags[node.name] = record
        if node.decls is not None:
            self._records[node] = record
        if node.decls is not None and record.fields is None:
            at = position(node)
            packed = (at.file, at.line, at.column) in self.packed
            complete(record, self._members(node, scope), packed)
        return record

    def _members(
        self, node: c_ast.Struct | c_ast.Union, scope: Scope
    ) -> list[tuple[str | None, CType, int | None, int]]:
        members: list[tuple[str | None, CType, int | None, int]] = []
        for decl in node.decls:
            if not isinstance(decl, c_ast.Decl):
                continue  # _Static_assert, #pragma, a stray semicolon
            t = self.declared(decl, scope)
            width = None if decl.bitsize is None else self._width(decl, t)
            extra = 1
            for a in decl.align or ():
                if isinstance(a, c_ast.Alignas) and not isinstance(a.alignment, c_ast.Typename):
                    extra = max(extra, self.constant(a.alignment))
            if decl.name is None and not isinstance(t, CRecord) and width is None:
                continue
            members.append((decl.name, t, width, extra))
        return members

    def _width(self, decl: c_ast.Decl, t: CType) -> int:
        """The width of a bit-field."""
        width = self.constant(decl.bitsize)
        most = (1 if t.is_bool else t.ir.bits) if isinstance(t, CInt) else -1
        if not (0 if decl.name is None else 1) <= width <= most:
            raise InputError(f"bit-field of {width} bits of type {t}", position(decl))
        return width

    def _enum(self, node: c_ast.Enum, scope: Scope) -> CType:
        if node.values is None:
            known = scope.lookup_tag(node.name) if node.name else None
            return known if isinstance(known, CInt) else self.model.uint
        value, lowest, highest = 0, 0, 0
        for e in node.values.enumerators:
            if e.value is not None:
                value = self.constant(e.value)
            t = self.model.int if self.model.int.ir.contains(value) else self.model.llong
            scope.names[e.name] = ConstantSymbol(value, t)
            lowest, highest = min(lowest, value), max(highest, value)
            value += 1
        m = self.model  # the first type that holds all values, as in gcc
        types = (m.int, m.long, m.llong) if lowest < 0 else (m.uint, m.ulong, m.ullong)
        fitting = (t for t in types if t.ir.contains(lowest) and t.ir.contains(highest))
        result = next(fitting, types[-1])
        if node.name:
            scope.tags[node.name] = result
        return result


def unatomic(t: CType) -> CType:
    if isinstance(t, CInt | CPtr | CFloat) and t.atomic:
        return dataclasses.replace(t, atomic=False)
    return t


def _names_in_lengths(node: c_ast.Node) -> Iterator[str]:
    """The names that array lengths of a declarator mention."""
    while isinstance(node, c_ast.ArrayDecl | c_ast.PtrDecl):
        if isinstance(node, c_ast.ArrayDecl) and node.dim is not None:
            todo = [node.dim]
            while todo:
                part = todo.pop()
                if isinstance(part, c_ast.ID):
                    yield part.name
                todo.extend(child for _, child in part.children())
        node = node.type
