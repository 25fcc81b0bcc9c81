"""One verification run: load, simplify, search, within the limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from abpress.config import Config
from abpress.engines.answer import see
from abpress.engines.table import ENGINES, Engine, Progress, able
from abpress.errors import UnsupportedError
from abpress.ir.program import NO_OVERFLOW
from abpress.later import later
from abpress.proof.assumptions import DEFINED, DEFINED_SO_FAR
from abpress.properties import PROPERTIES
from abpress.result import Result, Verdict, combined, undecided
from abpress.search.limits import INTERRUPTED, WHILE_READING, interruptible, limits_of
from abpress.semantics.outcome import ABOUT_ALLOCATION, OVERFLOW_ASSUMED, UNDEFINED_BEHAVIOUR
from abpress.verify.certify import together
from abpress.verify.load import TEXTUAL, Programs
from abpress.verify.turn import Decision
from abpress.verify.turns import decide
from abpress.verify.watchdog import LimitReached, Watchdog
from abpress.witness.sources import with_source_lines
from abpress.witness.trace import Trace

_BY_TEXT: Callable[..., dict[str, Decision]] = later("abpress.verify.by_text", "decided_by_text")
_TOGETHER = later("abpress.verify.portfolio", "decide_together")


@dataclass(frozen=True, slots=True)
class PropertyAnswer:
    """The result for a property, and who gave it, with which reduction (`auto`: nobody alone).

    `certificate` is the text of the checked certificate of a verdict "true", if the engine has one;
    several properties may share it.
    """

    result: Result
    engine: str
    reduction: str
    certificate: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The answers of a run, in the order in which the properties are asked, the texts that traces
    refer to, and the data model of C that was meant (empty: the program is not C). `programs` are
    the variants of the program that were made, for who looks at them again."""

    answers: tuple[PropertyAnswer, ...]
    sources: Mapping[str, str]
    warnings: tuple[str, ...] = ()
    data_model: str = ""
    programs: Programs | None = field(default=None, compare=False, repr=False)

    @property
    def result(self) -> Result:
        """The result for all of them."""
        return combined([answer.result for answer in self.answers])

    @property
    def engine(self) -> str:
        """Who gave all answers; `auto` if nobody did alone."""
        return _only({answer.engine for answer in self.answers})

    @property
    def reduction(self) -> str:
        """The reduction of all answers; `auto` if there are several."""
        return _only({answer.reduction for answer in self.answers})

    @property
    def certificate(self) -> str | None:
        """The text of all certificates."""
        return together(a.certificate for a in self.answers if a.certificate is not None)


def _with_workers(config: Config, engines: Sequence[Engine]) -> Config:
    """The configuration, with one worker if `auto` has a single engine, which searches alone.

    Raises UnsupportedError if that engine is named.
    """
    if config.search.workers == 1 or len(engines) > 1:
        return config
    engine = engines[0]
    entry = engine.entries.get(engine.configured(config).search.por)
    if entry is not None and entry.shared:
        return config
    if config.search.engine == "auto":
        return config.but(workers=1)
    with_por = "" if entry is None else f" with --por {entry.name}"
    raise UnsupportedError(f"--workers: engine {engine.name}{with_por} searches alone")


def _only(names: Set[str]) -> str:
    return next(iter(names)) if len(names) == 1 else "auto"


def verify(
    config: Config,
    progress: Progress = lambda _: None,
    table: Mapping[str, Engine] = ENGINES,
    started: float | None = None,
    settled: Callable[[Report], None] = lambda _: None,
) -> Report:
    """Decides `config.question.properties` for `config.program.file` by engines of the table.

    Limits (time, memory, Ctrl-C) are results; the time is from `started` on (default: now), a
    value of `time.monotonic`. `settled` is told of what is decided while the run goes on,
    first when the program is read. Raises
    InputError and UnsupportedError.
    """
    limits = limits_of(config.bounds, started)
    engines = able(config, table)
    config = _with_workers(config, engines)
    nobody = engines[0].name if len(engines) == 1 else config.search.engine
    asked = config.question.properties
    programs = Programs(config, every_access=all(e.executions is not None for e in engines))
    try:
        with Watchdog(limits):
            loaded = programs.of(asked[:1])
            proving = not all(engine.hunts for engine in engines)
            by_text = proving and not set(asked).isdisjoint(ABOUT_ALLOCATION)
            decisions = _BY_TEXT(programs, config) if by_text else {}
    except (LimitReached, KeyboardInterrupt) as stop:
        reason = stop.reason if isinstance(stop, LimitReached) else INTERRUPTED.text
        unread = (undecided(name, reason + WHILE_READING) for name in asked)
        return Report(tuple(PropertyAnswer(r, nobody, config.search.por) for r in unread), {})
    model = "" if config.program.file.suffix == TEXTUAL else config.program.data_model

    def report(found: Mapping[str, Decision]) -> Report:
        found = _qualified({**decisions, **found})
        answers = []
        for decision in (found[name] for name in asked if name in found):
            result = decision.result
            if isinstance(result.trace, Trace):
                result = replace(result, trace=with_source_lines(result.trace, loaded.sources))
            engine = decision.engine or nobody
            its = config.but(property=result.property)
            por = (table[engine].configured(its) if engine in table else config).search.por
            answers.append(PropertyAnswer(result, engine, por, decision.certificate))
        return Report(tuple(answers), loaded.sources, loaded.warnings, model, programs)

    rest = config.but(properties=tuple(name for name in asked if name not in decisions))
    if not rest.question.properties:
        return report({})
    settled(report({}))
    with interruptible() as interrupt:
        limits = replace(limits, interrupt=interrupt)
        several = len(engines) > 1 and config.search.workers > 1
        decide_all = _TOGETHER if several else decide
        tell = (lambda found: settled(report(found))) if len(asked) > 1 else (lambda _: None)
        return report(decide_all(engines, programs, rest, limits, progress, tell))


def _qualified(decisions: Mapping[str, Decision]) -> dict[str, Decision]:
    """The decisions, without proofs that assume that there is no undefined behaviour where some was
    found. That signed arithmetic does not overflow other proofs assume, too, and say, unless it is
    proved: then they rest on what that proof rests on. NOTE(defined-errors)"""
    faults = {
        name: decision.result
        for name, decision in decisions.items()
        if PROPERTIES[name].faults and PROPERTIES[name].variant.signed_overflow is None
    }
    found = {name: r for name, r in faults.items() if r.verdict is Verdict.FALSE}
    qualified = dict(decisions)
    for name, decision in decisions.items():
        result = decision.result
        assumes = not {DEFINED, DEFINED_SO_FAR}.isdisjoint(result.assumptions)
        if found and assumes and result.verdict is Verdict.TRUE:
            reason = f"{UNDEFINED_BEHAVIOUR}: {next(iter(found.values())).reason}"
            unknown = see(found, undecided(name, reason, result.statistics))
            qualified[name] = Decision(unknown, decision.engine)
    overflow = qualified.get(NO_OVERFLOW)
    if overflow is None or overflow.result.verdict is not Verdict.TRUE:
        return qualified
    rests_on = overflow.result.assumptions
    return {name: _never_overflowing(its, rests_on) for name, its in qualified.items()}


def _never_overflowing(decision: Decision, rests_on: tuple[str, ...]) -> Decision:
    """The decision, which need not assume what is proved under assumptions."""
    result = decision.result
    kept = [its for its in result.assumptions if not its.startswith(OVERFLOW_ASSUMED)]
    if len(kept) == len(result.assumptions):
        return decision
    assumptions = tuple(dict.fromkeys((*kept, *rests_on)))
    return replace(decision, result=replace(result, assumptions=assumptions))
