"""Certificates of verdicts: made and checked before they are handed out, and checked for others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from abpress.config import Alarms, Config, Place, Synchronised
from abpress.ir.program import Program
from abpress.proof.certificate import Accepted, Rejected, is_lean, parsed
from abpress.proof.kinds import KINDS, kind_of
from abpress.proof.protocols import Claimed, Evidence
from abpress.properties import PROPERTIES
from abpress.semantics.outcome import Options
from abpress.verify.load import load


def certified(
    program: Program, config: Config, evidence: Evidence, proved: Sequence[str] | None = None
) -> str:
    """The text of the certificate of what an engine has found, for the properties that it proves:
    these, or all that are asked.

    The program is the variant that `config.question.properties` are asked of, and lean if
    `config.question.lean`.

    Raises Unchecked; Rejected, where the engine asks less than the checker does (kinds that are not
    complete); and AssertionError if the checker rejects what it has to accept: then engine or
    checker is wrong.
    """
    kind = KINDS[evidence.format]
    asked = config.question.properties
    proves = asked if proved is None else proved
    question = config.question
    # Undefined behaviour that facts exclude was not met by the proof of any property.
    used = (a for a in question.alarms if a.property in proves or PROPERTIES[a.property].faults)
    facts = [its.certificate for its in used]
    apart: Sequence[Place] = ()
    if question.synchronised is not None:
        facts.append(question.synchronised.certificate)
        apart = sorted(question.synchronised.places)
    facts = list(dict.fromkeys(facts))
    options = Options.within(config.bounds)
    claimed = Claimed(proves, asked, options, facts, apart, question.lean)
    text = kind.write(program, evidence, claimed)
    try:
        kind.check(program, kind.read(parsed(text)))
    except Rejected as error:
        if not kind.complete:
            raise
        raise AssertionError(f"the certificate is rejected: {error.reason}") from error
    return text


def synchronises(evidence: Evidence) -> bool:
    """Whether what an engine has found may tell of accesses that need no interleaving."""
    return KINDS[evidence.format].synchronises


def left_open(
    program: Program, config: Config, evidence: Evidence
) -> tuple[Alarms, Synchronised] | None:
    """What facts leave open of a property, NOTE(alarms), and the accesses that need no interleaving
    by what they say, NOTE(synchronised-accesses); None if there are no facts of that kind, or the
    checker does not accept what they say."""
    kind, asked = KINDS[evidence.format], config.question.properties
    if kind.left_open is None:
        return None
    text = kind.write(program, evidence, Claimed(asked, asked, Options.within(config.bounds)))
    try:
        alarms, places = kind.left_open(program, kind.read(parsed(text)))
    except Rejected:
        return None
    return replace(alarms, certificate=text), Synchronised(places, text)


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
    data = parsed(text)
    if data == []:
        raise Rejected("the file has no certificate")
    return tuple(_checked(config, one) for one in (data if isinstance(data, list) else [data]))


def _checked(config: Config, data: Any) -> Accepted:
    """Checks the certificate that JSON data says, for the variant of the program that it is of."""
    kind = kind_of(data)
    proof = kind.read(data)
    asked = tuple(proof.variant_of())
    for name in (*proof.properties(), *asked):
        if name not in PROPERTIES:
            raise Rejected(f"the property {name:.80} is not known")
    if not set(proof.properties()) <= set(asked):
        raise Rejected("it is for a program that does not show what the properties look at")
    loaded = load(config.but(properties=asked), lean=is_lean(proof))
    accepted = kind.check(loaded.program, proof)
    assumptions = dict.fromkeys((*loaded.assumptions, *accepted.assumptions))
    return replace(accepted, assumptions=tuple(assumptions))
