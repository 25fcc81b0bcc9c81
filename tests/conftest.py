"""What holds for all tests."""

from __future__ import annotations

import signal

from hypothesis import settings


def pytest_configure() -> None:
    """Lets random tests repeat themselves, and the tests be stopped, and what they start and stop.

    New random programs are for `scripts/experiment fuzz`.
    A run in the background, or below nohup, begins with some of these signals ignored, and so would
    all of its processes.
    """
    settings.register_profile("repeated", derandomize=True, database=None)
    settings.load_profile("repeated")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
