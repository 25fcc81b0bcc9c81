"""What certificates of facts claim where a thread stands, in words.

Where several sets of states are claimed of a place, that is told which holds in all of them, and of
each variable the values of all of them together: less than is claimed, and true as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from abpress.logic.formula import conjuncts, format_formula
from abpress.modular.addresses import AddressedCell
from abpress.modular.claims import Claims
from abpress.modular.classes import ThreadClass
from abpress.modular.state import Known
from abpress.modular.valuation import Variable
from abpress.modular.values import Atom, Number, Self, Value
from abpress.proof.bounds.certificate import BoundsCertificate
from abpress.proof.numbers.certificate import NumericCertificate, Span
from abpress.proof.templates.certificate import TemplateCertificate
from abpress.verify.page.names import CodeLine
from abpress.verify.page.words import Words

Invariant = tuple[CodeLine, str, list[str]]
"""A line, the threads that stand there, and what holds then."""

_Part = TypeVar("_Part")

_STATES = 3
"""That a thread may have: not begun, running, ended."""

_BOUND = re.compile(r"([\w.:\[\]]+) (>=|<=|!=|==) (-?\d+)")
_MOST_FACTS = 8

_WIDEST = 1 << 31
"""Bounds from here on are those of a type, and say nothing."""


def of_claims(claims: Claims, words: Words) -> Iterator[Invariant]:
    """What holds where single threads stand."""
    threads = [thread_name(claims.classes, number) for number in range(len(claims.classes))]
    for cls, its in enumerate(claims.classes):
        known = {at: parts for (one, at), parts in claims.known.items() if one == cls}
        for line, parts in _by_line(its.template, known, words):
            yield line, threads[cls], list(_known(parts, cls, threads, words, its.template))


def _by_line(
    template: str, parts: Mapping[int, Sequence[_Part]], words: Words
) -> Iterator[tuple[CodeLine, list[_Part]]]:
    """The parts of all locations of each line, where there are some."""
    for line in words.names.lines(template):
        its = [part for location in line.locations for part in parts.get(location, ())]
        if its:
            yield line, its


def _stands(
    stands: Mapping[tuple[str, int], Sequence[_Part]], words: Words
) -> Iterator[tuple[str, CodeLine, list[_Part]]]:
    """The same of all templates, each with its name."""
    for template in dict.fromkeys(name for name, _ in stands):
        its = {location: parts for (name, location), parts in stands.items() if name == template}
        for line, parts in _by_line(template, its, words):
            yield template, line, parts


def thread_name(classes: tuple[ThreadClass, ...], number: int) -> str:
    """The threads of a class: by their function, and a number where others have the same."""
    its = classes[number].template
    same = [k for k, one in enumerate(classes) if one.template == its]
    return its if len(same) == 1 else f"{its} #{same.index(number) + 1}"


def _known(
    parts: Sequence[Known],
    cls: int,
    threads: list[str],
    words: Words,
    template: str,
) -> Iterator[str]:
    shared = set(parts[0].values).intersection(*(set(part.values) for part in parts))
    for variable in sorted(shared, key=str):
        atoms: set[Atom] = set()
        for part in parts:
            value: Value = part.get(variable)
            atoms |= value or set()
        told = _about(variable, atoms, cls, threads, words, template)
        if told:
            yield told


def _about(
    variable: Variable,
    atoms: set[Atom],
    cls: int,
    threads: list[str],
    words: Words,
    template: str,
) -> str:
    """What is said of a variable; nothing of temporaries and of what models keep."""
    if isinstance(variable, AddressedCell):
        return ""
    if isinstance(variable, str):
        name = words.names.register(variable)
        return words.values(name, atoms, threads) if name else ""
    kind, owner, name = variable.origin
    if kind == "thread":
        states = sorted(a.value for a in atoms if isinstance(a, Number))
        telling = owner not in (cls, 0) and 0 < len(states) < _STATES
        return words.status(threads[owner], states) if telling else ""
    if kind not in ("static", "local"):
        return ""
    cell = words.names.cell(name, variable.offset, template)
    if words.names.kept(name, variable.offset):
        lock, _, member = cell.rpartition(".")
        return words.holds(lock) if member == "owner" and atoms == {Self()} else ""
    return words.values(cell, atoms, threads)


def of_numbers(certificate: NumericCertificate, words: Words) -> Iterator[Invariant]:
    """Between which numbers registers and cells are."""
    for template, line, stands in _stands(certificate.stands, words):
        regs = _hull([stand.regs for stand in stands])
        cells = _hull([stand.cells for stand in stands])
        told = [
            *(_span(words.names.register(name), span, words) for name, span in regs.items()),
            *(_span(_cell(name, words, template), span, words) for name, span in cells.items()),
        ]
        yield line, template, [text for text in told if text]


def _cell(name: str, words: Words, template: str) -> str:
    """A cell of which a certificate says `object+offset`; empty where a model keeps its state."""
    object, _, offset = name.rpartition("+")
    if not offset.isdecimal():
        return name
    kept = words.names.kept(object, int(offset))
    return "" if kept else words.names.cell(object, int(offset), template)


def _hull(boxes: list[Mapping[str, Span]]) -> dict[str, Span]:
    shared = set(boxes[0]).intersection(*boxes)
    return {
        name: (min(box[name][0] for box in boxes), max(box[name][1] for box in boxes))
        for name in sorted(shared)
    }


def _span(name: str, span: Span, words: Words) -> str:
    low, high = span
    if not name:
        return ""
    return words.interval(
        name, low if abs(low) < _WIDEST else None, high if abs(high) < _WIDEST - 1 else None
    )


def of_accesses(certificate: BoundsCertificate, words: Words) -> Iterator[Invariant]:
    """How far variables are apart."""
    for template, line, stands in _stands(certificate.stands, words):
        shared = set(stands[0].differences).intersection(*(s.differences for s in stands))
        told = [
            words.difference(first, second, most)
            for first, second, most in sorted(shared)
            if "%" not in first + second
        ]
        yield line, template, [text for text in told if text]


def of_templates(certificate: TemplateCertificate, words: Words) -> Iterator[Invariant]:
    """What holds where a thread stands, whatever number of threads there are."""
    labels = {key[0]: [formula] for key, formula in certificate.labels.items() if len(key) == 1}
    for template, line, formulas in _stands(labels, words):
        told = [{words.formula(format_formula(part)) for part in conjuncts(f)} for f in formulas]
        shared = set.intersection(*told)
        named = (text for text in shared if text and "%" not in text)
        yield line, f"each {template}", shortened(named, words)


def shortened(facts: Iterable[str], words: Words) -> list[str]:
    """Without bounds and alternatives that others imply; those that are least simple last, and of
    many the first."""
    facts = set(facts)
    bounds: dict[str, list[int | None]] = {}
    apart: dict[str, list[int]] = {}
    others = []
    for fact in sorted(facts, key=lambda fact: (" or " in fact, len(fact), fact)):
        ways = fact.split(" or ") if " and " not in fact else []
        if len(ways) > 1 and not facts.isdisjoint(ways):
            continue
        found = _BOUND.fullmatch(fact)
        if found is None:
            others.append(fact)
            continue
        its, number = bounds.setdefault(found[1], [None, None]), int(found[3])
        if found[2] == "!=":
            apart.setdefault(found[1], []).append(number)
        if found[2] in (">=", "=="):
            its[0] = number if its[0] is None else max(its[0], number)
        if found[2] in ("<=", "=="):
            its[1] = number if its[1] is None else min(its[1], number)
    told = [words.interval(name, low, high) for name, (low, high) in bounds.items()]
    for name, numbers in apart.items():
        low, high = bounds[name]
        inside = (n for n in numbers if (low is None or n >= low) and (high is None or n <= high))
        told += [f"{name} != {n}" for n in inside]
    told = [*filter(None, told), *others]
    more = len(told) - _MOST_FACTS
    return told if more <= 0 else [*told[:_MOST_FACTS], *filter(None, [words.more(more)])]
