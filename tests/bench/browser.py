"""A headless Chromium, driven over a pipe by its debugging protocol: it needs no package."""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from experiments.screenshots import BROWSERS

PROGRAM = next(filter(None, map(shutil.which, BROWSERS)), None)
"""The browser of this machine; None if there is none."""

_OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--window-size=1200,1400", "--remote-debugging-pipe"),
)
_CODES = {"Enter": 13, "Tab": 9, "ArrowRight": 39, "ArrowLeft": 37, "End": 35, "Home": 36}
"""Keys that type nothing -> their codes."""

_PATIENCE = 60.0
"""Seconds after which a browser that does not answer fails the test."""


class Browser:
    """One page. `errors` are the exceptions and refusals that it met, `requests` what it loaded."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands = commands
        self._answers = answers
        self._buffer = b""
        self._last = 0
        self._session: str | None = None
        self.errors: list[str] = []
        self.requests: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def open(self, page: Path, state: str = "") -> None:
        """Loads a page, with a state in its address, from nothing."""
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=page.as_uri() + (f"#{state}" if state else ""))
        deadline = time.monotonic() + _PATIENCE
        while self.js("location.protocol + document.readyState") != "file:complete":
            assert time.monotonic() < deadline, "the page does not load"

    def js(self, expression: str) -> Any:
        """The value of an expression in the page. Fails if it throws."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str, text: str = "", modifiers: int = 0) -> None:
        """Presses a key where the focus is; `text` is what it types, 8 the modifier for shift."""
        code = _CODES.get(key, 0)
        event = {"key": key, "windowsVirtualKeyCode": code, **({"text": text} if text else {})}
        event["modifiers"] = modifiers
        self.send("Input.dispatchKeyEvent", type="keyDown", **event)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def write(self, text: str) -> None:
        """Types text."""
        for letter in text:
            self.press(letter, letter)

    def click(self, selector: str) -> None:
        """Clicks with the mouse in the middle of an element."""
        x, y = self.js(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            where = {"x": x, "y": y, "button": "left", "clickCount": 1}
            self.send("Input.dispatchMouseEvent", type=kind, **where)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to a command of the protocol."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._last:
                assert "error" not in answer, (method, answer["error"])
                return dict(answer["result"])
            self._notice(answer.get("method"), answer.get("params", {}))

    def _notice(self, method: str | None, what: dict[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(what["exceptionDetails"]))
        elif method == "Log.entryAdded" and what["entry"]["level"] == "error":
            self.errors.append(what["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(what["request"]["url"])

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._answers], [], [], _PATIENCE)
            assert ready, "the browser does not answer"
            read = os.read(self._answers, 1 << 16)
            assert read, "the browser has ended"
            self._buffer += read
        first, self._buffer = self._buffer.split(b"\0", 1)
        return dict(json.loads(first))


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """A browser with a new profile; it and its children end with the block."""
    assert PROGRAM is not None
    ends = [*os.pipe(), *os.pipe()]
    their_in, our_out, our_in, their_out = (fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in ends)
    for end in ends:
        os.close(end)

    def give_the_pipe() -> None:
        os.dup2(their_in, 3)
        os.dup2(their_out, 4)

    process = subprocess.Popen(
        [PROGRAM, *_OPTIONS, f"--user-data-dir={profile}"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=give_the_pipe,
        pass_fds=(3, 4),
        start_new_session=True,
    )
    os.close(their_in)
    os.close(their_out)
    try:
        yield Browser(our_out, our_in)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(our_out)
        os.close(our_in)
