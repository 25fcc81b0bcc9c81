"""Certificates of verdicts: made and checked before they are handed out, and checked for others."""

from __future__ import annotations

from dataclasses import replace

from abpress.config import Config
from abpress.engines.table import Evidence
from abpress.ir.program import Program
from abpress.proof.certificate import (
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


def certified(program: Program, config: Config, evidence: Evidence) -> str:
    """The text of the certificate of a complete tree, or of facts.

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
            proof = certificate(program, config.question.property, options, evidence)
            text = format_certificate(proof)
            check(program, parse_certificate(text))
    except Rejected as error:
        raise AssertionError(f"the certificate is rejected: {error.reason}") from error
    return text


def check_proof(config: Config, text: str) -> Accepted:
    """Checks a certificate for the program of `config.program.file`.

    The certificate says for which property and bounds. Raises Rejected, Unchecked, InputError and
    UnsupportedError.
    """
    property = property_of_facts(text)
    if property is not None:
        return _check_facts(config, property, text)
    if is_numeric(text):
        return _check_numbers(config, text)
    proof = parse_certificate(text)
    if proof.property not in PROPERTIES:
        raise Rejected(f"the property {proof.property:.80} is not known")
    loaded = load(config.but(property=proof.property))
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
    every_access = PROPERTIES[property].every_access
    loaded = load(config.but(property=property), every_access=every_access)
    proof = check_facts(loaded.program, text)
    assumptions = dict.fromkeys((*loaded.assumptions, ASSUMPTION))
    known = proof.claims.known.values()
    return Accepted(property, tuple(assumptions), sum(map(len, known)), len(proof.claims.reasons))
