"""What is proved of programs that are nearly right, enumeration of few executions does not refute.

Each has, for small inputs, few executions, which plain enumeration looks at; the proof is of all of
them. One that is refuted must not be proved: not in any order of engine `horn`, not by facts and
invariants of templates, and not by the tree.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.config import Config
from abpress.engines.horn import engine
from abpress.engines.horn.orders import ORDERS
from abpress.result import Verdict
from abpress.verify.certify import check_proof
from abpress.verify.run import verify
from tests.sampling import examples, sample
from tests.strategies.c_nearly_right import SHAPES, SMALL, NearlyRight, drawn_from, nearly_right

WAYS = ("static", "static", "abpress", "horn", *(f"horn: {order}" for order in ORDERS))
"""Engines, and for `horn` the order."""

DRAWN = st.tuples(nearly_right(), st.sampled_from(WAYS))


def enumerated(file: Path, seconds: float) -> Verdict:
    """What enumeration of the few executions says."""
    options = {"engine": "explicit", "por": "none", "max_threads": 4, "defines": SMALL}
    return verify(
        Config.of(file, property="unreach-call", time_limit=seconds, **options)
    ).result.verdict


def compared(program: NearlyRight, way: str, folder: Path, seconds: float = 4.0) -> str:
    """What an engine says of a program, and enumeration of the few executions."""
    file = folder / "nearly.c"
    file.write_text(program.text, encoding="utf-8")
    name, _, order = way.partition(": ")
    config = Config.of(
        file, engine=name, property="unreach-call", certificate=True, time_limit=seconds
    )
    with pytest.MonkeyPatch.context() as patch:
        if order:
            patch.setattr(engine, "fitting", lambda _: [ORDERS[order]])
        report = verify(config)
    if report.certificate is not None:
        check_proof(config, report.certificate)
    few = enumerated(file, seconds)
    verdict = report.result.verdict
    assert (verdict, few) != (Verdict.TRUE, Verdict.FALSE), f"{way}\n{program.text}"
    return f"{name} {verdict.value}, of few executions {few.value}"


@pytest.mark.parametrize("shape", sample(tuple(SHAPES), 6))
def test_shapes_are_right(shape: str, tmp_path: Path) -> None:
    file = tmp_path / "right.c"
    file.write_text(drawn_from(shape).text, encoding="utf-8")
    assert enumerated(file, 60.0) is Verdict.TRUE


def test_a_slip_makes_a_shape_wrong(tmp_path: Path) -> None:
    right = drawn_from("lock")
    wrong = drawn_from("lock", {0: "while (held) ; held = 1;"})
    assert not right.slips
    assert len(wrong.slips) == 1
    assert compared(right, "static", tmp_path, 60.0) == "static true, of few executions true"
    file = tmp_path / "wrong.c"
    file.write_text(wrong.text, encoding="utf-8")
    assert enumerated(file, 60.0) is Verdict.FALSE


def test_no_program_is_proved_that_enumeration_refutes(tmp_path: Path) -> None:
    told: Counter[str] = Counter()

    @settings(max_examples=examples(2, whole=60), derandomize=True, deadline=None, database=None)
    @given(drawn=DRAWN)
    def every(drawn: tuple[NearlyRight, str]) -> None:
        told[compared(*drawn, tmp_path, 1.0)] += 1

    every()
    assert told.total() >= 2
