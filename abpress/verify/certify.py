"""Certificates of verdicts: made and checked before they are handed out, and checked for others."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from abpress.config import Config
from abpress.engines.table import Evidence
from abpress.ir.program import Program
from abpress.proof.certificate import (
    Certificate,
    Rejected,
    Unchecked,
    format_certificate,
    parse_certificate,
)
from abpress.proof.check import Accepted, check
from abpress.proof.facts import (
    ASSUMPTION,
    FactsProof,
    check_facts,
    format_facts,
    property_of_facts,
)
from abpress.proof.numbers.certificate import (
    NumericCertificate,
    format_numeric,
    is_numeric,
    read_numeric,
)
from abpress.proof.numbers.check import PROPERTY, check_numbers
from abpress.proof.write import certificate
from abpress.properties import PROPERTIES
from abpress.semantics.outcome import Options
from abpress.verify.load import load


def certified(
    program: Program, config: Config, evidence: Evidence, proved: Sequence[str] | None = None
) -> str:
    """The text of the certificate of a complete tree, or of facts, for the properties that it
    proves: these, or all that are asked.

    The program is the variant that `config.question.properties` are asked of.

    Raises Unchecked, and AssertionError if the checker rejects it: then engine or checker is wrong.
    Facts may be lost where the analysis joins others to them; then there is no proof.
    """
    options = Options.within(config.bounds)
    try:
        if isinstance(evidence, FactsProof):
            text = format_facts(program, evidence)
            try:
                check_facts(program, text)
            except Rejected as error:
                raise Unchecked(error.reason) from error
        elif isinstance(evidence, NumericCertificate):
            text = format_numeric(evidence)
            try:
                check_numbers(program, read_numeric(text))
            except Rejected as error:
                raise Unchecked(error.reason) from error
        else:
            asked = config.question.properties
            proves = ",".join(asked if proved is None else proved)
            proof = certificate(program, proves, options, evidence, ",".join(asked))
            text = format_certificate(proof)
            check(program, parse_certificate(text))
    except Rejected as error:
        raise AssertionError(f"the certificate is rejected: {error.reason}") from error
    return text


def together(certificates: Iterable[str]) -> str | None:
    """The text of several certificates: of one its own, else a list of them; None of none."""
    texts = [text.rstrip() for text in dict.fromkeys(certificates)]
    if not texts:
        return None
    return texts[0] + "\n" if len(texts) == 1 else "[\n" + ",\n".join(texts) + "\n]\n"


def check_proof(config: Config, text: str) -> tuple[Accepted, ...]:
    """Checks a certificate, or each of several, for the program of `config.program.file`.

    A certificate says for which properties and bounds. Raises Rejected, Unchecked, InputError and
    UnsupportedError.
    """
    found = []
    for one in _each(text):
        property = property_of_facts(one)
        if property is not None:
            found.append(_check_facts(config, property, one))
        elif is_numeric(one):
            found.append(_check_numbers(config, one))
        else:
            found.append(_check_tree(config, parse_certificate(one)))
    return tuple(found)


def _each(text: str) -> Iterator[str]:
    """The texts of the certificates in a file."""
    if not text.lstrip().startswith("["):
        yield text
        return
    try:
        yield from map(json.dumps, json.loads(text))
    except (ValueError, RecursionError) as error:
        raise Rejected(f"the file is damaged: {error}") from error


def _check_tree(config: Config, proof: Certificate) -> Accepted:
    """Checks a certificate that is a tree."""
    asked = proof.variant_of()
    for name in (*proof.properties(), *asked):
        if name not in PROPERTIES:
            raise Rejected(f"the property {name:.80} is not known")
    if not set(proof.properties()) <= set(asked):
        raise Rejected("it is for a program that does not show what the properties look at")
    loaded = load(config.but(properties=asked))
    accepted = check(loaded.program, proof)
    assumptions = dict.fromkeys((*loaded.assumptions, *accepted.assumptions))
    return replace(accepted, assumptions=tuple(assumptions))


def _check_numbers(config: Config, text: str) -> Accepted:
    """Checks a certificate of numeric facts; what it counts are sets of states, and edges."""
    loaded = load(config.but(property=PROPERTY))
    accepted = check_numbers(loaded.program, read_numeric(text))
    assumptions = dict.fromkeys((*loaded.assumptions, *accepted.assumptions))
    return replace(accepted, assumptions=tuple(assumptions))


def _check_facts(config: Config, property: str, text: str) -> Accepted:
    """Checks a certificate of facts about single threads; what it counts are sets of states."""
    if property not in PROPERTIES:
        raise Rejected(f"the property {property:.80} is not known")
    loaded = load(config.but(property=property))
    proof = check_facts(loaded.program, text)
    assumptions = dict.fromkeys((*loaded.assumptions, ASSUMPTION))
    known = proof.claims.known.values()
    return Accepted(property, tuple(assumptions), sum(map(len, known)), len(proof.claims.reasons))
