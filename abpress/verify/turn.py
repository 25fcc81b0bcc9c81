"""One turn: an engine is asked some properties of one program, within its share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from abpress.analysis.facts import Facts
from abpress.config import Alarms, Config, Synchronised
from abpress.engines.table import Engine, EngineKind, Knowledge, Progress, Results
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.certificate import Rejected, Unchecked, program_digest
from abpress.proof.protocols import Evidence
from abpress.properties import PROPERTIES
from abpress.result import Result, Soundness, Verdict, undecided
from abpress.search import leftovers
from abpress.search.limits import INTERRUPTED, Limits
from abpress.search.statistics import Statistics
from abpress.verify.certify import certified, left_open, synchronises
from abpress.verify.choice import guesses
from abpress.verify.load import Loaded
from abpress.verify.share import Share
from abpress.verify.watchdog import LimitReached, Watchdog

_GRACE = 0.6
"""Seconds past its limit after which a search that does not look at the clock is ended."""

_MEMORY_GRACE = 1.05
"""The same for memory, as a factor."""

SEEN_LEAN = "an execution is looked for where all is shown"
"""Why nothing is said by a lean program."""

ASKED_ANEW = "another engine has found what leaves less to do"
"""Why nothing is known of a property that is asked again, or that others have decided meanwhile."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The result for a property, the engine that gave it (None: undecided by several), and its
    certificate."""

    result: Result
    engine: str | None
    certificate: str | None = None

    @property
    def decided(self) -> bool:
        """Whether there is a verdict."""
        return self.result.verdict is not Verdict.UNKNOWN


@dataclass(frozen=True, slots=True)
class _Unread:
    """Facts that prove a property, of which nobody has asked yet what else they say."""

    config: Config
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Tidings:
    """What facts about a property say of the programs with a digest besides whether it holds; the
    checker has accepted it, NOTE(facts-of-others). `alarms` is None if they prove it."""

    digest: str
    property: str
    alarms: Alarms | None
    synchronised: Synchronised


@dataclass(slots=True)
class KnownFacts:
    """What is known of the programs of a run, by their ids. Mutable.

    What was heard from another process is known of the programs with a digest. `spread`, if there
    is any, is told what is found here. `telling` are the properties whose facts say more than if
    they hold.
    """

    spread: Callable[[Tidings], None] | None = None
    _facts: dict[int, Facts] = field(default_factory=dict)
    _alarms: dict[int, dict[str, Alarms]] = field(default_factory=dict)
    _heard: dict[str, dict[str, Tidings]] = field(default_factory=dict)
    _digests: dict[int, str] = field(default_factory=dict)
    _synchronised: dict[int, Synchronised | _Unread] = field(default_factory=dict)
    _asked: set[tuple[str, int]] = field(default_factory=set)
    telling: dict[str, None] = field(default_factory=dict)

    def synchronised(self, program: Program) -> Synchronised | None:
        """The accesses of a program that need no interleaving, if there are any by what is known;
        read from a proof when it is first asked."""
        known = self._synchronised.get(id(program))
        if isinstance(known, _Unread):
            told = left_open(program, known.config, known.evidence)
            known = Synchronised(frozenset()) if told is None else told[1]
            self._synchronised[id(program)] = known
        if known is None:
            heard = (its.synchronised for its in self._heard_of(program).values())
            known = next((its for its in heard if its.places), None)
        return known if known is not None and known.places else None

    def was_asked(self, property: str, program: Program) -> bool:
        """Whether facts were looked for that prove a property of a program."""
        return (property, id(program)) in self._asked or property in self._heard_of(program)

    def alarms(self, program: Program) -> tuple[Alarms, ...]:
        """What facts leave open in a program, of which more will be known from now on."""
        self._facts[id(program)] = Facts.of(program)  # which keeps the program, and so its id
        heard = self._heard_of(program).items()
        told = {name: its.alarms for name, its in heard if its.alarms is not None}
        return tuple({**told, **self._alarms.get(id(program), {})}.values())

    def hear(self, tidings: Tidings) -> None:
        """Takes in what was found elsewhere."""
        if tidings.synchronised.places:
            self.telling[tidings.property] = None
        self._heard.setdefault(tidings.digest, {})[tidings.property] = tidings

    def _heard_of(self, program: Program) -> Mapping[str, Tidings]:
        return self._heard.get(self._digest(program), {}) if self._heard else {}

    def _digest(self, program: Program) -> str:
        if id(program) not in self._digests:
            self._facts[id(program)] = Facts.of(program)
            self._digests[id(program)] = program_digest(program)
        return self._digests[id(program)]

    def note(
        self, program: Program, config: Config, results: Results, evidence: Evidence | None
    ) -> None:
        """Takes in what facts say that do not prove all, as far as it passes the checker."""
        self._facts[id(program)] = Facts.of(program)
        self._asked.update((name, id(program)) for name in results)
        if evidence is None:
            return
        if synchronises(evidence):
            self.telling.update(dict.fromkeys(results))
        if all(result.verdict is not Verdict.UNKNOWN for result in results.values()):
            if not synchronises(evidence):
                return
            self._synchronised[id(program)] = _Unread(config, evidence)
            if self.spread is not None and (places := self.synchronised(program)) is not None:
                for name in results:
                    self.spread(Tidings(self._digest(program), name, None, places))
            return
        told = left_open(program, config, evidence)
        if told is not None:
            alarms, places = told
            if synchronises(evidence):
                self._synchronised[id(program)] = places
            self._alarms.setdefault(id(program), {})[alarms.property] = alarms
            if self.spread is not None:
                self.spread(Tidings(self._digest(program), alarms.property, alarms, places))

    def note_proofs(self, program: Program, answers: Mapping[str, Decision]) -> None:
        """Takes in of which kinds of undefined behaviour there is none, by proofs that were
        accepted."""
        for name, answer in answers.items():
            if answer.certificate is not None and PROPERTIES[name].faults:
                nowhere = Alarms(name, frozenset(), answer.certificate)
                self._alarms.setdefault(id(program), {})[name] = nowhere

    def is_partly_proved(self, property: str) -> bool:
        """Whether it is known what facts leave open of a property, in any program."""
        heard = (its.get(property) for its in self._heard.values())
        told = any(its is not None and its.alarms is not None for its in heard)
        return told or any(property in its for its in self._alarms.values())


@dataclass(frozen=True, slots=True)
class Turn:
    """How a turn of an engine ended. `again`: properties for which a longer one may help.
    `warnings`: what was seen that violates nothing. `lean`: the program is not the whole one."""

    engine: str
    kind: EngineKind
    answers: Mapping[str, Decision]
    seconds: float
    again: frozenset[str]
    error: UnsupportedError | None
    warnings: tuple[str, ...] = ()
    lean: bool = False

    @property
    def shows(self) -> bool:
        """Whether there is an execution to be looked at."""
        return any(answer.result.trace is not None for answer in self.answers.values())

    def unsaid(self) -> Turn:
        """The turn, of which the answers are left out."""
        answers = {name: Decision(undecided(name, SEEN_LEAN), self.engine) for name in self.answers}
        return replace(self, answers=answers)

    def __str__(self) -> str:
        told: dict[str, list[str]] = {}
        for name, answer in self.answers.items():
            result = answer.result
            why = "" if answer.decided else f" ({result.reason})"
            told.setdefault(f"{result.verdict.value}{why}", []).append(name)
        texts = [f"{'+'.join(names)}: {text}" for text, names in told.items()]
        said = ", ".join(told if len(told) == 1 else texts)
        return f"{self.engine} {said}"


def take(
    engine: Engine,
    load: Callable[[], Loaded],
    config: Config,
    share: Share,
    known: KnownFacts,
) -> Turn:
    """Runs an engine within its share; the check of its proof may use all that is left.

    Results are of `config.question.properties`. What facts leave open in the program is `known` to
    the turns that follow.
    """
    limits = share.limits
    again: set[str] = set()
    error = None
    soundness = Soundness()
    lean = False
    try:
        with Watchdog(limits, _GRACE, _MEMORY_GRACE):
            loaded = load()
            program, lean = loaded.program, loaded.lean
            config = config.but(lean=lean)
            names = (*config.question.properties, *engine.rests_on)
            takes = [n for n in names if engine.takes_alarms(n)]
            alarms = (its for its in known.alarms(program) if its.property in takes)
            config = config.but(alarms=tuple(alarms))
            if Knowledge.SYNCHRONISED in engine.takes and engine.merges(config):
                config = config.but(synchronised=known.synchronised(program))
            configured = engine.configured(config)
            if engine.kind is EngineKind.CLAUSES:
                names = tuple(its.name for its in guesses(program))
                configured = configured.but(guesses=names)
            soundness.assumptions |= dict.fromkeys(loaded.assumptions)
            found = _searched(engine, program, configured, limits, share.listen, soundness)
            if engine.kind is EngineKind.FACTS:
                known.note(program, config, *found)
        answers = _believed(engine, program, config, share.whole, *found)
        if engine.kind is EngineKind.FACTS:
            known.note_proofs(program, answers)
        again = {n for n, its in answers.items() if share.has_ended(its.result, limits)}
    except LimitReached as limit:
        answers = _unknown(engine, config, limit.reason, share.latest)
        # Of others not again: they were left in the middle of something. It takes a while to forget
        # many states, too.
        if engine.kind in (EngineKind.FACTS, EngineKind.STATES):
            again = {n for n, its in answers.items() if share.has_ended(its.result, limits)}
    except MemoryError:
        answers = _unknown(engine, config, "out of memory", share.latest)
    except UnsupportedError as unsupported:
        error = unsupported
        answers = _unknown(engine, config, str(error), share.latest)
    if share.whole.left > 0:
        leftovers.clear()
    if not share.whole.interrupt.requested:
        early = {n for n, its in answers.items() if share.ended_early and _interrupted(its)}
        for name in again | early:
            why = ASKED_ANEW if name in early else f"its share of {share} is over"
            answer = answers[name]
            answers[name] = replace(answer, result=replace(answer.result, reason=why))
    seconds, warnings = share.used, tuple(soundness.warnings)
    again_for = frozenset(again)
    return Turn(engine.name, engine.kind, answers, seconds, again_for, error, warnings, lean)


def _interrupted(answer: Decision) -> bool:
    return answer.result.reason == INTERRUPTED.text


def _searched(
    engine: Engine,
    program: Program,
    config: Config,
    limits: Limits,
    listen: Progress,
    soundness: Soundness,
) -> tuple[Results, Evidence | None]:
    """What an engine says, and what a certificate can be made from."""
    if engine.prove is None:
        return engine.search(program, config, limits, listen, soundness), None
    return engine.prove(program, config, limits, listen, soundness)


def _believed(
    engine: Engine,
    program: Program,
    config: Config,
    limits: Limits,
    results: Results,
    evidence: Evidence | None,
) -> dict[str, Decision]:
    """A proof that has a certificate is checked before it is believed, within the limits."""
    proves = engine.kind is EngineKind.FACTS
    pruned = {} if proves else {its.property: its for its in config.question.alarms}
    apart = config.question.synchronised
    rests = apart is not None or any(PROPERTIES[name].faults for name in pruned)
    answers = {
        name: Decision(_resting_on(pruned.get(name), apart, rests, result), engine.name)
        for name, result in results.items()
    }
    proved = tuple(n for n, result in results.items() if result.verdict is Verdict.TRUE)
    if evidence is None or not proved:
        return answers
    try:
        with Watchdog(limits, interrupts=True):
            certificate = certified(program, config, evidence, proved)
    except LimitReached as limit:
        reason = f"{limit.reason}, while the proof was checked"
    except Unchecked as unchecked:
        reason = f"the proof could not be checked: {unchecked.reason}"
    except Rejected as rejected:
        reason = f"the proof is rejected: {rejected.reason}"
    else:
        proofs = {n: replace(answers[n], certificate=certificate) for n in proved}
        return {**answers, **proofs}
    for name in proved:
        unproved = undecided(name, reason, results[name].statistics)
        answers[name] = Decision(unproved, engine.name)
    return answers


def _resting_on(
    alarms: Alarms | None, apart: Synchronised | None, rests: bool, result: Result
) -> Result:
    """The result of a search that was asked for alarms only, or did not interleave what facts keep
    apart, with what these rest on; `rests`: whatever was asked, it rests on facts."""
    if (alarms is None and not rests) or result.verdict is not Verdict.TRUE:
        return result
    assumptions = tuple(dict.fromkeys((*result.assumptions, DEFINED_SO_FAR)))
    statistics = dict(result.statistics)
    if alarms is not None:
        statistics["alarms"] = len(alarms.places)
    if apart is not None:
        statistics["synchronised accesses"] = len(apart.places)
    return replace(result, assumptions=assumptions, statistics=statistics)


def _unknown(
    engine: Engine, config: Config, reason: str, latest: Statistics
) -> dict[str, Decision]:
    return {
        name: Decision(undecided(name, reason, latest.as_dict()), engine.name)
        for name in config.question.properties
    }
