"""Interrupting a question to z3 from another thread: the one that asks it waits in z3."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import z3

_asking: dict[int, z3.Context] = {}
"""Of each thread that waits for an answer now, the context in which z3 looks for it."""


@contextmanager
def interruptible_question(context: z3.Context) -> Iterator[None]:
    """While in force, `interrupt_question` ends what z3 does in this context for this thread."""
    thread = get_ident()
    _asking[thread] = context
    try:
        yield
    finally:
        _asking.pop(thread, None)


def interrupt_question(thread: int) -> None:
    """Has z3 give up the question that a thread waits for; one that only begins may go on."""
    context = _asking.get(thread)
    if context is not None:
        context.interrupt()


def is_interruption(error: BaseException | None) -> bool:
    """Whether z3 refuses to go on in a context that was interrupted: who is told to give up a
    question when it was over just then, goes on with others until the handler runs."""
    return type(error).__name__ == "Z3Exception" and "canceled" in str(error)
