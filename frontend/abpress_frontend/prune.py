"""Reachability from the entry function: which external declarations a program needs.

Works on tokens, before parsing: 90 % of a preprocessed program are declarations of the C library
that nothing uses. What is kept is closed under "mentions the name", an over-approximation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from abpress_frontend.gnu import LAYOUT_WORDS, Cleaned
from abpress_frontend.lexer import KEYWORDS
from abpress_frontend.tokens import IDENT, Token

TAG_WORDS = frozenset({"struct", "union", "enum"})
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")


@dataclass(frozen=True, slots=True)
class Declaration:
    """An external declaration: tokens[start:end], and the names and tags that it may declare."""

    start: int
    end: int
    names: tuple[str, ...]
    tags: tuple[str, ...]
    is_function: bool


def split(cleaned: Cleaned) -> list[Declaration]:
    """The external declarations, in order; an old-style function definition is one."""
    bounds: list[tuple[int, int]] = []
    start = 0
    for end in cleaned.ends:
        if cleaned.tokens[start].text == "{":
            while bounds:  # int f(a) int a; {...}: the parameters look like declarations
                start = bounds.pop()[0]
                if _is_old_style_head(cleaned.tokens, start, end):
                    break
        bounds.append((start, end))
        start = end
    return [_declaration(cleaned.tokens, start, end) for start, end in bounds]


def _is_old_style_head(tokens: list[Token], start: int, end: int) -> bool:
    return any(tokens[i].text == ")" and tokens[i + 1].kind == IDENT for i in range(start, end - 1))


def _declaration(tokens: list[Token], start: int, end: int) -> Declaration:
    names: list[str] = []
    tags: list[str] = []
    has_type = False  # a type specifier was seen
    named = False  # the declarator being read has its name
    is_function = False
    i = start
    while i < end:
        token = tokens[i]
        text = token.text
        if text in TAG_WORDS:
            has_type = True
            i += 1
            if tokens[i].kind == IDENT:
                # A use of a tag declares it, too, if nothing else does.
                if i + 1 < end and tokens[i + 1].text in ("{", ";", ":"):
                    tags.append(tokens[i].text)
                i += 1
            continue
        if text == "{":
            close = matching(tokens, i, end)
            _inner_names(tokens, i, close, names, tags)
            is_function = close == end - 1 and named
            i = close + 1
            continue
        if text in ("(", "["):
            close = matching(tokens, i, end)
            if text == "(" and not named and has_type:
                name = _parenthesised_name(tokens, i, close)
                if name:
                    names.append(name)
                    named = True
            i = close + 1
            continue
        if text == "=":
            i = _skip_initialiser(tokens, i, end)
            continue
        if text == ",":
            named = False
        elif text in _TYPE_OPERATORS:
            # `_Atomic T x` only qualifies, and `_Alignas(n) T x` only aligns: T is still to come.
            if tokens[i + 1].text == "(":
                has_type = has_type or text not in _ALIGNING
                i = matching(tokens, i + 1, end)
        elif token.kind == IDENT and text in KEYWORDS:
            has_type = has_type or text in _TYPE_WORDS
        elif token.kind == IDENT and not named:
            following = tokens[i + 1].text if i + 1 < end else ""
            if not has_type and is_type_of_declarator(tokens, i, end):
                has_type = True
            elif has_type or following in ("(", "=", ";", ",", "["):
                names.append(text)
                if following == "(" and not has_type:  # `f();`, or `T (x);` with a type T
                    inner = _parenthesised_name(tokens, i + 1, matching(tokens, i + 1, end))
                    names += [inner] if inner else []
                named = has_type = True
            else:
                has_type = True
        i += 1
    return Declaration(start, end, tuple(names), tuple(tags), is_function)


def is_type_of_declarator(tokens: list[Token], i: int, end: int) -> bool:
    """Whether the name at `i` is the type of a declarator in parentheses, as in `T (f)(int);`."""
    if i + 1 >= end or tokens[i + 1].text != "(":
        return False
    behind = matching(tokens, i + 1, end) + 1
    return behind < end and tokens[behind].text == "("


_TYPE_WORDS = frozenset(
    {"void", "char", "short", "int", "long", "float", "double", "signed", "unsigned"}
    | {"_Bool", "_Complex", "__int128", "auto", "_BitInt"}
)
_ALIGNING = LAYOUT_WORDS | {"_Alignas"}
_TYPE_OPERATORS = _ALIGNING | {"typeof", "typeof_unqual", "_Atomic"}


def matching(tokens: list[Token], i: int, end: int) -> int:
    """The place of the bracket that closes the one at `i`; the last before `end` if none does."""
    depth = 0
    for j in range(i, end):
        text = tokens[j].text
        if text in _OPENING:
            depth += 1
        elif text in _CLOSING:
            depth -= 1
            if depth == 0:
                return j
    return end - 1


def _skip_initialiser(tokens: list[Token], i: int, end: int) -> int:
    while i < end and tokens[i].text not in (",", ";"):
        i = matching(tokens, i, end) + 1 if tokens[i].text in _OPENING else i + 1
    return i


def _parenthesised_name(tokens: list[Token], start: int, end: int) -> str | None:
    for i in range(start + 1, end):
        if tokens[i].kind == IDENT and tokens[i].text not in KEYWORDS:
            return tokens[i].text
    return None


def _inner_names(
    tokens: list[Token], start: int, end: int, names: list[str], tags: list[str]
) -> None:
    """Enumerators and tags that are declared inside the braces of a declaration."""
    if start and _opens_enum(tokens, start):
        for i in range(start + 1, end):
            if tokens[i].kind == IDENT and tokens[i - 1].text in ("{", ","):
                names.append(tokens[i].text)
        return
    for i in range(start + 1, end - 1):
        if tokens[i].text == "{" and _opens_enum(tokens, i):
            close = matching(tokens, i, end)
            names += [
                tokens[j].text
                for j in range(i + 1, close)
                if tokens[j].kind == IDENT and tokens[j - 1].text in ("{", ",")
            ]
        elif tokens[i].text in TAG_WORDS and tokens[i + 1].kind == IDENT:
            tags.append(tokens[i + 1].text)


def _opens_enum(tokens: list[Token], brace: int) -> bool:
    before = tokens[max(0, brace - 6) : brace]
    for token in reversed(before):
        if token.text == "enum":
            return True
        if token.kind != IDENT and token.text != ":":
            return False
    return False


Unit = tuple[Cleaned, list[Declaration]]
"""A translation unit, or what is left of it."""


def reachable(units: Sequence[Unit], wanted: Iterable[str]) -> list[list[Declaration]]:
    """The declarations of each unit that the wanted names need, in order, with all static
    assertions."""
    by_name: dict[str, list[tuple[int, int]]] = {}
    by_tag: dict[str, list[tuple[int, int]]] = {}
    kept: set[tuple[int, int]] = set()
    todo: list[tuple[int, int]] = []

    def need(indices: list[tuple[int, int]]) -> None:
        for index in indices:
            if index not in kept:
                kept.add(index)
                todo.append(index)

    for number, (cleaned, declarations) in enumerate(units):
        for index, declaration in enumerate(declarations):
            for name in declaration.names:
                by_name.setdefault(name, []).append((number, index))
            for tag in declaration.tags:
                by_tag.setdefault(tag, []).append((number, index))
            if cleaned.tokens[declaration.start].text == "_Static_assert":
                need([(number, index)])
    for name in wanted:
        need(by_name.pop(name, []))
    while todo:
        number, index = todo.pop()
        cleaned, declarations = units[number]
        declaration = declarations[index]
        previous = ""
        for token in cleaned.tokens[declaration.start : declaration.end]:
            if token.kind == IDENT:
                if previous in TAG_WORDS:
                    need(by_tag.pop(token.text, []))
                else:
                    need(by_name.pop(token.text, []))
            previous = token.text
    return [
        [declarations[index] for index in range(len(declarations)) if (number, index) in kept]
        for number, (_, declarations) in enumerate(units)
    ]
