"""The type of an expression without evaluating it: for sizeof, typeof, `?:` and _Generic."""

from __future__ import annotations

from pycparser import c_ast

from abpress.errors import InputError, UnsupportedError
from abpress_frontend.lower import floating, thread_ids
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.ctypes import (
    VOID,
    CArray,
    CField,
    CFloat,
    CFunction,
    CInt,
    CPtr,
    CRecord,
    CType,
    CVoid,
    DataModel,
    find_field,
)
from abpress_frontend.lower.layout import alignof, preferred_alignof
from abpress_frontend.lower.literals import character, integer, string
from abpress_frontend.lower.scope import TypedefSymbol
from abpress_frontend.lower.syntax import innermost, is_expression
from abpress_frontend.lower.types import unatomic


class StaticTypes:
    """Types of expressions in the current scope of a body."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.unit = body.unit
        self.model = body.unit.model

    def of(self, node: c_ast.Node) -> CType:
        """The type of `node`; arrays and functions do not decay."""
        at = self.body.position(node)
        match node:
            case c_ast.Typename():
                return self.unit.types.declared(node, self.body.scope)
            case c_ast.Constant():
                return self._constant(node)
            case c_ast.ID(name=name):
                return self._name(node, name)
            case c_ast.Cast(to_type=t, expr=of):
                return thread_ids.kept(self.unit.types.declared(t, self.body.scope), of, self.of)
            case c_ast.CompoundLiteral(type=t, init=init):
                declared = self.unit.types.declared(t, self.body.scope)
                return self.unit.initialisers.completed(declared, init)
            case c_ast.UnaryOp():
                return self._unary(node)
            case c_ast.BinaryOp(op=op, left=left, right=right):
                return self._binary(op, left, right)
            case c_ast.Assignment(lvalue=left):
                return unatomic(self.of(left))
            case c_ast.TernaryOp(iftrue=a, iffalse=b):
                return composite(self.model, self.of(a), self.of(b))
            case c_ast.ExprList(exprs=[*_, last]):
                return self.decayed(last)
            case c_ast.ArrayRef(name=base, subscript=index):
                t = self.decayed(base)
                if isinstance(t, CInt):
                    t = self.decayed(index)
                return self._target(t, node)
            case c_ast.StructRef():
                return self._member(node)
            case c_ast.FuncCall():
                return self.body.calls.result_type(node)
            case c_ast.GenericSelection():
                return self.of(self.selected(node))
            case c_ast.Compound():
                return self._statement_expression(node)
            case _:
                raise UnsupportedError(f"type of a {type(node).__name__}", at)

    def alignment(self, node: c_ast.UnaryOp) -> int:
        """The value of `_Alignof` or `__alignof__`; both take expressions in GNU C."""
        operand = node.expr
        if isinstance(operand, c_ast.Typename):
            type = self.unit.types.declared(operand, self.body.scope)
            return alignof(type) if node.op == "_Alignof" else preferred_alignof(type)
        type = self.of(operand)
        if isinstance(type, CFunction):
            raise UnsupportedError("alignment of a function", self.body.position(node))
        if isinstance(operand, c_ast.ID):
            declared = self.body.scope.alignment(operand.name)
            if declared is not None:
                return max(declared, preferred_alignof(type))
        if isinstance(operand, c_ast.StructRef):
            field = self._field(operand)
            if field.bits is not None:
                raise InputError("alignment of a bit-field", self.body.position(node))
            if field.alignment is None:
                what = f"{node.op} of this member: compilers differ"
                raise UnsupportedError(what, self.body.position(node))
            return field.alignment
        return preferred_alignof(type)

    def decayed(self, node: c_ast.Node) -> CType:
        """The type of the value of `node`."""
        return unatomic(self.unit.types.decayed(self.of(node)))

    def selected(self, node: c_ast.GenericSelection) -> c_ast.Node:
        """The expression that a _Generic selects.

        Types here have no qualifiers, which tell pointers apart: a choice for a pointer must be
        the only possible one.
        """
        control = self.decayed(node.expr)
        default: c_ast.Node | None = None
        fitting: list[c_ast.Node] = []
        for association in node.associations:
            if association.type is None:
                default = association.expr
            elif self.unit.types.declared(association.type, self.body.scope) == control:
                fitting.append(association.expr)
        at = self.body.position(node)
        if isinstance(control, CInt) and control.field_width is not None:
            raise UnsupportedError("_Generic on a bit-field wider than int: compilers differ", at)
        if fitting:
            if isinstance(control, CPtr) and (len(fitting) > 1 or default is not None):
                raise UnsupportedError("_Generic that chooses between pointer types", at)
            return fitting[0]
        if default is None:
            raise InputError(f"_Generic has no choice for {control}", at)
        return default

    def _constant(self, node: c_ast.Constant) -> CType:
        at = self.body.position(node)
        if node.type == "string":
            return CArray(self.model.char, len(string(node.value, at)))
        if "char" in node.type:
            return character(node.value, self.model, at)[1]
        if "float" in node.type or "double" in node.type:
            return floating.constant(node.value, self.model, at)[1]
        return integer(node.value, self.model, at)[1]

    def _name(self, node: c_ast.ID, name: str) -> CType:
        symbol = self.body.scope.lookup(name)
        if symbol is not None and not isinstance(symbol, TypedefSymbol):
            return symbol.type
        if name in ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"):
            return CArray(self.model.char, len(self.body.frame.name) + 1)
        if name.startswith("__abp_"):
            return self.model.int
        if name in self.unit.functions:
            return self.unit.functions[name].type
        raise InputError(f"'{name}' is not declared", self.body.position(node))

    def _target(self, t: CType, node: c_ast.Node) -> CType:
        if isinstance(t, CPtr):
            return t.target
        raise InputError(f"a pointer is expected here, not {t}", self.body.position(node))

    def _unary(self, node: c_ast.UnaryOp) -> CType:
        match node.op:
            case "sizeof" | "_Alignof" | "__alignof__" | "__alignof":
                return self.model.size_t
            case "!":
                return self.model.int
            case "&":
                return self.model.pointer_to(self.of(node.expr))
            case "*":
                return self._target(self.decayed(node.expr), node)
            case "++" | "--" | "p++" | "p--":
                return unatomic(self.of(node.expr))
            case _:
                t = self.decayed(node.expr)
                return self.model.promote(t) if isinstance(t, CInt) else t

    def _binary(self, op: str, left: c_ast.Node, right: c_ast.Node) -> CType:
        if op in ("&&", "||", "==", "!=", "<", "<=", ">", ">="):
            return self.model.int
        a, b = self.decayed(left), self.decayed(right)
        if isinstance(a, CPtr):
            return self.model.ptrdiff_t if isinstance(b, CPtr) else a
        if isinstance(b, CPtr):
            return b
        if isinstance(a, CFloat) or isinstance(b, CFloat):
            return self.model.usual_real(a, b)
        if not (isinstance(a, CInt) and isinstance(b, CInt)):
            raise InputError(f"operator {op} on {a} and {b}", self.body.position(left))
        return self.model.promote(a) if op in ("<<", ">>") else self.model.usual(a, b)

    def _member(self, node: c_ast.StructRef) -> CType:
        field = self._field(node)
        if field.bits is not None and isinstance(field.type, CInt):
            return self.model.promote_bits(field.type, field.bits.width)
        return field.type

    def _field(self, node: c_ast.StructRef) -> CField:
        """The member that is named."""
        t = self.decayed(node.name) if node.type == "->" else self.of(node.name)
        record = self._target(t, node) if node.type == "->" else t
        field = find_field(record, node.field.name) if isinstance(record, CRecord) else None
        if field is None:
            raise InputError(
                f"{record} has no member '{node.field.name}'", self.body.position(node)
            )
        return field

    def _statement_expression(self, node: c_ast.Compound) -> CType:
        """The type of the last expression, with the declarations of the block in scope."""
        frame = self.body.frame
        outer = frame.scope
        frame.scope = type(outer)(outer)
        try:
            items = node.block_items or []
            for item in items:
                if isinstance(item, c_ast.Decl) and item.name:
                    t = (
                        self.decayed(item.init)
                        if isinstance(innermost(item.type), c_ast.InferredType)
                        else self.unit.types.declared(item, frame.scope)
                    )
                    frame.scope.names[item.name] = _Typed(t)  # type: ignore[assignment]
            last = items[-1] if items else None
            while isinstance(last, c_ast.Label):
                last = last.stmt
            if last is None or not is_expression(last):
                return VOID
            return self.decayed(last)
        finally:
            frame.scope = outer


class _Typed:
    """A symbol of which only the type is asked."""

    def __init__(self, type: CType) -> None:
        self.type = type


def composite(model: DataModel, a: CType, b: CType) -> CType:
    """The type of `c ? a : b`."""
    a, b = _value_type(model, a), _value_type(model, b)
    match a, b:
        case CInt(), CInt():
            return next((t for t in (a, b) if t.is_thread), None) or model.usual(a, b)
        case CPtr(), CPtr():
            return b if isinstance(a.target, CVoid) else a
        case CPtr(), _:
            return a
        case _, CPtr():
            return b
        case CVoid(), _:
            return VOID
        case _, CVoid():
            return VOID
        case CFloat(), CInt():
            return a
        case CInt(), CFloat():
            return b
        case CFloat(), CFloat():
            return a if a.size >= b.size else b
        case _:
            return a


def _value_type(model: DataModel, t: CType) -> CType:
    if isinstance(t, CArray):
        return model.pointer_to(t.element)
    if isinstance(t, CFunction):
        return model.pointer_to(t)
    return unatomic(t)
