"""Results of calls of the library in which something is chosen: a failure, or a number."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from abpress.errors import Position
from abpress.semantics.tracing import TracedAction
from abpress.witness.trace import Values

LibraryCall = tuple[Position, str]
"""A call of the library: its place in the user's text, and the function."""

_INTEGER = re.compile(r"-?\d+")


def library_call(position: Position) -> LibraryCall | None:
    """The call of the library that an action belongs to: the innermost of the user's text. None of
    the user's own actions, and of those of the library that nobody calls."""
    call = None
    for outer, inner in pairwise((*position.stack, position)):
        if inner.in_model and not outer.in_model:
            call = outer, inner.function
        elif not inner.in_model:
            call = None
    return call


@dataclass(slots=True)
class _Current:
    """A call so far. Mutable."""

    call: LibraryCall
    chooses: bool = False
    last: str = ""  # what was assigned last: at its end that is the result


@dataclass(slots=True)
class LibraryResults:
    """Knows the calls in which the threads of an execution are. Mutable."""

    _current: dict[int, _Current] = field(default_factory=dict)

    def before(self, thread: int, event: TracedAction) -> Values:
        """What the call has returned that the thread has left by this action; nothing if it is
        still there, or has chosen nothing, or if its result is no number."""
        call = library_call(event.position)
        its = self._current.get(thread)
        returned: Values = ()
        if its is not None and its.call != call:
            del self._current[thread]
            if its.chooses and _INTEGER.fullmatch(its.last):
                returned = ((its.call[1], its.last),)
        if call is not None:
            its = self._current.setdefault(thread, _Current(call))
            its.chooses = its.chooses or bool(event.choices)
            its.last = event.registers[-1][1] if event.registers else its.last
        return returned
