"""GNU expressions: `a ?: b`, `&&label`."""

from __future__ import annotations

from abpress.errors import UnsupportedError
from abpress_frontend.clean.cleaner import Cleaner
from abpress_frontend.gnu import ELVIS_MARK
from abpress_frontend.tokens import CHARACTER, IDENT, NUMBER, STRING


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
