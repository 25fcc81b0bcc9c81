"""What holds for all tests of engines."""

import pytest

from abpress.engines import stateless


@pytest.fixture(autouse=True)
def many_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many workers search as a test asks for, whatever machine it runs on."""
    monkeypatch.setattr(stateless, "processors", lambda: 64)
