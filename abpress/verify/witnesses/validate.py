"""Decides about a standard witness: confirmed, rejected, or unknown, with the reason.

A violation is confirmed by an execution of the program that was replayed and does what the witness
says, and rejected if there is none. A proof is confirmed if what it states is proved, and then the
property, by itself; it is rejected by an execution that violates either. What is stated is not
assumed: a search with the checks, and one of the program as it is, have to come to their ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path, PurePath
from typing import Any

from abpress.config import Config, InsertedCode
from abpress.errors import InputError, UnsupportedError
from abpress.ir.program import UNREACH_CALL
from abpress.properties import Asked, check_line, parse_prp
from abpress.result import Verdict
from abpress.verify.run import Report, verify
from abpress.verify.witnesses.aimed import aimed, can_aim
from abpress.verify.witnesses.invariant_checks import CHECKING, NO_ERROR, invariant_checks
from abpress.verify.witnesses.observers import (
    PASSED,
    Observation,
    observation,
    thread_names,
)
from abpress.verify.witnesses.places import ProgramPlaces, places_of
from abpress.verify.witnesses.tasks import ASSERTION, file_hash
from abpress.witness.standard.formats import GRAPHML
from abpress.witness.standard.graphml_reader import read_graphml_witness
from abpress.witness.standard.model import (
    CorrectnessWitness,
    StandardWitness,
    ViolationWitness,
    WitnessTask,
)
from abpress.witness.standard.yaml_reader import read_yaml_witness
from abpress.witness.trace import Trace
from abpress_frontend.insertions import OBSERVER


@dataclass(frozen=True, slots=True)
class WitnessExpectation:
    """What the user has said of the witness: of which question and data model it has to be, as the
    configuration has them, and whether the content of the file matters not."""

    question: bool = False
    data_model: bool = False
    any_hash: bool = False


NOTHING_EXPECTED = WitnessExpectation()


class WitnessAnswer(Enum):
    """What is said of a witness."""

    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Validation:
    """The answer, why, the execution that shows it, if one does, and the texts it refers to."""

    standing: WitnessAnswer
    reason: str
    trace: Any = None
    sources: Mapping[str, str] | None = None
    assumptions: tuple[str, ...] = ()


def read_witness(file: Path) -> StandardWitness:
    """The witness that a file holds: GraphML or YAML, by the end of its name. Raises InputError and
    UnsupportedError."""
    reads = read_graphml_witness if file.suffix == GRAPHML else read_yaml_witness
    return reads(file)


def validate(
    config: Config,
    file: Path,
    expected: WitnessExpectation = NOTHING_EXPECTED,
    started: float | None = None,
) -> Validation:
    """What is to be said of the witness in a file, for `config.program`. Limits are as of `verify`.

    Raises InputError for a file that is no witness, or one of another program or question;
    UnsupportedError for a program that is not supported.
    """
    try:
        witness = read_witness(file)
    except UnsupportedError as error:
        return Validation(WitnessAnswer.UNKNOWN, f"unsupported: {error}")
    config = _agreed(config, witness.task, expected).but(line_markers=False)
    places = places_of(config.program)
    run = _Validating(config, places, file.suffix == GRAPHML, started)
    try:
        if isinstance(witness, ViolationWitness):
            return run.violation(witness)
        return run.correctness(witness)
    except InputError as error:
        if error.position is None or error.position.file != OBSERVER:
            raise
        at = f"{places.file}:{error.position.line}:{error.position.column}"
        what = f"what the witness has for {at} does not mean anything there: {error.message}"
        raise InputError(what, witness.task.place) from None
    except UnsupportedError as error:
        if error.position is not None and error.position.file in (str(file), OBSERVER):
            return Validation(WitnessAnswer.UNKNOWN, f"unsupported: {error}")
        raise


_DOES_IT = "an execution was replayed that does what it says"

_NOT_AT_FIRST = (
    "an execution does what it says, but comes to a waypoint before where it is not as it says"
)


@dataclass(frozen=True, slots=True)
class _Validating:
    """The validation of one witness. `config` has its question."""

    config: Config
    places: ProgramPlaces
    lenient: bool
    started: float | None

    def violation(self, witness: ViolationWitness) -> Validation:
        """What is to be said of a violation witness."""
        if UNREACH_CALL not in self.config.question.properties:
            # What stands at the target is found at once mostly where nothing else comes there.
            likely = self._search(witness, strict=True, gated=True)
            if likely.standing is WitnessAnswer.CONFIRMED:
                return likely
        strict = self._searched(witness, strict=True)
        if strict.standing is WitnessAnswer.CONFIRMED:
            return strict
        found = self._searched(witness, strict=False)
        if found.standing is WitnessAnswer.UNKNOWN and strict.standing is WitnessAnswer.UNKNOWN:
            return strict if strict.trace is not None else found
        at_first = strict.standing is not WitnessAnswer.REJECTED
        if found.standing is WitnessAnswer.CONFIRMED and not at_first and not self.lenient:
            # Which time is the first is known where the witness names the threads, or there is one.
            if not self.places.has_threads:
                return replace(found, standing=WitnessAnswer.REJECTED, reason=_NOT_AT_FIRST)
            inner = (w for segment in witness.segments[:-1] for w in segment.follow)
            if all(waypoint.thread is not None for waypoint in inner):
                return replace(found, standing=WitnessAnswer.UNKNOWN, reason=_NOT_AT_FIRST)
        return found

    def _searched(self, witness: ViolationWitness, strict: bool) -> Validation:
        """As `_search`, and where another violation is found first, the one that is meant is looked
        for among all."""
        found = self._search(witness, strict)
        config, observed = self._observed(witness, strict)
        meets_another = found.standing is WitnessAnswer.UNKNOWN and found.trace is not None
        if not meets_another or not can_aim(config.question.properties):
            return found
        its = aimed(config, observed, self.started)
        if its is None:
            return found
        trace, sources = its
        wrong = self._mismatch(witness, observed, trace)
        if wrong:
            return found
        reason = f"{_DOES_IT}: {trace.message}"
        return Validation(WitnessAnswer.CONFIRMED, reason, trace, sources)

    def _observed(
        self, witness: ViolationWitness, strict: bool, gated: bool = False
    ) -> tuple[Config, Observation]:
        error = self.config.program.error_function
        properties = self.config.question.properties
        observed = observation(witness, self.places, properties, error, strict, gated, self.lenient)
        error = NO_ERROR if UNREACH_CALL in properties else error
        insertions = tuple(observed.insertions())
        return self.config.but(error_function=error, insertions=insertions), observed

    def _search(self, witness: ViolationWitness, strict: bool, gated: bool = False) -> Validation:
        config, observed = self._observed(witness, strict, gated)
        report = self._run(config)
        result = report.result
        if result.verdict is Verdict.TRUE:
            return Validation(WitnessAnswer.REJECTED, "no execution does what it says")
        if result.verdict is Verdict.UNKNOWN:
            return Validation(WitnessAnswer.UNKNOWN, result.reason)
        assert isinstance(result.trace, Trace)
        wrong = self._mismatch(witness, observed, result.trace)
        if wrong:
            return Validation(WitnessAnswer.UNKNOWN, wrong, result.trace, report.sources)
        ends = str(observed.targets[0][0][0]) if observed.target_fails else result.reason
        reason = f"{_DOES_IT}: {ends}"
        return Validation(WitnessAnswer.CONFIRMED, reason, result.trace, report.sources)

    def _mismatch(self, witness: ViolationWitness, observed: Observation, trace: Trace) -> str:
        """What an execution does not do that the witness says; empty if there is nothing."""
        written = [value for s in trace.steps for cell, value in s.writes if cell == PASSED]
        passed = int(written[-1]) if written else 0
        if passed != len(witness.segments) - 1:
            return f"the execution that was found passes {passed} segments only"
        if trace.property == UNREACH_CALL and observed.target_fails:
            return ""  # the target itself is the only error
        ends = trace.ready or trace.blocked or trace.steps[-1:]
        if any(its.position.origin.file == OBSERVER for its in ends):
            return "an expression of the witness takes part in the violation that was found"
        standing = [(its.thread, its.position.origin) for its in ends]
        missed = observed.missed(standing, thread_names(trace))
        return "" if missed is None else f"the execution that was found does not end at {missed}"

    def correctness(self, witness: CorrectnessWitness) -> Validation:
        """What is to be said of a correctness witness."""
        if witness.invariants:
            failed = self._invariants(witness)
            if failed is not None:
                return failed
        report = self._run(self.config)
        result = report.result
        if result.verdict is Verdict.UNKNOWN:
            return Validation(WitnessAnswer.UNKNOWN, f"the property: {result.reason}")
        if result.verdict is Verdict.FALSE:
            reason = f"the property is violated: {result.reason}"
            return Validation(WitnessAnswer.REJECTED, reason, result.trace, report.sources)
        count = len(witness.invariants)
        invariants = f"{count} invariant{'s' if count > 1 else ''} and the property are proved"
        stated = invariants if count else "the property is proved"
        return Validation(WitnessAnswer.CONFIRMED, stated, assumptions=result.assumptions)

    def _invariants(self, witness: CorrectnessWitness) -> Validation | None:
        """What is to be said where an invariant is not proved; None if all are."""
        checks = invariant_checks(witness, self.places, self.config.program.file)
        config = self.config.but(**CHECKING)
        result = self._run(config, checks.insertions).result
        if result.verdict is Verdict.TRUE:
            return None
        if result.verdict is Verdict.FALSE:
            report = self._run(config.but(signed_overflow="end"), checks.insertions)
            result = report.result
            if result.verdict is Verdict.FALSE:
                stated = checks.failures[result.trace.message]
                where = f"{stated.location.file}:{stated.location.line}"
                reason = f"{where}: {stated.value} does not hold"
                # Of a do loop both the begin of the body and the test are looked at; at a label
                # those who jump there may be meant or not.
                sure = not self.places.at_label(stated.location)
                if stated.at_loop:
                    sure &= not self.places.loop(stated.location).tests_last
                standing = WitnessAnswer.REJECTED if sure else WitnessAnswer.UNKNOWN
                return Validation(standing, reason, result.trace, report.sources)
            return Validation(
                WitnessAnswer.UNKNOWN, "an invariant holds only unless arithmetic overflows"
            )
        return Validation(WitnessAnswer.UNKNOWN, f"the invariants: {result.reason}")

    def _run(self, config: Config, insertions: tuple[InsertedCode, ...] = ()) -> Report:
        if insertions:
            config = config.but(insertions=insertions)
        return verify(config, started=self.started)


def _agreed(config: Config, task: WitnessTask, expected: WitnessExpectation) -> Config:
    """The configuration with the question of a witness. Raises InputError where they differ."""
    program = config.program.file
    names = {PurePath(name).name: digest for name, digest in task.hashes.items()}
    if program.name not in names:
        known = ", ".join(names)
        raise InputError(f"the witness is for {known}, not for {program.name}", task.place)
    if not expected.any_hash and not names[program.name]:
        what = f"the witness has no hash of {program.name}; --any-hash goes without"
        raise InputError(what, task.place)
    if not expected.any_hash and names[program.name] != file_hash(program):
        raise InputError(f"the witness is for another {program.name}, by its hash", task.place)
    if task.specification:
        its = question_of_specification(task)
        mine = Asked(config.question.properties, None)
        if expected.question and set(mine.properties) != set(its.properties):
            what = f"the witness is for {its.key}, not for {mine.key}"
            raise InputError(what, task.place)
        error = its.error_function or config.program.error_function
        config = config.but(properties=its.properties, error_function=error)
    elif not expected.question:
        raise InputError("the witness does not say its property; --property does", task.place)
    if task.data_model:
        if expected.data_model and task.data_model != config.program.data_model:
            what = f"the witness is for {task.data_model}, not for {config.program.data_model}"
            raise InputError(what, task.place)
        config = config.but(data_model=task.data_model)
    return config


def question_of_specification(task: WitnessTask) -> Asked:
    """What the specification of a witness asks: lines of a property file, or a formula alone.

    Raises InputError and UnsupportedError.
    """
    text = task.specification
    if "CHECK" not in text:
        text = check_line(text)
    if f"call({ASSERTION}())" in "".join(text.split()):
        return Asked((UNREACH_CALL,), "any")
    try:
        return parse_prp(text.replace(") CHECK(", ")\nCHECK("), str(task.place.file))
    except (InputError, UnsupportedError) as error:
        raise InputError(f"specification: {error.message}", task.place) from None
