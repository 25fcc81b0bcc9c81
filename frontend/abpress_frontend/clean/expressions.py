"""GNU expressions: `a ?: b`, `&&label`, `__alignof__`, `__builtin_types_compatible_p`."""

from __future__ import annotations

from abpress.errors import UnsupportedError
from abpress_frontend.clean.cleaner import Cleaner
from abpress_frontend.gnu import ELVIS_MARK
from abpress_frontend.tokens import CHARACTER, IDENT, NUMBER, PUNCTUATOR, STRING, Token


def question(cleaner: Cleaner, i: int) -> int:
    """Marks the operand that is left out in `a ?: b`."""
    token = cleaner.tokens[i]
    i = cleaner.copy(i)
    if cleaner.text(i) == ":":
        cleaner.has_elvis = True
        cleaner.put(token, IDENT, ELVIS_MARK)
        return cleaner.copy(i)  # the colon is not that of an enclosing case
    return i


def double_ampersand(cleaner: Cleaner, i: int) -> int:
    """Copies `&&` between operands; raises UnsupportedError for the address of a label."""
    before = cleaner.out[-1] if cleaner.out else None
    is_binary = before is not None and (
        before.kind in (NUMBER, STRING, CHARACTER)
        or before.text in (")", "]", "}", "++", "--")
        or (before.kind == IDENT and before.text not in ("return", "case", "else", "do"))
    )
    if not is_binary:
        raise UnsupportedError("address of a label", cleaner.tokens[i].position)
    return cleaner.copy(i)


def alignof(cleaner: Cleaner, i: int) -> int:
    """Makes `_Alignof(typeof(x))` of `__alignof__(x)`, as pycparser takes only types there."""
    end = cleaner.argument_end(i)
    token = cleaner.tokens[i]
    for text in ("_Alignof", "(", "typeof"):
        cleaner.put(token, IDENT if text != "(" else PUNCTUATOR, text)
    cleaner.out += cleaner.cleaned(cleaner.tokens[i + 1 : end + 1])
    cleaner.put(token, PUNCTUATOR, ")")
    return end + 1


def types_compatible(cleaner: Cleaner, i: int) -> int:
    """Makes the types in `__builtin_types_compatible_p(T, U)` operands of `sizeof`."""
    end = cleaner.argument_end(i)
    token = cleaner.tokens[i]
    cleaner.copy(i)
    depth = 0
    part: list[Token] = []
    cleaner.put(token, PUNCTUATOR, "(")
    for inner in cleaner.tokens[i + 2 : end + 1]:
        if depth == 0 and inner.text in (",", ")"):
            cleaner.put(inner, IDENT, "sizeof")
            cleaner.put(inner, PUNCTUATOR, "(")
            cleaner.out += cleaner.cleaned(part) if part else []
            cleaner.put(inner, PUNCTUATOR, ")")
            cleaner.out.append(inner)
            part = []
            continue
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(inner.text, 0)
        part.append(inner)
    return end + 1
