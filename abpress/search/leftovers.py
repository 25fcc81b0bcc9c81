"""What a search leaves when a limit ends it.

To free many states, or to look for cycles in them, takes up to a fifth of the time in which they
were found, and nobody should wait for that: they are kept until memory is wanted, or the process
ends.
"""

from __future__ import annotations

import gc

_LEFT: list[object] = []
_spared_before = False


def leave(*things: object) -> None:
    """Keeps them until `clear`, and spares the collector of cycles what there is by now."""
    global _spared_before
    if not _LEFT:
        _spared_before = gc.get_freeze_count() > 0
    _LEFT.extend(things)
    gc.freeze()


def clear() -> None:
    """Frees all that was left. What others had spared before, the collector is spared for good: it
    cannot be told from the rest."""
    if _LEFT:
        _LEFT.clear()
        if not _spared_before:
            gc.unfreeze()
