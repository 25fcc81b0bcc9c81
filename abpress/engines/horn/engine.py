"""Horn clauses over the nodes of a preference order, one order after the other.

A solution of the clauses labels the nodes, and is a proof if the checker of certificates says so. A
derivation of an error is a path; it becomes an execution, which the interpreter repeats.

What an order may take is processor time: a busy machine tries the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from abpress.analysis.alike import TellsApart
from abpress.analysis.facts import Facts
from abpress.config import OFF, ON, Config
from abpress.engines.abpress.counterexample import concretised
from abpress.engines.answer import doubt, expiry, falsified
from abpress.engines.horn.acceleration import Accelerated, accelerated, unrolled
from abpress.engines.horn.attempts import ErrorPart, OrderAttempt, parts_of
from abpress.engines.horn.commuting import Conditions
from abpress.engines.horn.encoding import ClauseSystem, connected, encode
from abpress.engines.horn.evidence import evidence_of
from abpress.engines.horn.exchanged import Peers, repeated
from abpress.engines.horn.graph import Building, Graph, TooLarge
from abpress.engines.horn.orders import Arrangement, PreferenceOrder, fitting
from abpress.engines.horn.solving import solution
from abpress.engines.horn.spans import Spans
from abpress.engines.order import asked_options
from abpress.errors import Position, UnsupportedError
from abpress.ir.program import Program
from abpress.itp.path import Feasible, Path, feasibility
from abpress.logic.formula import TRUE, Formula, conj, substitute
from abpress.proof.judge import Judge
from abpress.proof.protocols import Evidence
from abpress.properties import PROPERTIES, Aspect
from abpress.result import Result, Soundness, proved, undecided
from abpress.search.ledger import Found
from abpress.search.limits import Limits, StopReason, Watch, resident_memory
from abpress.search.processor import processor_time
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State, no_overflow
from abpress.smt.answer import Answer, NotExact
from abpress.smt.clauses import Derivation, Invariants, Solved
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import SymbolicStep
from abpress.symbolic.exchange import SymmetricSystem
from abpress.symbolic.system import SymbolicSystem

_PART = 0.6
"""Of the time of an order, for errors of one kind where there are more."""

_COARSE = 0.3
"""Of the time for errors of one kind, for clauses that say less."""

_MOST_PATHS = 16
"""Paths that are tried to repeat a refutation, as it does not say which of some steps are taken."""

Answers = tuple[Mapping[str, Result], Evidence | None]

SECONDS = 1.5, 30.0
"""For each order: at first, or `_FIRST_SHARE` of the time if that is more, and no more than
`_MOST_AT_FIRST` of it; and at most, where the run has no limit of time."""

_FIRST_SHARE, _MOST_AT_FIRST = 0.03, 0.25

_MORE = 1.6
"""How much more time the first order has, which proves most of what clauses prove at all."""

_LOOK, _SURVEY = 0.3, 1.0
"""Of the time of the first order, to see whether it is large, and which of them differ."""

_TURNS = 0.3, 0.7
"""Of that time, for the graphs of all orders, one after the other, and then for those that are not
complete."""

_SMALL, _LARGE, _MUCH_LARGER = 64, 250, 2
"""Relations of a graph that is small, and of one that is large; how much larger than others one is
that comes last."""

_MORE_IF_LARGE = 3.0
"""As `_MORE`, for the one that is tried first where the first graph is large: clauses of such
programs take longer."""

_MANY_ORDERS = 4
"""Where fewer differ, each has more time."""

_GROWTH = 3.0
"""How much longer an order is tried when the others have had their turn."""


def prove(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None],
    soundness: Soundness,
) -> Answers:
    """Decides the configuration's only property, or leaves it open."""
    (property,) = config.question.properties
    reason = doubt(None, soundness)
    if reason is not None:
        return {property: undecided(property, reason)}, None
    watch: Watch[Statistics] = Watch(limits, progress)
    apart = "" if config.search.symmetry == ON else OFF
    if not apart and not PROPERTIES[property].looks_at <= {Aspect.STEP}:
        apart = f"property {property}"
    while True:
        try:
            run = _Run(program, config, limits, watch, soundness, property, apart)
            result, evidence = run.decide()
        except TellsApart as why:
            apart = str(why)
        else:
            return {property: result}, evidence


@dataclass(slots=True)
class _Run:
    """What the orders have in common. Mutable: keeps steps, and why orders have failed. `apart` is
    what tells threads apart that are alike, or why it is not asked; empty if they count as one.
    Raises TellsApart where that is found out."""

    program: Program
    config: Config
    limits: Limits
    watch: Watch[Statistics]
    soundness: Soundness
    property: str
    apart: str
    system: SymbolicSystem = field(init=False)
    conditions: Conditions = field(init=False)
    nodes: int = 0
    failed: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        options = asked_options(self.config)
        interpreter = Interpreter(self.program, options, Soundness(), facts=Facts.of(self.program))
        of = SymbolicSystem if self.apart else SymmetricSystem
        self.system = of(self.program, options, interpreter)
        self.conditions = Conditions(self.system, self.config.search.seed)

    def decide(self) -> tuple[Result, Evidence | None]:
        """The answer of the first order that has one; each is tried for a short time, then those
        that are left for a longer one. Where the first graph is large, or has no proof at once, the
        others are looked at."""
        left = [OrderAttempt(order, self._building(order)) for order in fitting(self.program)]
        left[0].spans = True
        surveyed = False
        seconds, more = SECONDS[0], _MORE
        if self.limits.time is not None:
            whole = self.limits.time
            seconds = min(max(seconds, _FIRST_SHARE * whole), _MOST_AT_FIRST * whole)
        while left:
            todo = list(left)
            tried: list[OrderAttempt] = []
            while todo:
                stopped = self._stopped()
                if stopped is not None:
                    return self._undecided(stopped.text), None
                try:
                    if not surveyed and (tried or self._is_large(todo[0], _LOOK * seconds)):
                        surveyed = True
                        more = more if tried else _MORE_IF_LARGE
                        todo = self._surveyed(tried, todo, _SURVEY * seconds)
                        seconds *= max(1.0, _MANY_ORDERS / max(1, len(tried) + len(todo)))
                        continue
                    tried.append(todo[0])
                    answer = self._try(todo.pop(0), processor_time() + more * seconds)
                    more = 1.0
                except (NotExact, UnsupportedError) as error:
                    return self._undecided(f"the clauses are not linear: {error}"), None
                if answer is not None:
                    return answer
            left = [attempt for attempt in tried if not attempt.ended]
            for attempt in left:
                attempt.spans = True
            seconds *= _GROWTH
            if self.limits.time is None and seconds > SECONDS[1]:
                break
        stopped = self._stopped()
        why = "; ".join(f"{name}: {reason}" for name, reason in self.failed.items())
        return self._undecided(stopped.text if stopped else f"no order has a proof ({why})"), None

    def _is_large(self, attempt: OrderAttempt, seconds: float) -> bool:
        """Whether clauses for the graph of an order may take long, or the graph does."""
        graph = attempt.graph or self._build(attempt, seconds)
        return graph is None or attempt.size > _LARGE

    def _surveyed(
        self, tried: Sequence[OrderAttempt], todo: Sequence[OrderAttempt], seconds: float
    ) -> list[OrderAttempt]:
        """The attempts that are to be made, but for graphs that are as an earlier one, as far as
        they are built in that time, in turns, so that small ones are complete: many orders are one
        where few steps of threads conflict, or no loop is passed whose rounds an order counts.
        Where graphs have no cycles no invariant is to be found, and the smallest one is first; else
        those that are much larger than that are last, the larger the later."""
        every = (*tried, *todo)
        for share in _TURNS:
            for attempt in every:
                if attempt.graph is None and not attempt.ended:
                    self._build(attempt, share * seconds / len(every))
        found: dict[object, OrderAttempt] = {}
        for attempt in every:
            graph = attempt.graph
            found.setdefault(attempt.order.name if graph is None else graph.signature, attempt)
        differ = set(map(id, found.values()))
        left = [attempt for attempt in todo if id(attempt) in differ and not attempt.ended]
        sizes = {a.order.name: a.size for a in left}
        if any(a.graph is not None and a.graph.has_cycles() for a in found.values()):
            most = max(_SMALL, _MUCH_LARGER * min(sizes.values(), default=0))
            return sorted(left, key=lambda a: max(most, sizes[a.order.name]))
        return sorted(left, key=lambda a: sizes[a.order.name])

    def _try(self, attempt: OrderAttempt, end: float) -> tuple[Result, Evidence | None] | None:
        """The answer of an order; None if it has none until then."""
        order = attempt.order
        graph = attempt.graph or self._build(attempt, end - processor_time())
        if graph is None:
            return None
        statistics: dict[str, int | float | str] = {
            "order": order.name,
            "nodes": len(graph.nodes),
            "nodes_of_all_orders": self.nodes,
            **self._symmetry(),
        }
        while attempt.parts:
            seconds = max(0.0, end - processor_time())
            if len(attempt.parts) > 1:
                seconds *= _PART
            part = attempt.parts[0]
            before = 0.0 if part.spans is None else part.spans.seconds
            problem, many, solved = self._solved(attempt, part, seconds)
            end += 0.0 if part.spans is None else part.spans.seconds - before
            statistics |= {"clauses": attempt.clauses, "variables": attempt.variables}
            match solved:
                case Invariants(found):
                    for n, k in problem.nodes.items():
                        attempt.labels[n] = conj((attempt.labels.get(n, TRUE), found[k]))
                    del attempt.parts[0]
                case _ if part.focus:
                    part.whole()
                case Derivation(numbers):
                    refuted = self._refuted(order, problem, many, numbers, statistics)
                    if refuted is not None or many is None:
                        attempt.ended = True
                        return refuted
                    part.accelerates = False
                case unsolved:
                    self.failed[order.name] = unsolved.reason
                    return None
        self._note_overflows(graph, attempt.labels)
        evidence = evidence_of(self.system, graph, attempt.labels)
        return proved(self.property, self.soundness, True, statistics), evidence

    def _solved(
        self, attempt: OrderAttempt, part: ErrorPart, seconds: float
    ) -> tuple[ClauseSystem, Accelerated | None, Solved]:
        """Clauses for a part, those for many rounds among them, and what solves them."""
        _, facts = self.system.initial()
        problem = single = encode(self.system, part.graph, facts, part.focus)
        many = accelerated(problem) if part.accelerates and not part.focus else None
        if many is not None:
            problem = many.problem
        attempt.clauses = max(attempt.clauses, len(problem.clauses))
        attempt.variables = max(attempt.variables, *map(len, problem.relations), 0)
        memory = None
        if self.limits.memory is not None:
            memory = max(1.0, self.limits.memory - resident_memory())
        if part.focus:
            seconds *= _COARSE
        elif attempt.spans and part.spans is None:
            part.spans = Spans(single, self.config.search.guesses)
        expired, spans = self._expired, part.spans
        solved = solution(single, problem, seconds, memory, expired, spans, part.so_far)
        return problem, many, solved

    def _building(self, order: PreferenceOrder) -> Building:
        arrangement = Arrangement(order, self.program)
        system = self.system
        if isinstance(system, SymmetricSystem):
            return Building(system, arrangement, self._is_error, None, Peers(system))
        return Building(system, arrangement, self._is_error, self.conditions)

    def _build(self, attempt: OrderAttempt, seconds: float) -> Graph | None:
        """The graph of an order; None if it is too large, or not complete after so many seconds."""
        before, end = self.nodes - attempt.building.size, processor_time() + seconds

        def expired(nodes: int) -> bool:
            self.nodes = before + nodes
            return self._expired() or processor_time() > end

        try:
            graph = attempt.building.complete(expired)
        except TooLarge:
            self.failed[attempt.order.name] = "too many places"
            attempt.ended = attempt.building.is_too_large
            return None
        attempt.graph, attempt.parts = graph, parts_of(graph)
        return graph

    def _is_error(self, step: SymbolicStep) -> bool:
        """Whether the end of a step violates the property, or is a fault."""
        violation = step.violation
        if step.fault is not None:
            return True
        return violation is not None and (
            PROPERTIES[self.property].of_violation(violation) is not None
        )

    def _undecided(self, reason: str) -> Result:
        statistics: dict[str, int | float | str] = {"nodes_of_all_orders": self.nodes}
        return undecided(self.property, reason, statistics | self._symmetry())

    def _symmetry(self) -> dict[str, int | float | str]:
        """Whether threads that are alike count as one, if that is asked."""
        if self.apart == OFF:
            return {}
        return {"symmetry": f"off ({self.apart})" if self.apart else "on"}

    # -- refutations ----------------------------------------------------------------------------

    def _refuted(
        self,
        order: PreferenceOrder,
        problem: ClauseSystem,
        many: Accelerated | None,
        numbers: tuple[int, ...],
        statistics: dict[str, int | float | str],
    ) -> tuple[Result, None] | None:
        """The violation to which the clauses lead; None if it is not repeated."""
        _, facts = self.system.initial()
        prover = Prover("int", seed=self.config.search.seed)
        self.failed[order.name] = "an error is derived that is not repeated"
        steps: tuple[SymbolicStep, ...] = ()
        model: object = None
        for moves in islice(product(*connected(problem, numbers)), _MOST_PATHS):
            steps = tuple(move.step for move in moves)
            if isinstance(self.system, SymmetricSystem):
                steps = repeated(self.system, [(move.step, move.becomes) for move in moves])
            model = feasibility(prover, Path(facts, steps))
            if isinstance(model, Feasible):
                break
        if not steps or not isinstance(model, Feasible):
            return None
        if many is not None:
            every = unrolled(many, steps, model)
            if every is None:
                return None
            steps, model = every
        interpreter = self.system.interpreter
        followed = concretised(interpreter, steps, model)
        violation = None if followed is None else followed[-1].violation
        if followed is None or violation is None:
            return None
        property = PROPERTIES[self.property]
        finding = property.of_violation(violation)
        if finding is None:
            self.failed[order.name] = f"undefined behaviour may be reached: {steps[-1].fault}"
            return None
        found: Found[State] = Found(followed, finding, property.name)
        expired = expiry(self.watch, Statistics(states=self.nodes))
        return falsified(interpreter, found, expired, statistics, self.soundness), None

    def _expired(self) -> bool:
        return self._stopped() is not None

    def _stopped(self) -> StopReason | None:
        return self.watch(Statistics(states=self.nodes))

    # -- proofs ---------------------------------------------------------------------------------

    def _note_overflows(self, graph: Graph, labels: Mapping[int, Formula]) -> None:
        """Assumes that no step overflows of which that is not proved."""
        judge = Judge("int")
        seen: set[Position] = set()
        for n, node in enumerate(graph.nodes):
            d = node.discrete
            for t in node.expanded:
                overflows = self.system.overflows(d, t)
                if seen.issuperset(overflows.values()):
                    continue
                numbers = self.system.numbers(d)
                known = frozenset({substitute(labels.get(n, TRUE), numbers)})
                for f, where in overflows.items():
                    settled = frozenset({substitute(f, numbers)})
                    if where not in seen and judge.impossible(known, settled) is not Answer.YES:
                        seen.add(where)
                        self.soundness.assume(no_overflow(where))
