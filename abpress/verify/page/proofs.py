"""How a property was shown: what certificates say, line by line, and what was searched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from abpress.errors import printable
from abpress.proof.bounds.certificate import BoundsCertificate
from abpress.proof.certificate import Certificate, is_lean, parsed
from abpress.proof.facts import FactsProof
from abpress.proof.joint import JointFacts
from abpress.proof.kinds import kind_of
from abpress.proof.numbers.certificate import NumericCertificate
from abpress.proof.sequence import SequenceProof
from abpress.proof.templates.certificate import TemplateCertificate
from abpress.verify.load import Programs
from abpress.verify.page.facts import (
    Invariant,
    of_accesses,
    of_claims,
    of_numbers,
    of_templates,
    shortened,
)
from abpress.verify.page.names import ModelNames
from abpress.verify.page.sources import ShownFiles
from abpress.verify.page.words import Words

_MOST_CASES = 4
"""Cases of a line, for nodes with different labels, that are told."""

_TREE = (
    "A tree with {nodes} nodes covers all executions but for the order of steps that commute."
    " Beside a line stands what holds in the executions of the tree when a thread begins a step"
    " there, which it does not each time that it passes the line."
)
_FACTS = "Beside the lines stands what holds in all executions while a thread stands there."


def proof_data(certificate: str | None, programs: Programs, files: ShownFiles) -> dict[str, Any]:
    """What a certificate says, for JSON: `how` the property was shown, and `lines`. Raises
    InputError and UnsupportedError."""
    said: list[dict[str, Any]] = []
    how: dict[str, None] = {}
    for part, words in parts_of(certificate, programs, files):
        how.setdefault(_how(part))
        said += _lines(part, words)
    return {"how": " ".join(how), "lines": _once(said)}


def parts_of(
    certificate: str | None,
    programs: Programs,
    files: ShownFiles,
    words: Callable[[ModelNames], Words] = Words,
) -> Iterator[tuple[Any, Words]]:
    """What certificates rest on, each with words for the program that it is about; None has
    nothing. Raises InputError and UnsupportedError."""
    data = [] if certificate is None else parsed(certificate)
    for one in data if isinstance(data, list) else [data]:
        proof = kind_of(one).read(one)
        program = programs.of(tuple(proof.variant_of()), lean=is_lean(proof)).program
        its = words(ModelNames(program, files))
        for part in proof.parts if isinstance(proof, JointFacts) else (proof,):
            yield part, its


def _how(proof: Any) -> str:
    return _TREE.format(nodes=len(proof.nodes)) if isinstance(proof, Certificate) else _FACTS


def _lines(proof: Any, words: Words) -> Iterator[dict[str, Any]]:
    for line, thread, told in invariants_of(proof, words):
        if isinstance(proof, Certificate):
            own = re.compile(rf"(?<![\w.]){re.escape(thread)}:")
            told = shortened([own.sub("", text) for text in told], words)
        if told:
            yield {**line.place, "thread": printable(thread), "says": list(map(printable, told))}


def invariants_of(proof: Any, words: Words) -> Iterator[Invariant]:
    """What one says of lines."""
    match proof:
        case Certificate():
            return _of_tree(proof, words)
        case FactsProof() | SequenceProof():
            return of_claims(proof.claims, words)
        case NumericCertificate():
            return of_numbers(proof, words)
        case BoundsCertificate():
            return of_accesses(proof, words)
        case TemplateCertificate():
            return of_templates(proof, words)
    return iter(())


def _of_tree(proof: Certificate, words: Words) -> Iterator[Invariant]:
    """What holds at the nodes at which a thread stands somewhere: what all their labels have, and
    the cases in which they have more."""
    formulas = [words.formula(text) for text in proof.formulas]
    told = {k for k, text in enumerate(formulas) if text and "%" not in text}
    labels: dict[tuple[str, str], dict[int, set[frozenset[int]]]] = {}
    for node in proof.nodes:
        for thread, stands in proof.places[node.place].threads.items():
            template, _, location = stands.rpartition(" L")
            if location.isdecimal() and template in words.names.program.templates:
                at = labels.setdefault((thread, template), {}).setdefault(int(location), set())
                at.add(frozenset(told.intersection(node.label)))
    for (thread, template), known in sorted(labels.items()):
        for line in words.names.lines(template):
            cases = set().union(*(known.get(location, ()) for location in line.locations))
            if cases:
                yield line, thread, list(_cases(cases, formulas, words))


def _cases(cases: set[frozenset[int]], formulas: Sequence[str], words: Words) -> Iterator[str]:
    """What holds in all cases, and what in some of them, if these are few."""
    shared = frozenset.intersection(*cases)
    yield from (formulas[k] for k in sorted(shared))
    weakest = {case - shared for case in cases if not any(other < case for other in cases)}
    if frozenset() not in weakest and len(weakest) <= _MOST_CASES:
        yield words.one_of([formulas[k] for k in sorted(case)] for case in weakest)


def _once(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What is said of the same threads in one line, together, each once."""
    found: dict[tuple[int, int, str], dict[str, Any]] = {}
    for one in lines:
        its = found.setdefault((one["file"], one["line"], one["thread"]), {**one, "says": []})
        its["says"] += [text for text in one["says"] if text not in its["says"]]
    return [found[key] for key in sorted(found)]
