"""Reads the textual form of an expression back (`abpress.ir.text` describes and writes it)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from lark import Token

from abpress.ir.expr import (
    ARITHMETIC,
    Addr,
    Array,
    ArrayReg,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Filled,
    Float,
    FuncAddr,
    PtrAdd,
    PtrDiff,
    Reg,
    SameArray,
    Select,
    Unary,
    Update,
)
from abpress.ir.floats import fits
from abpress.ir.grammar import Node, misplaced, name_of, parse_tree, unquoted
from abpress.ir.types import INT, IntType, PtrType, Scalar


def parse_expr(text: str, pointer_size: int = 4) -> Expr:
    """The expression that `text` describes; each register is written with its type.

    Raises InputError where the text is not of that form.
    """
    file = "<expression>"
    return ExprReader(file, PtrType(pointer_size)).expr(parse_tree(text, "expr", file))


@dataclass(frozen=True, slots=True)
class ExprReader:
    """Builds expressions, types and numbers from their trees.

    `file` is the name in errors, `registers` are those that may be written without their type.
    """

    file: str
    pointer: PtrType
    registers: Mapping[str, Scalar] = field(default_factory=dict)

    def expr(self, tree: Node) -> Expr:
        """Returns the expression; raises InputError for a register or number that cannot be."""
        c = tree.children
        match tree.data:
            case "number":
                return self._number(c[0])
            case "reg":
                return self.reg(tree)
            case "address":
                name, _, offset = str(c[0])[1:].partition("+")
                if name.startswith("`"):
                    name, _, offset = str(c[0])[1:].rpartition("`")
                    name, offset = name + "`", offset[1:]
                return Addr(unquoted(name), int(offset or 0), self.pointer)
            case "function_address":
                return FuncAddr(unquoted(str(c[0])[1:-2]), self.pointer)
            case "unary":
                return Unary(str(c[0]), self.expr(c[1]))
            case "convert":
                return Convert(self.expr(c[1]), self.type(c[0]))
            case "difference":
                type_ = self.type(c[1][1:])
                assert isinstance(type_, IntType)
                return PtrDiff(self.expr(c[0]), self.expr(c[2]), type_)
            case "times":
                return Binary("*", self.expr(c[0]), self.expr(c[1]))
            case "float":
                _, op, name = str(c[0][:-1]).split(".")
                result = self.type(name)
                assert isinstance(result, IntType)
                args = tuple(map(self.expr, c[1:]))
                if not fits(op, [a.type for a in args], result):
                    raise misplaced(self.file, c[0], f"{op} of these operands is no {name}")
                return Float(op, args, result)
            case "select":
                return Select(self._array(c[1]), self.expr(c[2]))
            case "same":
                return SameArray(self._array(c[1]), self._array(c[2]))
            case _:
                return self._binary(self.expr(c[0]), str(c[1]), self.expr(c[2]))

    def _array(self, tree: Node) -> Array:
        c = tree.children
        match tree.data:
            case "array_variable":
                return ArrayReg(name_of(c[0]), _element(c[1]))
            case "filled":
                numbers = [self.integer(token) for token in c[1:]]
                others = tuple(zip(numbers[1::2], numbers[2::2], strict=True))
                return Filled(numbers[0], others, _element(c[0]))
            case _:
                return Update(self._array(c[1]), self.expr(c[2]), self.expr(c[3]))

    def _binary(self, left: Expr, op: str, right: Expr) -> Expr:
        if op not in ARITHMETIC:
            return Compare(op, left, right)
        if op == "+" and isinstance(left.type, PtrType):
            return PtrAdd(left, right)
        return Binary(op, left, right)

    def reg(self, tree: Node) -> Reg:
        """Returns the register; raises InputError if nothing says its type."""
        name, type_ = tree.children
        text = name_of(name)
        if type_ is not None:
            return Reg(text, self.type(type_))
        if text not in self.registers:
            raise misplaced(self.file, name, f"register '{text}' is not declared")
        return Reg(text, self.registers[text])

    def _number(self, token: Token) -> Const:
        digits = re.match(r"-?\d+", token)
        assert digits
        suffix = token[digits.end() :]
        return Const(int(digits[0]), self.type(suffix) if suffix else INT)

    def integer(self, token: Token) -> int:
        """Returns a number without a type; raises InputError for any other."""
        number = self._number(token)
        if number.type != INT or not token[-1].isdigit():
            raise misplaced(self.file, token, f"a plain number is expected, not '{token}'")
        return number.value

    def type(self, token: str) -> Scalar:
        """Returns the type; `ptr` without a size is the pointer of the program."""
        if token.startswith("ptr"):
            return PtrType(int(token[3:])) if token[3:] else self.pointer
        return IntType(int(token[1:]), token[0] == "i")


def _element(token: Token) -> IntType:
    return IntType(int(token[1:-2]), token[0] == "i")
