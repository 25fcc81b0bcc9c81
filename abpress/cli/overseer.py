"""What a command tells the process that watches it, and what is said for it if it is ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from abpress.search.limits import Limits

REASON = "{reason}"
"""Where the reason goes in last words."""
ANSWER_S = 1.4
"""Seconds past its limit of time after which a command is ended that is writing its answer, if it
has not asked for more."""


@dataclass(frozen=True, slots=True)
class LastWords:
    """What is said for a command that is ended: `{reason}` is where the reason goes.

    The lines are printed, then the `numbers` and the cost (None: neither), as `number_lines` does;
    `data` with the cost is written to `file`. `status` is the exit status.
    """

    lines: Sequence[str]
    numbers: Mapping[str, str] | str | None = None
    file: str | None = None
    data: Mapping[str, Any] | None = None
    status: int = 2


@dataclass(frozen=True, slots=True)
class FirstWords:
    """What is known of a command before it has begun: its limits, and its last words until then."""

    limits: Limits
    words: LastWords | None = None


NOTHING_KNOWN = FirstWords(Limits())


class Overseer:
    """Who is told what a command is about. This one is nobody: the command runs alone."""

    @property
    def started(self) -> float | None:
        """When the limit of time began for the command, in `time.monotonic`; None: now."""
        return None

    def limits(self, limits: Limits) -> None:
        """The limits of the command, which begin at `started`."""

    def last_words(self, words: LastWords) -> None:
        """What to say if the command is ended from now on."""

    def reports(self, files: Mapping[str, str]) -> None:
        """What is written if the command is ended before it answers, by file."""

    def patience(self, seconds: float) -> None:
        """How long the command has to answer after the user has asked it to stop."""

    def answers(self, lines: Sequence[str] = (), seconds: float = ANSWER_S) -> None:
        """From now on the command writes its answer, and its reports, for which it has so long past
        its limit; these lines are said if it takes longer."""

    def answered(self, status: int) -> None:
        """The answer is written, and this is its exit status."""


NOBODY = Overseer()
