"""The tool-info module by which BenchExec runs AbPress, named `abpress.bench.tool_info`.

It is imported by BenchExec only (`benchexec/tools/template.py` says what the methods are).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from benchexec import result
from benchexec.tools.template import BaseTool2, ToolNotFoundException, UnsupportedFeatureException

_VERDICT = re.compile(r"abpress verdict: (true|false\([\w-]+\)|unknown)(?: \((.*)\))?")
_STATISTIC = re.compile(r"  (\S+(?: \S+)*) {2,}(.*)")
_ANSWERED = (0, 1, 2)
"""The exit statuses of true, false and unknown; others mean that there is no answer."""


class Tool(BaseTool2):  # type: ignore[misc]
    """AbPress, a verifier of multi-threaded C programs."""

    def name(self) -> str:
        """The name for people."""
        return "AbPress"

    def executable(self, tool_locator: Any) -> str:
        """The command: installed, or in an environment or a checkout as `--tool-directory`."""
        for folder in ("", "bin"):
            try:
                return str(tool_locator.find_executable("abpress", subdir=folder))
            except ToolNotFoundException:
                continue
        return str(tool_locator.find_executable("abpress", subdir="scripts"))

    def version(self, executable: str) -> str:
        """The version, as the command says it."""
        return str(self._version_from_tool(executable, line_prefix="abpress ", ignore_stderr=True))

    def cmdline(
        self, executable: str, options: Sequence[str], task: Any, rlimits: Any
    ) -> list[str]:
        """The command line of a task. Raises UnsupportedFeatureException.

        The options of the definition come last: they win over the limits that BenchExec knows.
        """
        given = task.options if isinstance(task.options, dict) else {}
        arguments = [executable, "verify", "--stats"]
        if task.property_file:
            arguments += ["--property", task.property_file]
        model = given.get("data_model")
        if model not in (None, "ILP32", "LP64"):
            raise UnsupportedFeatureException(f"data model {model!r} is not supported")
        if model:
            arguments += ["--data-model", model]
        if given.get("language", "C") != "C":
            raise UnsupportedFeatureException(f"language {given['language']!r} is not supported")
        if rlimits.cputime:
            arguments += ["--time-limit", f"{rlimits.cputime}s"]
        if rlimits.memory:
            arguments += ["--memory-limit", f"{rlimits.memory // 10**6}MB"]
        return [*arguments, *options, task.single_input_file]

    def determine_result(self, run: Any) -> str:
        """The last verdict line, or "ERROR (why)" if there is none, or the status denies it."""
        found = [match for line in run.output if (match := _VERDICT.fullmatch(line.strip()))]
        if run.exit_code.signal is not None:
            return f"{result.RESULT_ERROR} (signal {run.exit_code.signal})"
        if not found:
            return f"{result.RESULT_ERROR} (no verdict)"
        verdict, reason = found[-1].groups()
        refused = run.exit_code.value == 3 and (reason or "").startswith("unsupported: ")
        if run.exit_code.value not in _ANSWERED and not refused:
            return f"{result.RESULT_ERROR} ({reason or f'status {run.exit_code.value}'})"
        return str(verdict)

    def get_value_from_output(self, output: Iterable[str], identifier: str) -> str | None:
        """A line of the statistics by its name (`states`, `cpu time`); None if there is none."""
        for line in output:
            match = _STATISTIC.fullmatch(line.rstrip())
            if match and match[1] == identifier:
                return re.sub(r"(?<=\d),(?=\d)|(?<=\d) (?=s$|MB$)", "", match[2])
        return None
