"""Macros: definition, and expansion by hide sets (Prosser's algorithm, as in C11 6.10.3).

A token of an expansion stands at the place of the outermost macro name; a token of an argument
keeps its own place. So columns stay exact inside arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from abpress.errors import InputError
from abpress_frontend.tokens import (
    BAD,
    CHARACTER,
    IDENT,
    NUMBER,
    PUNCTUATOR,
    STRING,
    Token,
    tokenise,
)

MAX_EXPANSION = 1_000_000
"""More tokens than this are not the program that somebody meant."""

MAX_CALL_NESTING = 200
"""Deepest nesting of parentheses, and of macro calls, in the arguments of a macro call."""

_NOTHING: frozenset[str] = frozenset()
_VARIADIC = "__VA_ARGS__"


@dataclass(frozen=True, slots=True)
class Macro:
    """`parameters` is None for an object-like macro; `variadic` names the rest of the arguments."""

    name: str
    body: tuple[Token, ...]
    parameters: tuple[str, ...] | None = None
    variadic: str | None = None
    pastes: bool = False


def parse_define(tokens: list[Token], directive: Token) -> Macro:
    """The macro that the tokens after `#define` define."""
    if not tokens or tokens[0].kind != IDENT or tokens[0].text == "defined":
        where = tokens[0] if tokens else directive
        raise InputError("a macro name must be an identifier", where.position)
    name = tokens[0]
    if len(tokens) == 1 or tokens[1].text != "(" or tokens[1].space:
        body = _check_body(tokens[1:])
        return Macro(name.text, body, pastes=any(t.text == "##" for t in body))
    parameters: list[str] = []
    variadic: str | None = None
    i = 2
    while i < len(tokens) and tokens[i].text != ")":
        token = tokens[i]
        if token.text == "...":
            variadic = _VARIADIC
        elif token.kind == IDENT and i + 1 < len(tokens) and tokens[i + 1].text == "...":
            variadic = token.text
            i += 1
        elif token.kind == IDENT and token.text not in parameters:
            parameters.append(token.text)
        else:
            raise InputError(f"invalid parameter {token.text} of macro", token.position)
        i += 1
        if i < len(tokens) and tokens[i].text == "," and variadic is None:
            i += 1
        elif i < len(tokens) and tokens[i].text != ")":
            raise InputError(f"invalid parameter list of macro {name.text}", tokens[i].position)
    if i >= len(tokens):
        raise InputError(f"missing ')' in the parameters of macro {name.text}", name.position)
    body = _check_body(tokens[i + 1 :])
    known = {*parameters, variadic}
    for token, following in zip(body, (*body[1:], None), strict=False):
        if token.text == "#" and (following is None or following.text not in known):
            raise InputError("'#' is not followed by a macro parameter", token.position)
    return Macro(name.text, body, tuple(parameters), variadic)


def _check_body(body: list[Token]) -> tuple[Token, ...]:
    for edge in body[:1] + body[-1:]:
        if edge.text == "##":
            raise InputError("'##' at either end of a macro", edge.position)
    return tuple(body)


def stringise(tokens: list[Token], at: Token) -> Token:
    """The string literal that `#parameter` makes of an argument."""
    parts: list[str] = []
    for i, token in enumerate(tokens):
        if i and (token.space or token.first):
            parts.append(" ")
        text = token.text
        if token.kind in (STRING, CHARACTER):
            text = text.replace("\\", "\\\\").replace('"', '\\"')
        parts.append(text)
    return Token(STRING, '"' + "".join(parts) + '"', at.line, at.column, at.file, at.space)


def paste(left: Token, right: Token) -> Token:
    """The token that `left ## right` makes."""
    made = tokenise(left.text + right.text, left.file, markers=False)
    if len(made) != 1 or made[0].kind == BAD:
        raise InputError(
            f"pasting {left.text} and {right.text} does not give one token", left.position
        )
    hidden = None if left.hidden is None else left.hidden & (right.hidden or _NOTHING)
    return Token(
        made[0].kind, made[0].text, left.line, left.column, left.file, left.space, False, hidden
    )


def _too_deep(token: Token) -> InputError:
    return InputError(f"macro calls nested too deeply (limit {MAX_CALL_NESTING})", token.position)


class Expander:
    """Expands macros in streams of tokens; `macros` may change while a stream is read."""

    def __init__(self, macros: dict[str, Macro]) -> None:
        self.macros = macros
        self._counter = 0
        self._made = 0
        self._nesting = 0

    def expand(self, source: Iterable[Token], *, condition: bool = False) -> Iterator[Token]:
        """The tokens of `source` with every macro call replaced.

        In a `condition`, the operand of `defined` and of `__has_...` is left alone.
        """
        tested = False  # the last identifier was one of these
        stream = iter(source)
        macros = self.macros
        pending: list[Token] = []  # what to read before the stream, in reverse
        while True:
            if pending:
                token = pending.pop()
            else:
                following = next(stream, None)
                if following is None:
                    return
                token = following
            if token.kind != IDENT:
                yield token
                continue
            macro = macros.get(token.text)
            if macro is None or tested or (token.hidden is not None and token.text in token.hidden):
                tested = condition and (token.text == "defined" or token.text.startswith("__has_"))
                yield token
                continue
            if macro.parameters is None:
                hidden = (token.hidden or _NOTHING) | {macro.name}
                if token.text in _DYNAMIC:
                    pending.append(self._dynamic(token))
                else:
                    body = self._substitute(macro, {}) if macro.pastes else list(macro.body)
                    self._push(pending, body, token, hidden)
                continue
            opening = pending.pop() if pending else next(stream, None)
            if opening is None or opening.text != "(" or opening.kind != PUNCTUATOR:
                if opening is not None:
                    pending.append(opening)
                yield token
                continue
            arguments, commas, closing = self._arguments(token, pending, stream)
            hidden = (token.hidden or _NOTHING) & (closing.hidden or _NOTHING) | {macro.name}
            body = self._substitute(macro, self._match(macro, arguments, commas, token))
            self._push(pending, body, token, hidden)

    def _push(
        self, pending: list[Token], body: list[Token], at: Token, hidden: frozenset[str]
    ) -> None:
        self._made += len(body)
        if self._made > MAX_EXPANSION:
            raise InputError(
                f"macro {at.text} expands to more than {MAX_EXPANSION} tokens", at.position
            )
        for i in range(len(body) - 1, -1, -1):
            token = body[i]
            own = token.hidden
            inside = own is not None  # a token of an argument: it has its place already
            pending.append(
                Token(
                    token.kind,
                    token.text,
                    token.line if inside else at.line,
                    token.column if inside else at.column,
                    token.file if inside else at.file,
                    at.space if i == 0 else token.space or token.first,
                    at.first if i == 0 else False,
                    hidden if not own else own | hidden,
                )
            )

    def _dynamic(self, token: Token) -> Token:
        kind, text = NUMBER, "0"
        if token.text == "__LINE__":
            text = str(token.line)
        elif token.text == "__COUNTER__":
            text = str(self._counter)
            self._counter += 1
        else:
            escaped = token.file.replace("\\", "\\\\").replace('"', '\\"')
            kind, text = STRING, f'"{escaped}"'
        return Token(kind, text, token.line, token.column, token.file, token.space, token.first)

    def _arguments(
        self, call: Token, pending: list[Token], stream: Iterator[Token]
    ) -> tuple[list[list[Token]], list[Token], Token]:
        """The arguments of a call, the commas between them, and what closes it."""
        arguments: list[list[Token]] = [[]]
        commas: list[Token] = []
        depth = 0
        while True:
            token = pending.pop() if pending else next(stream, None)
            if token is None:
                raise InputError(f"missing ')' in the call of macro {call.text}", call.position)
            if token.kind == PUNCTUATOR:
                if token.text == "(":
                    depth += 1
                    if depth > MAX_CALL_NESTING:
                        raise _too_deep(token)
                elif token.text == ")":
                    if depth == 0:
                        return arguments, commas, token
                    depth -= 1
                elif token.text == "," and depth == 0:
                    arguments.append([])
                    commas.append(token)
                    continue
            arguments[-1].append(token)

    @staticmethod
    def _match(
        macro: Macro, arguments: list[list[Token]], commas: list[Token], call: Token
    ) -> dict[str, list[Token]]:
        """Parameter name to argument."""
        assert macro.parameters is not None
        names = macro.parameters
        given = len(arguments)
        if not names and macro.variadic is None:
            if given == 1 and not arguments[0]:
                return {}
            given = max(given, 1)
        elif macro.variadic is not None:
            if given >= len(names):
                bound = dict(zip(names, arguments, strict=False))
                rest: list[Token] = []
                for i in range(len(names), given):
                    rest += [commas[i - 1], *arguments[i]] if i > len(names) else arguments[i]
                return bound | {macro.variadic: rest}
        elif given == len(names):
            return dict(zip(names, arguments, strict=True))
        raise InputError(
            f"macro {macro.name} takes {len(names)} arguments but is given {given}", call.position
        )

    def _substitute(self, macro: Macro, arguments: dict[str, list[Token]]) -> list[Token]:
        """The body with `#`, `##` and the parameters replaced; argument tokens are marked."""
        body = macro.body
        out: list[Token] = []
        expanded: dict[str, list[Token]] = {}
        i = 0
        gluing = False  # the last thing seen was ##
        empty_left = False  # ... and there was nothing to its left

        def emit(tokens: list[Token]) -> None:
            nonlocal gluing, empty_left
            if gluing and tokens and out and not empty_left:
                out[-1] = paste(out[-1], tokens[0])
                out.extend(tokens[1:])
            else:
                out.extend(tokens)
            empty_left = not tokens and (empty_left or not gluing)
            gluing = False

        while i < len(body):
            token = body[i]
            next_text = body[i + 1].text if i + 1 < len(body) else ""
            if token.text == "##" and token.kind == PUNCTUATOR:
                gluing = True
                if next_text == macro.variadic and out and out[-1].text == "," and not empty_left:
                    # GNU: `, ## __VA_ARGS__` drops the comma if there are no more arguments.
                    rest = arguments[next_text]
                    if rest:
                        out.extend(_marked(self._expanded(next_text, arguments, expanded), body[i]))
                    else:
                        out.pop()
                    gluing = False
                    i += 1
            elif token.text == "#" and token.kind == PUNCTUATOR and next_text in arguments:
                emit([stringise(arguments[next_text], token)])
                i += 1
            elif token.text == "__VA_OPT__" and macro.variadic and next_text == "(":
                close = _closing(body, i + 1)
                inner = Macro(macro.name, body[i + 2 : close], macro.parameters, macro.variadic)
                given = arguments[macro.variadic]
                optional = self._substitute(inner, arguments) if given else []
                emit(
                    [replace(t, space=token.space) if k == 0 else t for k, t in enumerate(optional)]
                )
                i = close
            elif token.kind == IDENT and token.text in arguments:
                if gluing or next_text == "##":
                    emit(_marked(arguments[token.text], token))
                else:
                    emit(_marked(self._expanded(token.text, arguments, expanded), token))
            else:
                emit([token])
            i += 1
        return out

    def _expanded(
        self, name: str, arguments: dict[str, list[Token]], done: dict[str, list[Token]]
    ) -> list[Token]:
        if name not in done:
            argument = arguments[name]
            if self._nesting >= MAX_CALL_NESTING and argument:
                raise _too_deep(argument[0])
            self._nesting += 1
            done[name] = list(self.expand(argument))
            self._nesting -= 1
        return done[name]


_DYNAMIC = frozenset({"__LINE__", "__FILE__", "__COUNTER__"})


def dynamic_macros() -> dict[str, Macro]:
    """The macros whose value depends on where they stand."""
    return {name: Macro(name, ()) for name in sorted(_DYNAMIC)}


def _marked(tokens: list[Token], parameter: Token) -> list[Token]:
    """Argument tokens, recognisable by a hide set that is not None, spaced as the parameter."""
    return [
        Token(
            t.kind,
            t.text,
            t.line,
            t.column,
            t.file,
            parameter.space if i == 0 else t.space or t.first,
            False,
            t.hidden or _NOTHING,
        )
        for i, t in enumerate(tokens)
    ]


def _closing(body: tuple[Token, ...], opening: int) -> int:
    depth = 0
    for i in range(opening, len(body)):
        depth += {"(": 1, ")": -1}.get(body[i].text, 0)
        if depth == 0:
            return i
    raise InputError("missing ')' after __VA_OPT__", body[opening].position)
