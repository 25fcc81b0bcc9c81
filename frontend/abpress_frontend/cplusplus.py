"""C++ in a file: found also where nothing that the program needs mentions it, as what is not needed
is not parsed."""

from __future__ import annotations

from collections.abc import Sequence

from abpress.errors import UnsupportedError
from abpress_frontend.tokens import IDENT, STRING, Token

_BEGINS = (
    (("template",), ("<",)),
    (("namespace", ""), ("{",)),
    (("namespace",), ("{",)),
    (("using", "namespace"), ()),
    (("class", ""), ("{", ":")),
)
"""How declarations of C++ begin, and no others: identifiers (empty: any), and one of these."""

_TYPES = frozenset({"char", "double", "float", "int", "long", "short", "unsigned", "void"})


def refuse_cplusplus(declaration: Sequence[Token]) -> None:
    """Raises UnsupportedError if the tokens of an external declaration are certainly C++."""
    token = declaration[0]
    if token.text == "extern" and len(declaration) > 1 and declaration[1].kind == STRING:
        raise _refusal(token)
    if any(_begins(declaration, *form) for form in _BEGINS):
        raise _refusal(token)
    for before, token, after in zip(declaration, declaration[1:], declaration[2:], strict=False):
        qualified = token.text == "::" and before.kind == after.kind == IDENT
        if qualified and not _in_attribute(declaration, before):
            raise _refusal(before)
        if token.text in ("&", "&&") and before.text in _TYPES:
            raise _refusal(token)
    method = _method(declaration)
    if method is not None:
        raise _refusal(method)


def _refusal(token: Token) -> UnsupportedError:
    return UnsupportedError("C++ (AbPress reads C)", token.position)


def _begins(tokens: Sequence[Token], words: tuple[str, ...], then: tuple[str, ...]) -> bool:
    found = len(tokens) > len(words) and all(
        t.kind == IDENT and w in ("", t.text) for t, w in zip(tokens, words, strict=False)
    )
    return found and (not then or tokens[len(words)].text in then)


def _in_attribute(declaration: Sequence[Token], token: Token) -> bool:
    """Whether a name stands where those of `[[gnu::unused]]` do."""
    k = next(k for k, other in enumerate(declaration) if other is token)
    return k > 0 and declaration[k - 1].text in ("[", ",", "[[")


def _method(declaration: Sequence[Token]) -> Token | None:
    """The body of a function that stands in one of a structure."""
    opening = [k for k in (1, 2) if k < len(declaration) and declaration[k].text == "{"]
    if declaration[0].text != "struct" or not opening:
        return None
    depth = [0]  # of round brackets, in each pair of braces
    for k in range(opening[0] + 1, len(declaration)):
        text = declaration[k].text
        if text == "{":
            last = [t.text for t in declaration[k - 2 : k]]
            if len(depth) == 1 and depth == [0] and (last[1] == ")" or last == [")", "const"]):
                return declaration[k]
            depth.append(0)
        elif text == "}":
            if len(depth) == 1:
                return None
            depth.pop()
        elif text in "()":
            depth[-1] += 1 if text == "(" else -1
    return None
