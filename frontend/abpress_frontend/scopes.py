"""The C parser as regards which names are types: scopes begin and end where C says.

C11 6.2.1p7: the scope of a name begins at the end of its declarator, before its initialiser.
6.2.1p4: a list of parameters is a scope of its own; in a definition it is that of the outermost
block of the body. 6.8.4p3, 6.8.5p5: statements of selection and iteration are blocks, and so are
the statements in them. 6.2.3: labels and members have name spaces of their own. 6.7.6.3p11: where a
name can be the type or the name of a parameter, it is the type.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pycparser import c_ast
from pycparser.c_lexer import Token
from pycparser.c_parser import CParser

_BEFORE_NAMES = frozenset({"LPAREN", "TIMES", "CONST", "VOLATILE", "RESTRICT", "_ATOMIC"})


class ScopedParser(CParser):  # type: ignore[misc]
    """pycparser, which by itself gives names their meaning only at the end of a declaration, and
    knows no other scopes than compound statements and loops that declare."""

    def __init__(self, **options: Any) -> None:
        self._declares_types = False  # whether the declaration that is being read is a typedef
        self._prototypes: dict[c_ast.FuncDecl, dict[str, bool]] = {}
        self._ended: dict[str, bool] = {}  # the scope that ended last
        self._follows_label = False
        self._name: Any = None  # an identifier that is no type, whatever it is elsewhere
        super().__init__(**options)

    @contextmanager
    def _scope(self) -> Iterator[None]:
        self._push_scope()
        yield
        self._ended = self._scope_stack[-1]
        self._pop_scope()

    def _classify_identifier(self, token: Token | None) -> None:
        super()._classify_identifier(token)
        if token is not None and token is self._name:
            token.type = "ID"

    def _read_as_name(self, token: Token | None) -> None:
        """Lets the identifier be no type."""
        if token is not None and token.type == "TYPEID":
            self._name = token
            token.type = "ID"

    # Declarators

    def _parse_declaration_specifiers(self, allow_no_type: bool = False) -> tuple[Any, ...]:
        read: tuple[Any, ...] = super()._parse_declaration_specifiers(allow_no_type)
        self._declares_types = "typedef" in read[0]["storage"]
        return read

    @contextmanager
    def _inside_of_declaration(self) -> Iterator[None]:
        outer = self._declares_types
        yield
        self._declares_types = outer

    def _parse_init_declarator_list(
        self, first: dict[str, Any] | None = None, id_only: bool = False
    ) -> list[dict[str, Any]]:
        if first is not None:
            self._declare(first["decl"])
        found: list[dict[str, Any]] = super()._parse_init_declarator_list(first, id_only)
        return found

    def _parse_init_declarator(self, id_only: bool = False) -> dict[str, Any]:
        declarator = self._parse_id_declarator() if id_only else self._parse_declarator()
        self._declare(declarator)
        if self._accept("EQUALS"):
            return {"decl": declarator, "init": self._parse_initializer()}
        return {"decl": declarator}

    def _parse_initializer(self) -> c_ast.Node:
        with self._inside_of_declaration():
            return super()._parse_initializer()

    def _parse_decl_suffixes(self, declarator: c_ast.Node) -> c_ast.Node:
        with self._inside_of_declaration():
            return super()._parse_decl_suffixes(declarator)

    def _declare(self, declarator: c_ast.Node) -> None:
        """Begins the scope of the name that a declarator declares."""
        while not isinstance(declarator, c_ast.TypeDecl):
            declarator = declarator.type
        if declarator.declname is not None:
            declare = self._add_typedef_name if self._declares_types else self._add_identifier
            declare(declarator.declname, declarator.coord)

    def _parse_any_declarator(
        self, allow_abstract: bool = False, typeid_paren_as_abstract: bool = False
    ) -> tuple[c_ast.Node | None, bool]:
        abstract = typeid_paren_as_abstract and self._name_follows_parenthesis()
        read: tuple[c_ast.Node | None, bool] = super()._parse_any_declarator(
            allow_abstract, abstract
        )
        return read

    def _name_follows_parenthesis(self) -> bool:
        """Whether the name in the declarator that begins here stands right after a `(`."""
        mark, last = self._mark(), None
        while self._peek_type() in _BEFORE_NAMES:
            last = self._advance().type
        self._reset(mark)
        return last == "LPAREN"

    def _parse_enumerator(self) -> c_ast.Node:
        self._read_as_name(self._peek())
        return super()._parse_enumerator()

    # Parameters

    def _parse_function_decl(self, base_decl: c_ast.Node) -> c_ast.FuncDecl:
        with self._scope():
            function = super()._parse_function_decl(base_decl)
        self._prototypes[function] = self._ended
        return function

    def _parse_direct_abstract_declarator(self) -> c_ast.Node:
        with self._scope():
            return super()._parse_direct_abstract_declarator()

    def _parse_parameter_declaration(self) -> c_ast.Node:
        parameter = super()._parse_parameter_declaration()
        if isinstance(parameter, c_ast.Decl) and parameter.name:
            self._add_identifier(parameter.name, parameter.coord)
        return parameter

    def _parse_function_definition(
        self, spec: dict[str, Any], declarator: c_ast.Node
    ) -> c_ast.FuncDef:
        with self._scope():
            self._scope_stack[-1].update(self._prototypes.get(declarator, {}))
            given = getattr(declarator, "args", None)
            for parameter in given.params if given else ():
                if isinstance(parameter, c_ast.ID):
                    self._add_identifier(parameter.name, parameter.coord)
            declared = self._parse_declaration_list() if self._starts_declaration() else None
            if self._peek_type() != "LBRACE":
                self._parse_error("Invalid function definition", declarator.coord)
            body = self._parse_compound_statement(new_scope=False)
        return self._build_function_definition(spec, declarator, declared, body)

    # Statements

    def _parse_selection_statement(self) -> c_ast.Node:
        with self._scope():
            return super()._parse_selection_statement()

    def _parse_iteration_statement(self) -> c_ast.Node:
        with self._scope():
            return super()._parse_iteration_statement()

    def _parse_pragmacomp_or_statement(self) -> c_ast.Node:
        if self._follows_label:
            self._follows_label = False
            return super()._parse_pragmacomp_or_statement()
        with self._scope():
            return super()._parse_pragmacomp_or_statement()

    # Labels

    def _begins_label(self) -> bool:
        return bool(self._peek_type() == "TYPEID" and self._peek_type(2) == "COLON")

    def _starts_declaration(self, tok: Token | None = None) -> bool:
        starts: bool = super()._starts_declaration(tok)
        return starts and (tok is not None or not self._begins_label())

    def _starts_statement(self) -> bool:
        starts: bool = self._begins_label() or super()._starts_statement()
        return starts

    def _parse_statement(self) -> c_ast.Node:
        if self._begins_label():
            self._read_as_name(self._peek())
        return super()._parse_statement()

    def _parse_labeled_statement(self) -> c_ast.Node:
        self._follows_label = True
        statement = super()._parse_labeled_statement()
        self._follows_label = False
        return statement

    def _parse_jump_statement(self) -> c_ast.Node:
        if self._peek_type() == "GOTO":
            self._read_as_name(self._peek(2))
        return super()._parse_jump_statement()
