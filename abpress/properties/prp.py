"""Names of properties: short names, groups, and SV-COMP property files by their content."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from abpress.errors import InputError, Position, UnsupportedError, did_you_mean
from abpress.properties.steps import UnreachCall
from abpress.properties.table import GROUPS, PROPERTIES

_CHECK = re.compile(r"\s*CHECK\s*\(\s*init\s*\((.*)\)\s*,\s*LTL\s*\((.*)\)\s*\)\s*")
_NO_CALL = re.compile(r"G!call\((\w+)\(\)\)")


ERROR_FUNCTIONS = ("reach_error", "__VERIFIER_error")
"""Functions whose calls are errors, and that a property file can name."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for: keys of `PROPERTIES`, and the only function whose call is an error.

    A short name asks for any error (None).
    """

    properties: tuple[str, ...]
    error_function: str | None = None

    @property
    def key(self) -> str:
        """A short name for it: that of the property or the group, or names with commas."""
        if len(self.properties) == 1:
            return self.properties[0]
        groups = (n for n, its in GROUPS.items() if set(its) == set(self.properties))
        return next(groups, ",".join(self.properties))


def property_key(text: str) -> str:
    """The short name of what is asked for. Raises as `question_of`."""
    return question_of([text]).key


def question_of(texts: Sequence[str]) -> Asked:
    """What is asked for by short names of properties and groups, and paths of property files.

    A text may have several names, with commas between them; no text asks for everything. The name
    of a property file does not matter, its content does. Raises `InputError` if one is neither a
    known name nor a property file, or if they contradict each other; `UnsupportedError` if a file
    asks for a property that is not supported.
    """
    together = _together([_question_of(text) for text in texts])
    return together if texts else Asked(GROUPS["all"])


def by_file(texts: Sequence[str]) -> bool:
    """Whether any of the texts is the path of a property file, as tasks of a competition have."""
    return any(_names(text) is None for text in texts)


def _names(text: str) -> list[str] | None:
    """The names of properties and groups in a text; None if it is something else."""
    names = [name.strip() for name in text.split(",")]
    return names if all(name in PROPERTIES or name in GROUPS for name in names) else None


def _question_of(text: str) -> Asked:
    names = _names(text)
    if names is not None:
        keys = (key for name in names for key in GROUPS.get(name, (name,)))
        return Asked(tuple(dict.fromkeys(keys)))
    path = Path(text)
    if not path.is_file():
        known = (*PROPERTIES, *GROUPS)
        wrong = next((name for name in text.split(",") if name.strip() not in known), text)
        guess = did_you_mean(wrong, known)
        raise InputError(
            f"property {text!r} is neither a file nor one of {', '.join(known)}{guess}"
        )
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"property file {text}: {error}") from error
    return parse_prp(content, text)


def check_line(ltl: str) -> str:
    """The line of a property file that asks for a formula."""
    return f"CHECK( init(main()), LTL({ltl}) )"


def _together(questions: Sequence[Asked]) -> Asked:
    """All questions as one. Raises InputError if they mean different errors."""
    keys = dict.fromkeys(key for asked in questions for key in asked.properties)
    errors = {asked.error_function for asked in questions if UnreachCall.name in asked.properties}
    if len(errors) > 1:
        meant = ", ".join(sorted(error or "any error" for error in errors))
        raise InputError(f"the properties contradict each other in what is an error: {meant}")
    return Asked(tuple(keys), next(iter(errors), None))


def parse_prp(content: str, name: str) -> Asked:
    """What the content of an SV-COMP property file asks for.

    `name` is the file's, for messages. Raises as `question_of`.
    """
    checks = []
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        match = _CHECK.fullmatch(line)
        if match is None:
            raise InputError(
                "not a line of a property file: CHECK( init(main()), LTL(…) ) is expected",
                Position(name, number, 1),
            )
        checks.append(_check(match, Position(name, number, 1)))
    if not checks:
        raise InputError("the property file is empty", Position(name, 1, 1))
    return _together(checks)


def _check(match: re.Match[str], position: Position) -> Asked:
    """What a line asks for."""
    entry, formula = _squeeze(match[1]), _squeeze(match[2])
    if entry not in ("main()", "Main.main()"):
        raise UnsupportedError(f"a property of the entry {match[1]}", position)
    call = _NO_CALL.fullmatch(formula)
    if call is not None and call[1] in ERROR_FUNCTIONS:
        return Asked((UnreachCall.name,), call[1])
    for key, property in PROPERTIES.items():
        if _squeeze(property.ltl) == formula:
            return Asked((key,))
    raise UnsupportedError(f"the property {match[2].strip()}", position)


def _squeeze(formula: str) -> str:
    return "".join(formula.split())
