"""What a solver answers, and what an encoding cannot ask it."""

from __future__ import annotations

from enum import Enum


class Answer(Enum):
    """UNKNOWN: z3 gave up within its limit. It allows no conclusion."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


OPPOSITE = {Answer.YES: Answer.NO, Answer.NO: Answer.YES, Answer.UNKNOWN: Answer.UNKNOWN}
"""The answer to a question -> the answer to the opposite question."""


class NotExact(Exception):
    """This encoding cannot say this exactly; bit-vectors can."""


class Floating(NotExact):
    """It is floating-point arithmetic, about which bit-vectors take long to answer."""
