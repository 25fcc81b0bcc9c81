"""The search begins again with bit-vectors where a path needs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.abpress.engine import prove
from abpress.result import Verdict
from abpress.search.limits import Limits
from abpress.smt.encoding import encoding_for
from abpress.verify.load import load

PROGRAMS = Path(__file__).parents[2] / "programs" / "language"


@pytest.mark.parametrize(
    ("name", "verdict"),
    [("product_as_index", Verdict.TRUE), ("product_as_index_wrong", Verdict.FALSE)],
)
def test_a_path_that_integers_cannot_say(name: str, verdict: Verdict) -> None:
    config = Config.of(PROGRAMS / f"{name}.c", por="s-por", paranoid=True)
    program = load(config).program
    assert encoding_for(program) == "int"
    result, _ = prove(program, config, Limits(time=20.0))
    assert result.verdict is verdict
    assert result.statistics["encoding"] == "bv"
