"""Whatever it is given, the command answers with one clear message, a status, and a JSON file."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.sampling import examples

from .conftest import COMMAND, Command, environment


def _is_refused(abpress: Command, path: Path, *arguments: str, position: str = "") -> str:
    run = abpress("verify", path, *arguments)
    assert run.status == 3, run
    assert run.verdict.startswith(("unknown (input error: ", "unknown (unsupported: ")), run
    message = run.err.strip()
    assert len(message.splitlines()) == 1, message
    assert message.startswith(f"{path}{position}"), message
    assert run.data["verdict"] == "unknown"
    return message


def test_missing_file(abpress: Command, tmp_path: Path) -> None:
    assert "no such file" in _is_refused(abpress, tmp_path / "missing.c")


def test_directory(abpress: Command, tmp_path: Path) -> None:
    folder = tmp_path / "folder.c"
    folder.mkdir()
    assert "directory" in _is_refused(abpress, folder)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(abpress: Command, tmp_path: Path) -> None:
    file = tmp_path / "secret.c"
    file.write_text("int main() { return 0; }")
    file.chmod(0)
    assert "ermission" in _is_refused(abpress, file)


BAD = {
    "empty": (b"", ":1"),
    "blank": (b"\n\n  \n", ":"),
    "binary": (bytes(range(256)) * 64, ":1:"),
    "elf": (b"\x7fELF\x02\x01\x01" + bytes(1000), ":1:"),
    "not_utf_8": ("int main() { return 0; }\nchar c = '\xe9'; @\n".encode("latin-1"), ":2:"),
    "syntax_error": (b"int main() {\n  int x = ;\n}\n", ":2:11"),
    "unclosed": (b"int main() {\n  if (1) {\n", ":"),
    "stray": (b"int main() { return 0; }\n@\n", ":2:1"),
    "undeclared": (b"int main() {\n  return y;\n}\n", ":2:10"),
    "no_main": (b"int f(void) { return 0; }\n", ":"),
    "missing_include": (b'#include "nowhere.h"\nint main() { return 0; }\n', ":1:"),
    "unclosed_if": (b"#if 1\nint main() { return 0; }\n", ":"),
    "unclosed_comment": (b"int main() { return 0; }\n/* \n", ":2:"),
    "unclosed_string": (b'int main() { char *s = "abc; }\n', ":1:"),
    "include_itself": (b'#include "include_itself.c"\nint main() { return 0; }\n', ":"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_text(abpress: Command, tmp_path: Path, name: str) -> None:
    content, position = BAD[name]
    file = tmp_path / f"{name}.c"
    file.write_bytes(content)
    _is_refused(abpress, file, position=position)


def test_unknown_function(abpress: Command, tmp_path: Path) -> None:
    file = tmp_path / "unknown.c"
    file.write_text("int mystery(int);\nint main() { return mystery(1); }\n")
    assert "mystery" in _is_refused(abpress, file, position=":2:")
    assert abpress("verify", file, "--undefined-functions", "havoc").verdict == "true"


@pytest.mark.parametrize("opening, closing", [("(", ")"), ("{", "}"), ("!", ""), ("x[", "]")])
def test_deep_nesting(abpress: Command, tmp_path: Path, opening: str, closing: str) -> None:
    deep = examples(20_000, whole=100_000)
    file = tmp_path / "deep.c"
    body = opening * deep + ("" if opening == "{" else "1") + closing * deep
    file.write_text(f"int x[2]; int main() {{ {body}; return 0; }}\n")
    run = abpress("verify", file, "--time-limit", "60", timeout=90)
    assert run.status == 3, run
    assert run.err.startswith(f"{file}:1:"), run.err
    assert len(run.err.splitlines()) == 1


def test_a_megabyte_on_one_line(abpress: Command, tmp_path: Path) -> None:
    file = tmp_path / "long.c"
    file.write_text("int main() { return 0; } /* " + "x" * 1_000_000 + " */ @\n")
    _is_refused(abpress, file, position=":1:10000")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--time-limit", "soon"),
        ("--time-limit", "0"),
        ("--time-limit", "-1"),
        ("--memory-limit", "much"),
        ("--max-threads", "0"),
        ("--por", "magic"),
        ("--engine", "magic"),
        ("--data-model", "ILP64"),
        ("-D", "1=2"),
        ("--no-such-option",),
    ],
    ids=" ".join,
)
def test_bad_options(abpress: Command, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    file = tmp_path / "fine.c"
    file.write_text("int main() { return 0; }\n")
    run = abpress("verify", file, *arguments)
    assert run.status == 3
    assert run.out == ""
    assert run.err.startswith("abpress"), run.err
    assert "--help" in run.err


def test_bad_property(abpress: Command, tmp_path: Path) -> None:
    file = tmp_path / "fine.c"
    file.write_text("int main() { return 0; }\n")
    run = abpress("verify", file, "--property", "magic")
    assert run.status == 3
    assert "unreach-call" in run.err
    prp = tmp_path / "race.prp"
    prp.write_text("CHECK( init(main()), LTL(F end) )\n")
    run = abpress("verify", file, "--property", prp)
    assert run.status == 3
    assert run.verdict.startswith("unknown (unsupported: ")


def test_bytes_that_are_no_text_in_json(tmp_path: Path) -> None:
    file, target = tmp_path / "x.c", tmp_path / "x.json"
    file.write_bytes(
        b"#include <assert.h>\n"
        b'#line 3 "\xff.c"\n'
        b"int main(void) { const char *s = \"\xff\"; assert(s[0] == 'a'); return 0; }\n"
    )
    assert _raw("verify", str(file), "--json", str(target)).returncode == 1
    assert json.loads(target.read_text(encoding="utf-8"))["verdict"] == "false"


def test_json_file_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "fine.c"
    file.write_text("int main() { return 0; }\n")
    for target in (tmp_path / "nowhere" / "x.json", tmp_path):
        run = _raw("verify", str(file), "--json", str(target))
        assert run.returncode == 3
        assert "abpress verdict: true" in run.stdout  # the verdict is not lost
        assert run.stderr.startswith(f"cannot write {target}: ")
    assert [path.name for path in tmp_path.iterdir()] == ["fine.c"]


def test_output_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "fine.c"
    file.write_text("int main() { return 0; }\n")
    full = _raw("verify", str(file), redirect=">/dev/full")
    assert full.returncode == 4
    assert "cannot write the output" in full.stderr
    assert _raw("verify", str(file), redirect=">&-").returncode == 0
    assert _raw("verify", str(file), redirect="2>&-").returncode == 0


def _raw(*arguments: str, redirect: str = "") -> subprocess.CompletedProcess[str]:
    run = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirect}', "sh", *COMMAND, *arguments],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "Traceback" not in run.stderr
    return run


def test_no_command(abpress: Command) -> None:
    run = abpress("--version")
    assert run.status == 0
    assert run.out.startswith("abpress ")
    run = abpress("frobnicate")
    assert run.status == 3
