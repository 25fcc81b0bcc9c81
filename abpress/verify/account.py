"""The account of a run: its turns, and the answer for each property that they give together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from abpress.config import Config
from abpress.engines.census import CENSUS, LOOKED_AT
from abpress.engines.table import Engine, EngineKind, unanswered
from abpress.ir.program import NO_MISUSE
from abpress.properties import PROPERTIES
from abpress.result import Verdict, undecided
from abpress.search.limits import INTERRUPTED, Limits
from abpress.semantics.outcome import UNDEFINED_BEHAVIOUR
from abpress.verify.turn import Decision, Turn

Settled = Callable[[Mapping[str, Decision]], None]
"""Is told of the properties that are decided, whenever there are more of them."""


class ContradictionError(Exception):
    """One engine says "true" and another one "false" of a property: one of them is wrong."""


@dataclass(slots=True)
class Account:
    """The turns of a run so far, and what is decided by them. Mutable.

    Of the `exhausted` properties no search has more to say, decided or not. `more` are numbers of
    the run that are told with each answer. `settled` is told what is decided.
    """

    config: Config
    limits: Limits
    turns: list[Turn] = field(default_factory=list)
    decided: dict[str, Decision] = field(default_factory=dict)
    exhausted: set[str] = field(default_factory=set)
    more: dict[str, int | str] = field(default_factory=dict)
    settled: Settled = lambda _: None

    @property
    def open(self) -> tuple[str, ...]:
        """The properties without a verdict that another turn may give."""
        asked = self.config.question.properties
        return tuple(n for n in asked if n not in self.decided and n not in self.exhausted)

    @property
    def used(self) -> float:
        """The seconds of all turns together."""
        return sum(turn.seconds for turn in self.turns)

    def met_fault(self, name: str) -> bool:
        """Whether a turn has left a property open because of undefined behaviour."""
        answers = (turn.answers[name].result for turn in self.turns if name in turn.answers)
        return any(result.reason.startswith(UNDEFINED_BEHAVIOUR) for result in answers)

    def take(self, turn: Turn) -> None:
        """Takes in a turn. Raises ContradictionError."""
        self.turns.append(turn)
        known = len(self.decided)
        self.exhausted.update(n for n, answer in turn.answers.items() if answer.result.exhausted)
        for name, answer in turn.answers.items():
            before = self.decided.setdefault(name, answer) if answer.decided else answer
            if before.result.verdict is not answer.result.verdict:
                said = (f"{its.engine} says {its.result.verdict.value}" for its in (before, answer))
                del self.decided[name]
                self.settled(_assuming(self.decided))  # nobody believes either of them
                raise ContradictionError(f"{name}: {', and '.join(said)}")
        if len(self.decided) > known:
            self.settled(_assuming(self.decided))

    def decisions(self, engines: Sequence[Engine]) -> dict[str, Decision]:
        """The answer for each property, with an account of all turns.

        Raises UnsupportedError if that is all that the engines have to say.
        """
        asked = self.config.question.properties
        found = _assuming({name: self._decision(name, engines) for name in asked})
        if NO_MISUSE in found:
            warnings = tuple(dict.fromkeys(text for turn in self.turns for text in turn.warnings))
            answer = found[NO_MISUSE]
            found[NO_MISUSE] = replace(answer, result=replace(answer.result, warnings=warnings))
        errors = [turn.error for turn in _searches(self.turns)]
        if not self.decided and errors and None not in errors and errors[0] is not None:
            raise errors[0]
        return found

    def _decision(self, name: str, engines: Sequence[Engine]) -> Decision:
        """The answer for a property; if it is unknown, with all reasons."""
        turns = [turn for turn in self.turns if name in turn.answers]
        if not turns:
            why = self._why_not_asked(name, engines)
            return Decision(undecided(name, why, self.more), None)
        searches = _searches(turns)
        decided = name in self.decided
        last = self.decided[name] if decided else (searches or turns)[-1].answers[name]
        hunts = [turn for turn in turns if turn.kind is EngineKind.HUNT]
        account: dict[str, int | float | str] = {**self.more}
        if len(engines) > 1 or len(self.turns) > 1:
            account["engines"] = ", ".join(map(str, self.turns))
            account["engines_s"] = ", ".join(f"{turn.seconds:.1f}" for turn in self.turns)
        if hunts and len(engines) > 1:
            account.update(hunts[-1].answers[name].result.statistics)
        account.update(last.result.statistics)
        if decided or len(engines) == 1:
            return replace(last, result=replace(last.result, statistics=account))
        for turn in reversed(turns):  # what made the states of another engine many
            numbers = turn.answers[name].result.statistics
            if LOOKED_AT in numbers:
                account.update({key: numbers[key] for key in CENSUS if key in numbers})
                break
        if self.limits.interrupt.requested:
            reason = INTERRUPTED.text
        elif self.limits.left <= 0:
            reason = self.limits.time_exceeded.text
        else:
            reasons = {turn.engine: turn.answers[name].result.reason for turn in searches or turns}
            if len(set(reasons.values())) == 1:
                reason = last.result.reason
            else:
                reason = "; ".join(f"{engine}: {why}" for engine, why in reasons.items())
        traces = (turn.answers[name].result.trace for turn in turns)
        trace = next((trace for trace in traces if trace is not None), None)
        alarms = next((its for t in turns if (its := t.answers[name].result.alarms)), ())
        return Decision(undecided(name, reason, account, trace, alarms), None)

    def _why_not_asked(self, name: str, engines: Sequence[Engine]) -> str:
        if self.limits.interrupt.requested:
            return INTERRUPTED.text
        if any(name in engine.answerable(self.config) for engine in engines):
            return self.limits.time_exceeded.text
        return f"unsupported: {unanswered(self.config.but(property=name)).message}"


def _assuming(answers: Mapping[str, Decision]) -> dict[str, Decision]:
    """The answers, of which those that are "true" assume what others are that are "false"."""
    found = dict(answers)
    assumed = [
        PROPERTIES[name].others_assume
        for name, answer in found.items()
        if answer.result.verdict is Verdict.FALSE and PROPERTIES[name].others_assume
    ]
    for name, answer in found.items():
        if answer.result.verdict is Verdict.TRUE and assumed:
            assumptions = dict.fromkeys((*answer.result.assumptions, *assumed))
            result = replace(answer.result, assumptions=tuple(assumptions))
            found[name] = replace(answer, result=result)
    return found


def _searches(turns: Sequence[Turn]) -> list[Turn]:
    return [turn for turn in turns if turn.kind in (EngineKind.STATES, EngineKind.TREE)]
