"""Bounds that grow again and again come to an end soon, however many numbers a program has."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.config import Config
from abpress.modular.numbers.fixpoint import Analysis
from abpress.verify.load import load


@pytest.fixture
def analysis(tmp_path: Path) -> Analysis:
    file = tmp_path / "program.c"
    file.write_text("int main(void) { return 0; }\n")
    program = load(Config.of(file, property="no-overflow")).program
    found = Analysis(program, Facts.of(program))
    found.thresholds = list(range(-9999, 10000, 3))
    return found


def test_few_steps_lead_past_many_numbers(analysis: Analysis) -> None:
    known, times = (0, 0), 0
    while known != (-9999, 9999):
        times += 1
        before, told = known, (known[0] - 1, known[1] + 1)
        known = analysis.widened(before, told, times)
        assert known[0] <= told[0] and told[1] <= known[1]
        assert times > 60 or known == (-3 * times, 3 * times)
    assert times < 120


def test_what_does_not_grow_stays(analysis: Analysis) -> None:
    assert analysis.widened((0, 5), (1, 5), 99) == (0, 5)
    assert analysis.widened((0, 5), (0, 12_000), 99) == (0, 12_000)
