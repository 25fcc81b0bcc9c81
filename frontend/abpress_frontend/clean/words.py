"""Words of GNU C that are replaced, dropped or refused wherever they stand."""

from __future__ import annotations

from abpress_frontend.clean.cleaner import Cleaner
from abpress_frontend.gnu import REFUSED, RENAMED
from abpress_frontend.tokens import IDENT


def rename(cleaner: Cleaner, i: int) -> int:
    """Writes the word as standard C spells it."""
    token = cleaner.tokens[i]
    cleaner.put(token, IDENT, RENAMED[token.text])
    return i + 1


def drop(cleaner: Cleaner, i: int) -> int:
    """Leaves out a word that does not change the meaning."""
    return i + 1


def refuse(cleaner: Cleaner, i: int) -> int:
    """Refuses a word whose meaning is not supported."""
    cleaner.refuse(cleaner.tokens[i], REFUSED[cleaner.text(i)])
    return cleaner.copy(i)
