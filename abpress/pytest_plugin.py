"""The plugin of pytest: a fixture `abpress`, and tests that comments in C files ask for.

    // abpress: property=no-data-race expect=true define=LOCKED define=N=2

Files of which comments count are those that the setting `abpress_files` names, as patterns.
It is loaded by `-p`, not found: of what is found, pytest rewrites each `assert` of all packages,
which then says of a whole tree what it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import pytest

if TYPE_CHECKING:
    from abpress.api.asking import RunOptions, Source
    from abpress.api.results import Result

_FILES = "abpress_files"
_TIME_LIMIT = "abpress_time_limit"

_COMMENT = re.compile(r"//\s*abpress:(.*)|/\*\s*abpress:((?:(?!\*/).)*)\*/")
_WORDS = ("property", "expect", "define")
_VERDICTS = ("true", "false", "unknown")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the settings."""
    parser.addini(
        _FILES, "patterns of C files whose comments `// abpress: …` are tests", "args", default=[]
    )
    parser.addini(_TIME_LIMIT, "seconds of each run of AbPress (default: 60)", default="60")


@dataclass(frozen=True, slots=True)
class Checks:
    """The fixture: runs of AbPress, in which names of files are relative to those of the test."""

    folder: Path
    time_limit: float

    def verify(
        self,
        source: Source,
        property: str | Iterable[str] = "all",
        **options: Unpack[RunOptions],
    ) -> Result:
        """As `abpress.verify`, with the limit of time of the settings unless there is another."""
        from abpress.api.asking import is_text, paths_of
        from abpress.api.run import verify

        options.setdefault("time_limit", self.time_limit)
        if not is_text(source):
            source = [self.folder / path for path in paths_of(source)]
        return verify(source, property, **options)

    def proves(
        self,
        source: Source,
        property: str | Iterable[str] = "all",
        **options: Unpack[RunOptions],
    ) -> Result:
        """The result of `verify`; the test fails, and shows the execution, if it is not "true"."""
        return _expect("true", self.verify(source, property, **options))

    def violates(
        self,
        source: Source,
        property: str | Iterable[str] = "all",
        **options: Unpack[RunOptions],
    ) -> Result:
        """The result of `verify`; the test fails if it is not "false"."""
        return _expect("false", self.verify(source, property, **options))


def _expect(verdict: str, result: Result) -> Result:
    if result.verdict.value != verdict:
        pytest.fail(_told(verdict, result), pytrace=False)
    return result


def _told(expected: str, result: Result) -> str:
    """What was answered in the place of what was expected, with the execution."""
    lines = [f"AbPress: {expected} is expected, and the answer is {result.verdict.value}"]
    for its in result:
        lines.append(str(its))
        if its.verdict.value != expected and its.trace:
            lines += ["", its.shown_trace(), ""]
    return "\n".join(lines)


def _time_limit(config: pytest.Config) -> float:
    return float(config.getini(_TIME_LIMIT))


@pytest.fixture
def abpress(request: pytest.FixtureRequest) -> Checks:
    """Runs of AbPress on C files beside the test."""
    return Checks(request.path.parent, _time_limit(request.config))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The tests of a C file, if it is one of those that the settings name."""
    patterns: list[str] = parent.config.getini(_FILES)
    if not any(file_path.match(pattern) for pattern in patterns):
        return None
    collector: pytest.Collector = CommentedFile.from_parent(parent, path=file_path)
    return collector


class CommentedFile(pytest.File):
    """A C file with comments that ask for tests."""

    def collect(self) -> Iterator[pytest.Item]:
        """A test for each comment."""
        text = self.path.read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            found = _COMMENT.search(line)
            if found is not None:
                yield self._test((found[1] or found[2] or "").strip(), number)

    def _test(self, said: str, line: int) -> pytest.Item:
        words: dict[str, list[str]] = {word: [] for word in _WORDS}
        for part in said.split():
            word, _, value = part.rstrip(",").partition("=")
            if word not in words or not value:
                known = ", ".join(f"{word}=" for word in _WORDS)
                raise self.CollectError(f"{self.path}:{line}: {part!r} is none of {known}")
            words[word].append(value)
        expect = words["expect"] or ["true"]
        if len(expect) > 1 or expect[0] not in _VERDICTS:
            known = ", ".join(_VERDICTS)
            raise self.CollectError(f"{self.path}:{line}: expect= is not one of {known}")
        item: pytest.Item = CommentTest.from_parent(
            self, name=f"line {line}: {said}", line=line, words=words, expect=expect[0]
        )
        return item


class CommentTest(pytest.Item):
    """What a comment expects of its file; of all properties, if it names none."""

    def __init__(
        self, *, line: int, words: dict[str, list[str]], expect: str, **others: Any
    ) -> None:
        super().__init__(**others)
        self._line = line
        self._words = words
        self._verdict = expect

    def runtest(self) -> None:
        """Verifies the file."""
        checks = Checks(self.path.parent, _time_limit(self.config))
        words = self._words
        result = checks.verify(self.path, words["property"], defines=words["define"])
        _expect(self._verdict, result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The message alone of what is wrong with the input."""
        from abpress.errors import AbPressError

        if isinstance(excinfo.value, AbPressError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the comment is."""
        return self.path, self._line - 1, f"{self.path.name}:{self._line}"
