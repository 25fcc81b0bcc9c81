"""Names of properties: short names, and SV-COMP property files by their content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from abpress.errors import InputError, Position, UnsupportedError
from abpress.properties.steps import UnreachCall
from abpress.properties.table import PROPERTIES

_CHECK = re.compile(r"\s*CHECK\s*\(\s*init\s*\((.*)\)\s*,\s*LTL\s*\((.*)\)\s*\)\s*")
_NO_CALL = re.compile(r"G!call\((\w+)\(\)\)")


ERROR_FUNCTIONS = ("reach_error", "__VERIFIER_error")
"""Functions whose calls are errors, and that a property file can name."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for: a key of `PROPERTIES`, and the only function whose call is an error.

    A short name asks for any error (None).
    """

    property: str
    error_function: str | None = None


def property_key(text: str) -> str:
    """The key in `PROPERTIES` of what is asked for. Raises as `question_of`."""
    return question_of(text).property


def question_of(text: str) -> Asked:
    """What a short name or the path of a property file asks for.

    The name of a property file does not matter, its content does. Raises `InputError` if `text` is
    neither a known name nor a property file, `UnsupportedError` if the file asks for a property
    that is not supported.
    """
    if text in PROPERTIES:
        return Asked(text)
    path = Path(text)
    if not path.is_file():
        known = ", ".join(PROPERTIES)
        raise InputError(f"property {text!r} is neither a file nor one of {known}")
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"property file {text}: {error}") from error
    return parse_prp(content, text)


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
        checks.append((number, match))
    if not checks:
        raise InputError("the property file is empty", Position(name, 1, 1))
    if len(checks) > 1:
        formulas = ", ".join(match[2].strip() for _, match in checks)
        raise UnsupportedError(
            f"a conjunction of properties ({formulas})", Position(name, checks[1][0], 1)
        )
    number, match = checks[0]
    entry, formula = _squeeze(match[1]), _squeeze(match[2])
    if entry not in ("main()", "Main.main()"):
        raise UnsupportedError(f"a property of the entry {match[1]}", Position(name, number, 1))
    call = _NO_CALL.fullmatch(formula)
    if call is not None and call[1] in ERROR_FUNCTIONS:
        return Asked(UnreachCall.name, call[1])
    for key, property in PROPERTIES.items():
        if _squeeze(property.ltl) == formula:
            return Asked(key)
    raise UnsupportedError(f"the property {match[2].strip()}", Position(name, number, 1))


def _squeeze(formula: str) -> str:
    return "".join(formula.split())
