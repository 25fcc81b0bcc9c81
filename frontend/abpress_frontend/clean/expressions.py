"""GNU expressions: `a ?: b`, `&&label`."""

from __future__ import annotations

from abpress.errors import InputError
from abpress_frontend.clean.cleaner import Cleaner
from abpress_frontend.gnu import ELVIS_MARK, LABEL_ADDRESS
from abpress_frontend.tokens import CHARACTER, IDENT, NUMBER, PUNCTUATOR, STRING


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
    """Copies `&&` between operands; the address of a label becomes a call of LABEL_ADDRESS."""
    before = cleaner.out[-1] if cleaner.out else None
    is_binary = before is not None and (
        before.kind in (NUMBER, STRING, CHARACTER)
        or before.text in (")", "]", "}", "++", "--")
        or (before.kind == IDENT and before.text not in ("return", "case", "else", "do"))
    )
    if not is_binary:
        token, label = cleaner.tokens[i], cleaner.tokens[i + 1]
        if label.kind != IDENT:
            raise InputError("a label is expected here", label.position)
        cleaner.put(token, IDENT, LABEL_ADDRESS)
        cleaner.put(token, PUNCTUATOR, "(")
        cleaner.put(label, STRING, f'"{label.text}"')
        cleaner.put(label, PUNCTUATOR, ")")
        return i + 2
    return cleaner.copy(i)
