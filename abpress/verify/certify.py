"""Certificates of verdicts: made and checked before they are handed out, and checked for others."""

from __future__ import annotations

from dataclasses import replace

from abpress.config import Config
from abpress.ir.program import Program
from abpress.proof.certificate import Rejected, format_certificate, parse_certificate
from abpress.proof.check import Accepted, check
from abpress.proof.write import TreeView, certificate
from abpress.properties import PROPERTIES
from abpress.semantics.outcome import Options
from abpress.verify.load import load


def certified(program: Program, config: Config, tree: TreeView) -> str:
    """The text of the certificate of a complete tree.

    Raises Unchecked, and AssertionError if the checker rejects it: then engine or checker is wrong.
    """
    options = Options.within(config.bounds)
    text = format_certificate(certificate(program, config.question.property, options, tree))
    try:
        check(program, parse_certificate(text))
    except Rejected as error:
        raise AssertionError(f"the certificate is rejected: {error.reason}") from error
    return text


def check_proof(config: Config, text: str) -> Accepted:
    """Checks a certificate for the program of `config.program.file`.

    The certificate says for which property and bounds. Raises Rejected, Unchecked, InputError and
    UnsupportedError.
    """
    proof = parse_certificate(text)
    if proof.property not in PROPERTIES:
        raise Rejected(f"the property {proof.property:.80} is not known")
    loaded = load(config.but(property=proof.property))
    accepted = check(loaded.program, proof)
    assumptions = dict.fromkeys((*loaded.assumptions, *accepted.assumptions))
    return replace(accepted, assumptions=tuple(assumptions))
