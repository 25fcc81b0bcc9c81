"""What holds for all tests."""

from __future__ import annotations

import gc
import signal

import pytest
from _pytest.runner import pytest_runtest_protocol as run_test
from hypothesis import settings

from abpress.interpreter import with_room_for_calls
from abpress.verify import turns
from tests.reading import read_once
from tests.sampling import examples, look_at_everything

__all__ = ["read_once"]

LOOKS = 5_000, 20, 50
"""How many new objects a look for garbage is for, and how many of these one that looks further."""


FIRST_HUNT = 12_000
"""Steps of the first hunt of `auto`, which takes ten times as many of a program without errors."""


@pytest.fixture(autouse=True)
def hunt_for_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is right, as most that is asked, is hunted in vain; what is wrong is mostly found soon.
    Commands are run as they are."""
    monkeypatch.setattr(turns, "_HUNT_STEPS", examples(FIRST_HUNT, whole=turns._HUNT_STEPS))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", help="no samples: rows and programs of tests")


def pytest_configure(config: pytest.Config) -> None:
    """Lets random tests repeat themselves, and the tests be stopped, and what they start and stop.

    New random programs are for `scripts/experiment fuzz`.
    A run in the background, or below nohup, begins with some of these signals ignored, and so would
    all of its processes.
    """
    gc.disable()  # what is collected is not garbage
    if config.getoption("whole"):
        look_at_everything()
    settings.register_profile("repeated", derandomize=True, database=None)
    settings.load_profile("repeated")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def pytest_collection_finish() -> None:
    """What a test makes mostly ends with it: looks for garbage are rarer than usual, and few go
    through all of it."""
    gc.enable()
    spare_what_stays()
    gc.set_threshold(*LOOKS)


def spare_what_stays() -> None:
    """What is loaded, collected or kept by now stays until the end: no look for garbage goes
    through it, also none that a run asks for between its engines."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Tests are deep in calls of pytest, and begin wherever in a chunk of frames that is."""
    ran = with_room_for_calls(run_test, item, nextitem)
    if nextitem is not None and nextitem.path != item.path:
        spare_what_stays()
    return ran
