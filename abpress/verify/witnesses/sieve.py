"""Which of many invariants hold, by one enumeration of all states.

A check that fails may also go on, so one search looks behind all of them: when it has come to its
end, what has not failed holds in all executions.

NOTE(observing-code)
"""

from __future__ import annotations

from collections.abc import Sequence

from abpress.config import Config
from abpress.engines.order import InOrder
from abpress.engines.stored import StoredSearch
from abpress.engines.table import ENGINES
from abpress.properties import asked
from abpress.result import Soundness
from abpress.search.limits import Limits, Watch
from abpress.semantics.outcome import FEW_THREADS
from abpress.verify.closed import looks_finite
from abpress.verify.load import load
from abpress.verify.witnesses.invariant_checks import CHECKING, invariant_checks
from abpress.verify.witnesses.places import ProgramPlaces
from abpress.witness.standard.model import CorrectnessWitness, StatedInvariant


def sieved(
    witness: CorrectnessWitness, config: Config, places: ProgramPlaces, limits: Limits
) -> Sequence[StatedInvariant] | None:
    """The invariants of a witness that hold; None if the program does not look finite, the search
    did not come to its end within the limits, or it does not cover all executions.

    Raises InputError and UnsupportedError, with places in the code of checks.
    """
    checks = invariant_checks(witness, places, config.program.file, go_on=True)
    config = config.but(**CHECKING, insertions=checks.insertions, keep_going=True, workers=1)
    config = ENGINES["explicit"].configured(config.but(engine="explicit", por="auto"))
    program = load(config).program
    if not looks_finite(program, config.bounds.input_domain):
        return None
    soundness = Soundness()
    search = StoredSearch(
        lambda: InOrder(program, config, soundness, FEW_THREADS),
        asked(config.question.properties),
        config,
        limits,
        Watch(limits),
    )
    outcome = search.run().outcome
    if outcome.stopped is not None or not outcome.exhausted or not soundness.complete:
        return None
    failed = [checks.failures[found.finding.message] for found in outcome.found]
    return [stated for stated in witness.invariants if stated not in failed]
