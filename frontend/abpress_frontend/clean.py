"""Cleaning: GNU C and C23 tokens become tokens that pycparser parses, in one pass from the left.

A stack of open brackets says what each brace is. What is dropped is kept as `Attribute`; what
changes the meaning and is not supported is kept as a refusal (`Cleaned.refusals`), which counts
only if the declaration that it stands in survives pruning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from abpress.errors import InputError, Position, UnsupportedError
from abpress_frontend.gnu import (
    ATTRIBUTE_WORDS,
    DROPPED,
    ELVIS_MARK,
    RANGE,
    REFUSED,
    REFUSED_ATTRIBUTES,
    RENAMED,
    RUN_BY_THEMSELVES,
    TYPES_COMPATIBLE,
    Attribute,
    Cleaned,
)
from abpress_frontend.inline_asm import asm_call
from abpress_frontend.tokens import (
    ACSL_ASSERT,
    CHARACTER,
    IDENT,
    NUMBER,
    PRAGMA,
    PUNCTUATOR,
    STRING,
    Token,
)

MAX_NESTING = 256
"""Deepest nesting of brackets; pycparser recurses, and so does everything that reads its tree."""

_BLOCK, _AGGREGATE, _ENUM, _INITIALISER, _OTHER = range(5)


@dataclass(slots=True)
class _Open:
    """An open bracket: what kind of brace, where its inside starts, the aggregate it is of."""

    token: Token
    kind: int
    start: int
    aggregate: Position | None = None
    is_function: bool = False
    case_start: int = -1
    in_range: bool = False


_STATEMENT_AFTER = frozenset({";", "{", "}", ":", ")", "else", "do"})
_QUALIFIERS_OF_ASM = frozenset({"volatile", "__volatile__", "__volatile", "inline", "__inline__"})
_NATURAL_PACKING = (0, 1, 8, 16)  # none, or handled as an attribute, or no restriction
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def _too_deep(token: Token) -> InputError:
    return InputError(f"nested too deeply (limit {MAX_NESTING})", token.position)


def clean(tokens: list[Token]) -> Cleaned:
    """Rewrite a preprocessed translation unit.

    Raises InputError for brackets that do not match or nest deeper than MAX_NESTING.
    """
    cleaner = _Cleaner(tokens)
    cleaner.run()
    return Cleaned(
        cleaner.out,
        cleaner.ends,
        cleaner.attributes,
        cleaner.refusals,
        cleaner.warnings,
        cleaner.has_elvis,
    )


@dataclass(slots=True)
class _Cleaner:
    """Mutable state of the pass. A handler takes an index and returns the next one to look at."""

    tokens: list[Token]
    out: list[Token] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    attributes: list[tuple[int, Attribute]] = field(default_factory=list)
    refusals: list[tuple[int, UnsupportedError]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    stack: list[_Open] = field(default_factory=list)
    depth: int = 0  # brackets around what is cleaned
    has_elvis: bool = False
    initialised: bool = False
    packing: list[int] = field(default_factory=lambda: [0])

    def run(self) -> None:
        tokens, append = self.tokens, self.out.append
        handlers = _HANDLERS
        i, end = 0, len(tokens)
        while i < end:
            token = tokens[i]
            handler = handlers.get(token.text)
            if handler is not None:
                i = handler(self, i)
            elif token.kind == PRAGMA:
                i = self._pragma(i)
            else:
                append(token)
                i += 1
        if self.stack:
            opened = self.stack[-1].token
            raise InputError(f"'{opened.text}' is never closed", opened.position)
        self._end_declaration()

    # Helpers

    def _text(self, i: int) -> str:
        return self.tokens[i].text if i < len(self.tokens) else ""

    def _previous(self) -> str:
        return self.out[-1].text if self.out else ""

    def _put(self, at: Token, kind: str, text: str) -> None:
        self.out.append(Token(kind, text, at.line, at.column, at.file, True))

    def _refuse(self, at: Token, what: str) -> None:
        self.refusals.append((len(self.out), UnsupportedError(what, at.position)))

    def _match(self, i: int) -> int:
        """The index of the bracket that closes the one at `i`."""
        closers: list[str] = []
        for j in range(i, len(self.tokens)):
            text = self.tokens[j].text
            if text in _CLOSING:
                closers.append(_CLOSING[text])
                if len(closers) > MAX_NESTING:
                    raise _too_deep(self.tokens[j])
            elif text in (")", "]", "}"):
                if text != closers.pop():
                    raise InputError(f"unexpected '{text}'", self.tokens[j].position)
                if not closers:
                    return j
        raise InputError(f"'{self._text(i)}' is never closed", self.tokens[i].position)

    def _argument_end(self, i: int) -> int:
        """The index of the closing bracket of the parenthesis after the word at `i`."""
        if self._text(i + 1) != "(":
            token = self.tokens[min(i + 1, len(self.tokens) - 1)]
            raise InputError(f"expected '(' after {self._text(i)}", token.position)
        return self._match(i + 1)

    def _inner(self, tokens: list[Token]) -> list[Token]:
        """Clean an expression on its own and keep what is recorded about it."""
        inner = _Cleaner(tokens, depth=self.depth + len(self.stack))
        inner._check_depth(tokens[0])
        inner.stack.append(_Open(tokens[0], _OTHER, 0))
        inner._clean_part()
        base = len(self.out)
        self.attributes += [(base, a) for _, a in inner.attributes]
        self.refusals += [(base, r) for _, r in inner.refusals]
        self.has_elvis = self.has_elvis or inner.has_elvis
        return inner.out

    def _clean_part(self) -> None:
        i = 0
        while i < len(self.tokens):
            handler = _HANDLERS.get(self.tokens[i].text)
            if handler is not None:
                i = handler(self, i)
            else:
                self.out.append(self.tokens[i])
                i += 1

    def _end_declaration(self) -> None:
        if len(self.out) > (self.ends[-1] if self.ends else 0):
            self.ends.append(len(self.out))
        self.initialised = False

    # Brackets

    def _open(self, i: int) -> int:
        token = self.tokens[i]
        kind, is_function = _OTHER, False
        if token.text == "{":
            if not self.stack:
                kind = _INITIALISER if self.initialised else _BLOCK
                is_function = not self.initialised
            elif self.stack[-1].kind == _INITIALISER or self._previous() in ("=", ","):
                kind = _INITIALISER
            else:
                kind = _BLOCK
        self._push(token, kind, None, is_function)
        return i + 1

    def _push(
        self, token: Token, kind: int, aggregate: Position | None, is_function: bool = False
    ) -> None:
        self._check_depth(token)
        self.out.append(token)
        self.stack.append(_Open(token, kind, len(self.out), aggregate, is_function))

    def _check_depth(self, token: Token) -> None:
        if self.depth + len(self.stack) >= MAX_NESTING:
            raise _too_deep(token)

    def _bracket(self, i: int) -> int:
        """A subscript, an array declarator, or a C23 attribute `[[name(...), ...]]`."""
        if self._text(i + 1) == "[" and i + 2 < len(self.tokens):
            inner_end = self._match(i + 1)
            is_list = self.tokens[i + 2].kind == IDENT or inner_end == i + 2
            if is_list and self._text(inner_end + 1) == "]":
                self._c23_attributes(i + 2, inner_end)
                return inner_end + 2
        return self._open(i)

    def _c23_attributes(self, start: int, end: int) -> None:
        i = start
        while i < end:
            token = self.tokens[i]
            stop = self._match(i + 1) if self._text(i + 1) == "(" else i
            if token.kind == IDENT and self._text(i + 1) != "::":
                self._attribute(token, self.tokens[i + 2 : stop], None)
            i = stop + 1

    def _close(self, i: int) -> int:
        token = self.tokens[i]
        if not self.stack:
            raise InputError(f"unexpected '{token.text}'", token.position)
        opened = self.stack.pop()
        if _CLOSING[opened.token.text] != token.text:
            raise InputError(
                f"unexpected '{token.text}': '{opened.token.text}' of line "
                f"{opened.token.line} is still open",
                token.position,
            )
        if opened.in_range:
            self._put(token, PUNCTUATOR, ")")
        self.out.append(token)
        i += 1
        if opened.aggregate is not None:
            i = self._attributes(i, opened.aggregate)
        if opened.is_function and not self.stack:
            self._end_declaration()
        return i

    def _aggregate(self, i: int) -> int:
        """`struct`, `union` or `enum` up to its brace or tag, with the attributes between."""
        keyword = self.tokens[i]
        self.out.append(keyword)
        i += 1
        start = i
        while i < len(self.tokens) and self.tokens[i].text in ATTRIBUTE_WORDS:
            i = self._argument_end(i) + 1
        tag: Token | None = None
        if i < len(self.tokens) and self.tokens[i].kind == IDENT:
            tag = self.tokens[i]
            i += 1
        after = i
        while i < len(self.tokens) and self.tokens[i].text in ATTRIBUTE_WORDS:
            i = self._argument_end(i) + 1
        base = i
        if keyword.text == "enum" and self._text(i) == ":":  # C23: enum E : unsigned { ... }
            while self._text(i) not in ("{", ";", ",", ")", ""):
                i += 1
            i = i if self._text(i) == "{" else base
        opening = self.tokens[i] if self._text(i) == "{" else None
        at = tag or opening
        where = at.position if at is not None else None
        self._attributes(start, where)
        if tag is not None:
            self.out.append(tag)
        self._attributes(after, where)
        self.out += self.tokens[base:i]
        if opening is None:
            return i
        is_enum = keyword.text == "enum"
        if self.packing[-1] == 1 and not is_enum:
            attribute = Attribute("packed", "", opening.position, where)
            self.attributes.append((len(self.out), attribute))
        elif self.packing[-1] not in _NATURAL_PACKING:
            self._refuse(opening, f"#pragma pack({self.packing[-1]})")
        self._push(opening, _ENUM if is_enum else _AGGREGATE, where)
        return i + 1

    # Attributes and pragmas

    def _attributes(self, i: int, aggregate: Position | None) -> int:
        while i < len(self.tokens) and self.tokens[i].text in ATTRIBUTE_WORDS:
            end = self._argument_end(i)
            j = i + 2
            if self._text(j) != "(":
                raise InputError("expected '((' after __attribute__", self.tokens[i].position)
            j += 1
            while j < end - 1:
                token = self.tokens[j]
                stop = self._match(j + 1) if self._text(j + 1) == "(" else j
                if token.kind == IDENT:
                    self._attribute(token, self.tokens[j + 2 : stop], aggregate)
                j = stop + 1
            i = end + 1
        return i

    def _declaration_attribute(self, i: int) -> int:
        return self._attributes(i, None)

    def _attribute(self, token: Token, arguments: list[Token], aggregate: Position | None) -> None:
        name = token.text.strip("_") or token.text
        if name in RUN_BY_THEMSELVES:
            raise UnsupportedError(f"attribute {name}", token.position)
        if name in REFUSED_ATTRIBUTES:
            self._refuse(token, f"attribute {name}")
        elif name == "packed" and aggregate is None:
            self._refuse(token, "attribute packed on something other than a struct definition")
        text = " ".join(t.text for t in arguments)
        entry = Attribute(name, text, token.position, aggregate)
        self.attributes.append((len(self.out), entry))

    def _noreturn(self, i: int) -> int:
        self._attribute(self.tokens[i], [], None)
        self.out.append(self.tokens[i])
        return i + 1

    def _pragma(self, i: int) -> int:
        """`#pragma pack`: push, pop, a number of bytes, or nothing to end it."""
        text = self.tokens[i].text
        words = text.replace("(", " ").replace(")", " ").replace(",", " ").split()[1:]
        if "pop" in words:
            if len(self.packing) > 1:
                self.packing.pop()
            return i + 1
        if "push" in words:
            self.packing.append(self.packing[-1])
        numbers = [int(w) for w in words if w.isdigit()]
        if numbers or "push" not in words:
            self.packing[-1] = numbers[0] if numbers else 0
        return i + 1

    def _pragma_operator(self, i: int) -> int:
        end = self._argument_end(i)
        if "pack" in self._text(i + 2):
            self._refuse(self.tokens[i], "_Pragma pack")
        return end + 1

    # Words

    def _rename(self, i: int) -> int:
        token = self.tokens[i]
        self._put(token, IDENT, RENAMED[token.text])
        return i + 1

    def _drop(self, i: int) -> int:
        return i + 1

    def _refused_word(self, i: int) -> int:
        self._refuse(self.tokens[i], REFUSED[self.tokens[i].text])
        self.out.append(self.tokens[i])
        return i + 1

    def _gnu_alignof(self, i: int) -> int:
        """`__alignof__ (T or e)`: `_Alignof(typeof(T or e))`, as pycparser takes only types."""
        end = self._argument_end(i)
        token = self.tokens[i]
        for text in ("_Alignof", "(", "typeof"):
            self._put(token, IDENT if text != "(" else PUNCTUATOR, text)
        self.out += self._inner(self.tokens[i + 1 : end + 1])
        self._put(token, PUNCTUATOR, ")")
        return end + 1

    def _types_compatible(self, i: int) -> int:
        """`__builtin_types_compatible_p(T, U)`: the types become operands of `sizeof`."""
        end = self._argument_end(i)
        token = self.tokens[i]
        self.out.append(token)
        depth = 0
        part: list[Token] = []
        self._put(token, PUNCTUATOR, "(")
        for inner in self.tokens[i + 2 : end + 1]:
            if depth == 0 and inner.text in (",", ")"):
                self._put(inner, IDENT, "sizeof")
                self._put(inner, PUNCTUATOR, "(")
                self.out += self._inner(part) if part else []
                self._put(inner, PUNCTUATOR, ")")
                self.out.append(inner)
                part = []
                continue
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(inner.text, 0)
            part.append(inner)
        return end + 1

    # Statements and expressions

    def _semicolon(self, i: int) -> int:
        self.out.append(self.tokens[i])
        if not self.stack:
            self._end_declaration()
        return i + 1

    def _equals(self, i: int) -> int:
        self.out.append(self.tokens[i])
        if not self.stack:
            self.initialised = True
        return i + 1

    def _case(self, i: int) -> int:
        self.out.append(self.tokens[i])
        if self.stack:
            self.stack[-1].case_start = len(self.out)
        return i + 1

    def _colon(self, i: int) -> int:
        if self.stack and self.stack[-1].case_start >= 0:
            if self.stack[-1].in_range:
                self._put(self.tokens[i], PUNCTUATOR, ")")
            self.stack[-1].in_range = False
            self.stack[-1].case_start = -1
        self.out.append(self.tokens[i])
        return i + 1

    def _ellipsis(self, i: int) -> int:
        """`a ... b` in a case or a designator; otherwise a variable argument list."""
        token = self.tokens[i]
        top = self.stack[-1] if self.stack else None
        start = -1
        if top is not None and not top.in_range:
            start = top.start if top.token.text == "[" else top.case_start
        if start < 0 or top is None:
            self.out.append(token)
            return i + 1
        top.in_range = True
        at = self.out[start] if start < len(self.out) else token
        head = [
            Token(IDENT, RANGE, at.line, at.column, at.file, True),
            Token(PUNCTUATOR, "(", at.line, at.column, at.file),
        ]
        self.out[start:start] = head
        self._put(token, PUNCTUATOR, ",")
        return i + 1

    def _question(self, i: int) -> int:
        token = self.tokens[i]
        self.out.append(token)
        if self._text(i + 1) == ":":
            self.has_elvis = True
            self._put(token, IDENT, ELVIS_MARK)
            # The colon is not that of an enclosing case.
            self.out.append(self.tokens[i + 1])
            return i + 2
        return i + 1

    def _and_and(self, i: int) -> int:
        before = self.out[-1] if self.out else None
        operand = before is not None and (
            before.kind in (NUMBER, STRING, CHARACTER)
            or before.text in (")", "]", "}", "++", "--")
            or (before.kind == IDENT and before.text not in ("return", "case", "else", "do"))
        )
        if not operand:
            raise UnsupportedError("address of a label", self.tokens[i].position)
        self.out.append(self.tokens[i])
        return i + 1

    def _goto(self, i: int) -> int:
        if self._text(i + 1) == "*":
            raise UnsupportedError("computed goto", self.tokens[i].position)
        self.out.append(self.tokens[i])
        return i + 1

    def _acsl(self, i: int) -> int:
        """An ACSL assertion: kept where a statement can stand alone, otherwise refused."""
        token = self.tokens[i]
        end = self._match(i + 1) + 1  # the semicolon
        in_block = bool(self.stack) and self.stack[-1].kind == _BLOCK
        if not self.stack:
            self.warnings.append(f"{token.position}: ACSL assertion outside functions is ignored")
            return end + 1
        if not in_block or self._previous() not in (";", "{", "}", ":"):
            raise UnsupportedError("ACSL assertion inside a statement", token.position)
        self.out.append(token)
        self.out += self._inner(self.tokens[i + 1 : end])
        self.out.append(self.tokens[end])
        return end + 1

    # Inline assembler

    def _asm(self, i: int) -> int:
        token = self.tokens[i]
        j = i + 1
        has_qualifier = False
        while self._text(j) in _QUALIFIERS_OF_ASM:
            has_qualifier = True
            j += 1
        if self._text(j) == "goto":
            raise UnsupportedError("asm goto", token.position)
        end = self._argument_end(j - 1)
        in_block = bool(self.stack) and self.stack[-1].kind == _BLOCK
        if in_block and (has_qualifier or self._previous() in _STATEMENT_AFTER):
            self.out += asm_call(token, self.tokens, j, end, self._match, self._inner)
        elif not self.stack and self._previous() in ("", ";", "}"):
            self.warnings.append(f"{token.position}: assembler outside functions is ignored")
            return end + 1 + (self._text(end + 1) == ";")
        elif self._is_register():
            self._refuse(token, "register variable bound by asm")
        return end + 1

    def _is_register(self) -> bool:
        for token in reversed(self.out):
            if token.text in (";", "{", "}"):
                return False
            if token.text == "register":
                return True
        return False


_HANDLERS: dict[str, Callable[[_Cleaner, int], int]] = {
    "(": _Cleaner._open,
    "{": _Cleaner._open,
    "[": _Cleaner._bracket,
    ")": _Cleaner._close,
    "}": _Cleaner._close,
    "]": _Cleaner._close,
    "struct": _Cleaner._aggregate,
    "union": _Cleaner._aggregate,
    "enum": _Cleaner._aggregate,
    "_Noreturn": _Cleaner._noreturn,
    "_Pragma": _Cleaner._pragma_operator,
    "__alignof__": _Cleaner._gnu_alignof,
    "__alignof": _Cleaner._gnu_alignof,
    TYPES_COMPATIBLE: _Cleaner._types_compatible,
    ";": _Cleaner._semicolon,
    "=": _Cleaner._equals,
    "case": _Cleaner._case,
    ":": _Cleaner._colon,
    "...": _Cleaner._ellipsis,
    "?": _Cleaner._question,
    "&&": _Cleaner._and_and,
    "goto": _Cleaner._goto,
    ACSL_ASSERT: _Cleaner._acsl,
    "asm": _Cleaner._asm,
    "__asm": _Cleaner._asm,
    "__asm__": _Cleaner._asm,
    **dict.fromkeys(ATTRIBUTE_WORDS, _Cleaner._declaration_attribute),
    **dict.fromkeys(RENAMED, _Cleaner._rename),
    **dict.fromkeys(DROPPED, _Cleaner._drop),
    **dict.fromkeys(REFUSED, _Cleaner._refused_word),
}
