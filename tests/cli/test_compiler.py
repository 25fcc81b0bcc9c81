"""The command line takes what compilers take: files, their options, arguments of the program."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from abpress.cli.compiler import options_of
from abpress.cli.main import build_parser
from abpress.cli.options import config_of
from abpress.config import MACHINE, Config
from abpress.errors import InputError
from tests.cli.conftest import COMMAND, Command, environment

MAIN = "#include <assert.h>\nint f(void); int main(void) { assert(f() == N); return 0; }\n"
OTHER = "#include <limits.h>\nint f(void) { return LONG_MAX == INT_MAX ? 1 : K; }\n"


@pytest.fixture
def write(tmp_path: Path):
    def write(text: str) -> Path:
        file = tmp_path / "program.c"
        file.write_text(text)
        return file

    return write


def config(*words: str | Path) -> Config:
    return config_of(build_parser("verify").parse_args(["verify", *map(str, words)]))


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("-Wall -O2 -g -pthread -pipe -fPIC -c -o x.o -MMD -MF x.d -lm -L/lib -march=native", ""),
        ("-isystem inc -iquoteinc2 -I inc3", "-I inc -I inc2 -I inc3"),
        ("-include a.h", "--include-file a.h"),
        ("-m32 -fwrapv", "--data-model ILP32 --signed-overflow wrap"),
        ("-std=gnu11 -ansi", "-D __STDC_VERSION__=201112L -D !__STDC_VERSION__"),
        ("--seed 3 --quiet -DX -UY -", "--seed 3 --quiet -DX -UY -"),
    ],
)
def test_words_of_compilers(given: str, meant: str) -> None:
    assert options_of(given.split()) == meant.split()


@pytest.mark.parametrize("word", ["-fopenmp", "-funsigned-char", "-fpack-struct=2", "-std=c++11"])
def test_what_would_change_the_meaning_is_refused(word: str) -> None:
    with pytest.raises(InputError, match="is not supported"):
        options_of([word])


def test_files_stand_anywhere_and_arguments_behind_dashes() -> None:
    its = config("a.c", "-D", "X=1", "b.c", "-U", "X", "-O2", "--", "-n", "c.c").program
    assert [str(one.file) for one in its.compilations] == ["a.c", "b.c"]
    assert all(one.defines == ("X=1", "!X") for one in its.compilations)
    assert its.arguments == ("-n", "c.c")
    assert config("a.c").program.arguments is None
    assert config("a.c", "--").program.arguments == ()


def test_the_data_model_is_the_machines_but_for_tasks(tmp_path: Path) -> None:
    task = tmp_path / "unreach.prp"
    task.write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    assert config("a.c").program.data_model == MACHINE
    assert config("a.c", "--property", "no-deadlock").program.data_model == MACHINE
    assert config("a.c", "--property", task).program.data_model == "ILP32"
    assert config("a.c", "--property", task, "-m64").program.data_model == "LP64"


def test_the_verdict_says_which_data_model(abpress: Command, write) -> None:
    file = write("int main(void) { return 0; }")
    run = abpress("verify", file, "-m32")
    assert "ILP32" in run.out
    assert run.data["data_model"] == "ILP32"


def test_compile_commands(abpress: Command, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "build").mkdir()
    main, other = tmp_path / "src" / "main.c", tmp_path / "src" / "other.c"
    main.write_text('#include "n.h"\n' + MAIN)
    other.write_text(OTHER)
    (tmp_path / "src" / "n.h").write_text("#define N 5\n")
    database = tmp_path / "build" / "compile_commands.json"
    entries = [
        {"directory": ".", "command": "cc -I ../src -o m.o -c ../src/main.c", "file": str(main)},
        {
            "directory": str(tmp_path / "build"),
            "arguments": ["cc", "-DK=5", "-m64", "-c", "../src/other.c"],
            "file": "../src/other.c",
        },
        {"directory": ".", "command": "c++ x.cc", "file": "x.cc"},
    ]
    database.write_text(json.dumps(entries))
    assert abpress("verify", database).verdict == "true"
    assert abpress("verify", database, main, other).verdict == "true"
    assert abpress("verify", database, "-m32").verdict == "false(unreach-call)"
    entries[0]["command"] += " -m32"  # type: ignore[operator]
    database.write_text(json.dumps(entries))
    run = abpress("verify", database)
    assert run.status == 3
    assert "different data models" in run.err


@pytest.mark.parametrize("text", ["{}", "[1]", "no", '[{"directory": ".", "file": "a.c"}]'])
def test_files_that_are_no_compile_commands(text: str, abpress: Command, tmp_path: Path) -> None:
    (tmp_path / "compile_commands.json").write_text(text)
    run = abpress("verify", tmp_path / "compile_commands.json")
    assert run.status == 3
    assert "compile_commands.json:1:1: n" in run.err  # not a list, or no command compiles C


ARGUMENTS = """
#include <assert.h>
#include <string.h>
int main(int argc, char **argv) {
  assert(argc == 3 && !strcmp(argv[1], "-n") && argv[2][0] == '7' && !argv[2][1] && !argv[argc]);
  argv[2][0] = 0;
}
"""


def test_arguments_of_main(abpress: Command, write) -> None:
    file = write(ARGUMENTS)
    run = abpress("verify", "--property", "unreach-call,valid-deref", file, "--", "-n", "7")
    assert run.verdict == "true"
    assert f"assuming: main is called with the arguments {file.stem} -n 7" in run.out
    assert abpress("verify", file, "--", "-n", "8").verdict == "false(unreach-call)"
    assert abpress("verify", write("int main(char **a) { }"), "--", "x").status == 3


def test_a_file_that_is_read_first(abpress: Command, write, tmp_path: Path) -> None:
    (tmp_path / "n.h").write_text("#define N 4\n")
    file = write(MAIN + "int f(void) { return 4; }")
    assert abpress("verify", "-include", "n.h", file).verdict == "true"
    assert abpress("verify", "-DN=4", file, "-UN", "-DN=5").verdict == "false(unreach-call)"


def test_standard_input(tmp_path: Path) -> None:
    words = [*COMMAND, "verify", "--property", "unreach-call", "-", "-DN=3"]
    run = subprocess.run(
        words,
        input=MAIN + "int f(void) { return 4; }",
        env=environment(),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 1, run.stdout + run.stderr
    assert "f() == N" in run.stdout  # the source is shown


UNDEFINED = "#include <assert.h>\nextern int x; extern int *p;\n"


def test_objects_that_are_defined_nowhere(abpress: Command, write) -> None:
    run = abpress("verify", write(UNDEFINED + "int main(void) { assert(x * 0 == 0); }"))
    assert run.verdict == "true"
    assert "assuming: x is defined elsewhere, has any value, and nobody else writes it" in run.out
    assert abpress("verify", write(UNDEFINED + "int main(void) { assert(!x); }")).status == 1
    run = abpress("verify", write("extern int a[]; int main(void) { return a[0]; }"))
    assert run.status == 3
    assert "extern array a of unknown length, defined nowhere" in run.err
    run = abpress("verify", write("extern void (*f)(void); int main(void) { f(); }"))
    assert run.status == 3
