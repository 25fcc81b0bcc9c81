"""The C parser with the extensions of GNU C that the layout of types depends on.

The cleaning pass leaves the attributes `aligned` and `packed`, and what `#pragma pack` says of an
aggregate, in the tokens (`LAYOUT_WORDS`). They become `LayoutAttribute` nodes where GNU C has them
(GCC manual, "Attribute Syntax"): in `align` of declarations and type names for those among the
specifiers, in `attributes` of the declarator for those around it, and in `attributes` of a struct,
union or enum for those of its definition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pycparser import c_ast
from pycparser.c_lexer import Token as ParserToken
from pycparser.c_parser import Coord, ParseError

from abpress_frontend.gnu import ALIGNED, LAYOUT_WORDS, TYPES_COMPATIBLE
from abpress_frontend.lexer import SPELLINGS
from abpress_frontend.scopes import ScopedParser

_ALIGNMENT = "_ALIGNAS"  # the kind of token of `_Alignas` and of LAYOUT_WORDS


@dataclass
class BranchingCoord(Coord):  # type: ignore[misc]
    """The place of a `?:` or a `do` loop, which is that of its first character; `word` is that of
    the `?`, or of the `while` behind the body."""

    word: Coord | None = None


class LayoutAttribute(c_ast.Alignas):  # type: ignore[misc]
    """`aligned(alignment)`, `packed` (no alignment) or the packing of a definition.

    `word` is one of LAYOUT_WORDS.
    """

    __slots__ = ("word",)

    def __init__(self, word: str, alignment: c_ast.Node | None, coord: object) -> None:
        super().__init__(alignment, coord)
        self.word = word


class GnuParser(ScopedParser):
    """The parser with layout attributes and GNU operators on types, saying what it expected."""

    def _expect(self, token_type: str) -> ParserToken:
        try:
            return super()._expect(token_type)
        except ParseError as error:
            spelling = SPELLINGS.get(token_type)
            expected = "a name" if token_type == "ID" else f"'{spelling}'" if spelling else None
            raise ParseError(f"{error}; expected {expected}" if expected else str(error)) from None

    # Attributes

    def _parse_alignment_specifier(self) -> c_ast.Alignas:
        token = self._peek()
        if token.value not in LAYOUT_WORDS:
            return super()._parse_alignment_specifier()
        self._advance()
        operand = None
        if self._accept("LPAREN"):
            operand = self._parse_constant_expression()
            self._expect("RPAREN")
        elif token.value == ALIGNED:
            operand = c_ast.Constant("int", "16", self._tok_coord(token))
        return LayoutAttribute(token.value, operand, self._tok_coord(token))

    def _attributes(self) -> list[LayoutAttribute]:
        """The layout attributes that begin here."""
        found = []
        while (token := self._peek()) is not None and token.value in LAYOUT_WORDS:
            found.append(self._parse_alignment_specifier())
        return found

    def _parse_id_declarator(self) -> c_ast.Node:
        return self._attributed(super()._parse_id_declarator())

    def _parse_typeid_declarator(self) -> c_ast.Node:
        return self._attributed(super()._parse_typeid_declarator())

    def _parse_typeid_noparen_declarator(self) -> c_ast.Node:
        return self._attributed(super()._parse_typeid_noparen_declarator())

    def _attributed(self, declarator: c_ast.Node) -> c_ast.Node:
        declarator.attributes += self._attributes()
        return declarator

    def _parse_init_declarator(self, id_only: bool = False) -> dict[str, Any]:
        before = self._attributes()  # of another declarator than the first
        info: dict[str, Any] = super()._parse_init_declarator(id_only=id_only)
        info["decl"].attributes += before
        return info

    def _parse_struct_declarator(self) -> dict[str, Any]:
        before = self._attributes()
        info: dict[str, Any] = super()._parse_struct_declarator()
        info["decl"].attributes += before + self._attributes()
        return info

    def _build_declarations(
        self, spec: dict[str, Any], decls: list[Any], typedef_namespace: bool = False
    ) -> list[c_ast.Node]:
        built: list[c_ast.Node] = super()._build_declarations(spec, decls, typedef_namespace)
        for node in built:
            if isinstance(node, c_ast.Typedef):
                node.attributes = [*node.attributes, *spec["alignment"]]
        return built

    def _build_type_name(
        self, spec: dict[str, Any], decl: c_ast.Node | None, coord: object
    ) -> c_ast.Typename:
        node = super()._build_type_name(spec, decl, coord)
        node.align = list(spec["alignment"])
        return node

    def _parse_struct_or_union_specifier(self) -> c_ast.Node:
        node = super()._parse_struct_or_union_specifier()
        if node.decls is not None:
            node.attributes += self._attributes()
        return node

    def _parse_enum_specifier(self) -> c_ast.Node:
        node = super()._parse_enum_specifier()
        if node.values is not None:
            node.attributes += self._attributes()
        return node

    # Declarators and designators

    def _parse_array_decl_common(
        self, base_type: c_ast.Node | None, coord: object = None
    ) -> c_ast.Node:
        """A star is the length of `[*]`, but also the first token of an expression."""
        if self._peek_type(2) != "TIMES" or self._peek_type(3) == "RBRACKET":
            return super()._parse_array_decl_common(base_type, coord)
        bracket = self._advance()
        length = self._parse_assignment_expression()
        self._expect("RBRACKET")
        return c_ast.ArrayDecl(base_type, length, [], coord or self._tok_coord(bracket))

    def _parse_initializer_item(self) -> c_ast.Node:
        """With the old designators of GNU C, `member: value`."""
        token = self._peek()
        if self._peek_type(2) != "COLON" or token is None or token.type not in ("ID", "TYPEID"):
            return super()._parse_initializer_item()
        member = self._parse_identifier_or_typeid()
        self._advance()
        return c_ast.NamedInitializer([member], self._parse_initializer())

    # Branchings

    def _parse_conditional_expression(self) -> c_ast.Node:
        condition = self._parse_binary_expression()
        mark = self._accept("CONDOP")
        if mark is None:
            return condition
        chosen = self._parse_expression()
        self._expect("COLON")
        other = self._parse_conditional_expression()
        return c_ast.TernaryOp(condition, chosen, other, self._branching(condition.coord, mark))

    def _parse_iteration_statement(self) -> c_ast.Node:
        if self._peek_type() != "DO":
            return super()._parse_iteration_statement()
        begin = self._tok_coord(self._advance())
        with self._scope():
            body = self._parse_pragmacomp_or_statement()
            word = self._expect("WHILE")
            self._expect("LPAREN")
            condition = self._parse_expression()
            self._expect("RPAREN")
        self._expect("SEMI")
        return c_ast.DoWhile(condition, body, self._branching(begin, word))

    def _branching(self, begin: Coord | None, word: ParserToken) -> Coord | None:
        if begin is None:
            return None
        return BranchingCoord(begin.file, begin.line, begin.column, self._tok_coord(word))

    # Operators on types

    def _parse_unary_expression(self) -> c_ast.Node:
        if self._peek_type() != "_ALIGNOF":
            return super()._parse_unary_expression()
        token = self._advance()
        result = self._try_parse_paren_type_name()
        if result is not None:
            operand, mark, _, _ = result
            if self._peek_type() != "LBRACE":
                return c_ast.UnaryOp(token.value, operand, self._tok_coord(token))
            self._reset(mark)
        operand = self._parse_unary_expression()
        return c_ast.UnaryOp(token.value, operand, self._tok_coord(token))

    def _parse_primary_expression(self) -> c_ast.Node:
        token = self._peek()
        if token is None or token.value != TYPES_COMPATIBLE:
            return super()._parse_primary_expression()
        self._advance()
        coord = self._tok_coord(token)
        self._expect("LPAREN")
        types = [self._parse_type_name()]
        self._expect("COMMA")
        types.append(self._parse_type_name())
        self._expect("RPAREN")
        return c_ast.FuncCall(c_ast.ID(token.value, coord), c_ast.ExprList(types, coord), coord)
