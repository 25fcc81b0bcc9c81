"""What is known of a command, and said of it, before it has begun: from its arguments alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from abpress.cli.first_options import first_options
from abpress.cli.output import VERSION
from abpress.cli.overseer import NOTHING_KNOWN, REASON, FirstWords, LastWords
from abpress.config import Config
from abpress.search.limits import WHILE_READING, Limits

_LINES = {
    "verify": f"abpress verdict: unknown ({REASON}{WHILE_READING})",
    "explore": f"abpress verdict: unknown ({REASON}{WHILE_READING})",
    "linearize": f"abpress verdict: unknown ({REASON})",
    "check-proof": f"abpress proof: unknown ({REASON})",
    "validate": f"abpress witness: unknown ({REASON})",
    "replay": f"abpress replay: unknown ({REASON})",
}
"""Command -> its answer if it gets no further."""

_PROPERTIES = {"verify": "all", "explore": "unreach-call"}
"""Command -> the property that it asks for if none is named."""

_DEFAULTS = Config.of(Path())


def first_words(arguments: Sequence[str]) -> FirstWords:
    """The limits on a command line, and the answer of a command that is ended before it speaks."""
    options = first_options(arguments[1:]) if arguments else None
    if options is None:
        return NOTHING_KNOWN
    limits = Limits(options.time_limit, options.memory_limit)
    if arguments[0] not in _LINES or options.compare is not None:
        return FirstWords(limits)
    data: dict[str, Any] = {"verdict": "unknown"}
    if arguments[0] == "linearize":
        data |= {"about": REASON, "assumptions": [], "clients": []}
    else:
        data = {
            "version": VERSION,
            **data,
            "property": ",".join(options.property or [_PROPERTIES.get(arguments[0], "")]),
            "reason": REASON + WHILE_READING,
            "vacuous": None,
            "engine": options.engine or _DEFAULTS.search.engine,
            "reduction": options.por or _DEFAULTS.search.por,
            "statistics": {},
            "trace": None,
            "assumptions": [],
            "warnings": [],
            "data_model": None,
        }
    speaks = not options.quiet and arguments[0] not in ("check-proof", "validate", "replay")
    short = arguments[0] == "verify" and not options.stats
    numbers: dict[str, str] | str = f"unknown by {data['engine']}" if short else {}
    file = None if options.json is None else str(options.json)
    words = LastWords([_LINES[arguments[0]]], numbers if speaks else None, file, data)
    return FirstWords(limits, words)
