"""Pictures of pages are taken where there is a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments import screenshots
from experiments.harness import main
from tests.bench.browser import PROGRAM


@pytest.mark.skipif(PROGRAM is None, reason="no browser")
def test_a_picture_of_a_race(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screenshots, "SHOWN", {"race": screenshots.SHOWN["race"]})
    assert main(["screenshots", str(tmp_path)]) == 0
    light, dark = ((tmp_path / f"race.{name}.png").read_bytes() for name in ("light", "dark"))
    assert light[:4] == b"\x89PNG"
    assert light != dark


def test_no_browser_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["screenshots", str(tmp_path), "--browser", ""]) == 1
    assert "none of these is installed: chromium" in capsys.readouterr().err
