"""Certificates of invariants of threads of templates as data and as text (JSON).

They say which cells are constant, what counters of threads add up, of which groups of arrays an
element is chosen, and for each cut of a template (or two cuts) what holds while a thread stands
there (or two threads do): a formula over its registers, named `template:register`, those of the
second thread with a mark behind, over cells that threads share, and over counters, named `#number`.
What a thread weighs in a counter is a number, or an expression over its registers.
The number of the element that is chosen is `[array]`, by the first one of the group, and
`template:[array]` is 1 if the thread has read that one last. NOTE(template-invariants),
NOTE(chosen-elements)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from abpress.config import Place
from abpress.errors import InputError
from abpress.ir.expr import Const, Expr
from abpress.ir.program import Program
from abpress.logic.connectives import format_expr
from abpress.logic.formula import Formula, format_formula, parse_formula
from abpress.modular.templates.counting import COUNT, ThreadCounter
from abpress.modular.templates.paths import At, Key
from abpress.proof.certificate import Rejected
from abpress.proof.protocols import Claimed

FORMAT = "abpress template invariants"
VERSION = 3


@dataclass(frozen=True, slots=True)
class TemplateCertificate:
    """Why errors of a program are not reached, but for those of the edges `alarms`, nor undefined
    behaviour that it marks, but for that of the edges `faults`."""

    program: str
    property: str
    constants: Mapping[str, int]
    counters: tuple[ThreadCounter, ...]
    labels: Mapping[Key, Formula]
    alarms: tuple[Place, ...] = ()
    faults: tuple[Place, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    format: str = FORMAT

    def properties(self) -> tuple[str, ...]:
        """The property that it proves."""
        return (self.property,)

    def variant_of(self) -> tuple[str, ...]:
        """The property that the variant of the program is for."""
        return (self.property,)


def write_templates(program: Program, c: TemplateCertificate, claimed: Claimed) -> str:
    """The certificate as JSON; what is known of threads stands on a line for each place."""
    head: dict[str, Any] = {
        "format": c.format,
        "version": VERSION,
        "program": c.program,
        "property": c.property,
        "constants": dict(c.constants),
        "counters": [
            [[name, i, _written(n)] for (name, i), n in sorted(its.weights.items(), key=_place_of)]
            for its in c.counters
        ],
        "groups": c.groups,
        "alarms": c.alarms,
        "faults": c.faults,
    }
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    labels = (json.dumps([key, format_formula(f)]) for key, f in sorted(c.labels.items(), key=_at))
    lines.append(' "labels": [\n  ' + ",\n  ".join(labels) + "\n ]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _place_of(weight: tuple[At, Expr]) -> At:
    return weight[0]


def _written(weight: Expr) -> int | str:
    """A number, or the text of an expression."""
    return weight.value if isinstance(weight, Const) else format_expr(weight)


def _weight(data: Any) -> Expr:
    if type(data) is not str:
        return Const(_number(data), COUNT)
    from abpress.ir.expr_reader import parse_expr  # with the parser generator: takes time

    return parse_expr(data)


def _at(label: tuple[Key, Formula]) -> tuple[int, Key]:
    return len(label[0]), label[0]


def read_templates(data: Any) -> TemplateCertificate:
    """The certificate that JSON data says. Raises Rejected where it is of another form."""
    try:
        if data["version"] != VERSION:
            raise Rejected("the version of the format is not known")
        labels = {tuple(map(_place, key)): parse_formula(text) for key, text in data["labels"]}
        if len(labels) != len(data["labels"]):
            raise Rejected("it says something of a place twice")
        return TemplateCertificate(
            str(data["program"]),
            str(data["property"]),
            {str(cell): _number(n) for cell, n in data["constants"].items()},
            tuple(
                ThreadCounter({(str(name), _number(i)): _weight(n) for name, i, n in its})
                for its in data["counters"]
            ),
            labels,
            _edges(data["alarms"]),
            _edges(data["faults"]),
            tuple(tuple(map(_text, its)) for its in data["groups"]),
        )
    except (InputError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise Rejected(f"it is not of the form of such certificates: {error!r:.80}") from error


def _place(data: Any) -> At:
    name, location = data
    return str(name), _number(location)


def _edges(data: Any) -> tuple[Place, ...]:
    return tuple((str(name), _number(i), _number(k)) for name, i, k in data)


def _text(data: Any) -> str:
    if type(data) is not str:
        raise ValueError(data)
    return data


def _number(data: Any) -> int:
    if type(data) is not int:
        raise ValueError(data)
    return data
