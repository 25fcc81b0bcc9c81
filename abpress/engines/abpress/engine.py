"""The symbolic engine: lazy abstraction with interpolants over interleavings ([AbPress14]).

The tree is built with what is known; an error that is possible in it is *refined*: either there is
an execution, which the concrete interpreter repeats before it is believed, or interpolants exclude
it, and the tree is built again, or changed, with what they say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from abpress.art.view import ArtView
from abpress.config import Config
from abpress.engines.abpress import LOOKS_AT
from abpress.engines.abpress.strategy import decide
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.reductions.table import TREE
from abpress.result import Result, Soundness, combined
from abpress.search.limits import Limits
from abpress.search.statistics import Statistics


def prove(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None] | None = None,
    soundness: Soundness | None = None,
) -> tuple[Result, ArtView | None]:
    """As `prove_each`, with the result for all properties."""
    results, tree = prove_each(program, config, limits, progress, soundness)
    return combined(tuple(results.values())), tree


def prove_each(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None] | None = None,
    soundness: Soundness | None = None,
) -> tuple[Mapping[str, Result], ArtView | None]:
    """Decides `config.question.properties` for the program, as far as the limits allow.

    Each by itself, in one tree:

    - "true": the tree is complete, and no move that ends in an error is possible in it (nor, if
      that is asked, a deadlock).
    - "false": the execution was replayed, and is part of the result.
    - "unknown": a limit, or a question that the solver or the interpolation did not answer.

    Of verdicts "true" it returns the complete tree, too. `soundness` is what the frontend has lost
    already. Raises UnsupportedError.
    """
    for name in config.question.properties:
        if not PROPERTIES[name].looks_at <= LOOKS_AT:
            raise UnsupportedError(f"engine abpress: does not check {name}")
    if config.search.por not in TREE:
        raise UnsupportedError(f"engine abpress: no reduction {config.search.por}")
    soundness = Soundness() if soundness is None else soundness
    return decide(program, config, limits, progress, soundness)
