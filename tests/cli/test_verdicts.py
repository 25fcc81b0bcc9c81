"""What stands beside a verdict: what it rests on, whether it is vacuous, whose calls are errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command

HEAD = """\
#include <assert.h>
extern void reach_error(void), __VERIFIER_error(void), __VERIFIER_assume(int);
extern unsigned char __VERIFIER_nondet_uchar(void);
#define input __VERIFIER_nondet_uchar
int main(void) {
"""


@pytest.mark.parametrize("engine", ["explicit", "stateless", "abpress"])
@pytest.mark.parametrize(
    ("body", "place"),
    [
        (
            "int x = input();\n__VERIFIER_assume(x > 300);\nif (x) reach_error();",
            7,
        ),
        ("int x = 1;\n__VERIFIER_assume(x == 2);", 7),
        ("for (;;) ;", None),
        ("int x = 2147483647;\nx++;", 7),
    ],
    ids=["input", "constant", "loop", "overflow"],
)
def test_vacuous(
    abpress: Command, tmp_path: Path, engine: str, body: str, place: int | None
) -> None:
    file = tmp_path / "x.c"
    file.write_text(f"{HEAD}{body}\n}}\n")
    run = abpress("verify", file, "--engine", engine, "--quiet")
    assert run.verdict == "true"
    assert run.data["vacuous"] in run.out
    told = run.out.splitlines()[1]
    assert told.startswith("vacuous: no execution")
    if place is not None:
        assert f"x.c:{place}:" in told


@pytest.mark.parametrize("engine", ["explicit", "stateless", "abpress"])
@pytest.mark.parametrize(
    "body",
    [
        "int x = input();\n__VERIFIER_assume(x > 200);\nif (x < 9) reach_error();",
        "if (input()) for (;;) ;",
        "return 0;",
    ],
)
def test_not_vacuous(abpress: Command, tmp_path: Path, engine: str, body: str) -> None:
    file = tmp_path / "x.c"
    file.write_text(f"{HEAD}{body}\n}}\n")
    run = abpress("verify", file, "--engine", engine, "--quiet")
    assert (run.verdict, run.data["vacuous"]) == ("true", None)
    assert "vacuous" not in run.out


def test_not_vacuous_behind_a_covered_node(abpress: Command, tmp_path: Path) -> None:
    """The only way in the tree to the end goes through a loop, and is impossible: the executions
    that complete come to a node that is covered by one of it."""
    file = tmp_path / "x.c"
    file.write_text(
        """\
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
unsigned count;
void *work(void *most) { for (int i = 0; i < *(int *)most; i++) count++; return 0; }
int main(void) {
    int most = __VERIFIER_nondet_int();
    pthread_t one;
    pthread_create(&one, 0, work, &most);
    pthread_join(one, 0);
    if (most > 0) assert(count == most); else assert(count == 0);
}
"""
    )
    run = abpress("verify", file, "--engine", "abpress", "--property", "no-deadlock", "--quiet")
    assert (run.verdict, run.data["vacuous"]) == ("true", None)


def test_not_vacuous_far_from_the_end(abpress: Command, tmp_path: Path) -> None:
    """There are many ways through the tree that are shorter than any that comes to the end."""
    file = tmp_path / "x.c"
    file.write_text(
        """\
#include <assert.h>
#include <pthread.h>
int cells[4];
void *work(void *own) {
    for (int i = 0; i < 4; i++) __sync_fetch_and_add(&cells[i], 1);
    return own;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    assert(cells[0] <= 4);
}
"""
    )
    run = abpress("verify", file, "--engine", "abpress", "--property", "unreach-call", "--quiet")
    assert (run.verdict, run.data["vacuous"]) == ("true", None)


@pytest.mark.parametrize("condition", ["x == 300", "x == 3"])
def test_assumptions_of_each_verdict(abpress: Command, tmp_path: Path, condition: str) -> None:
    file = tmp_path / "x.c"
    body = f"int x = unknown();\nx = (unsigned char)x;\nif ({condition}) reach_error();"
    file.write_text(f"extern int unknown(void);\n{HEAD}{body}\n}}\n")
    run = abpress(
        "verify", file, "--undefined-functions", "havoc", "--quiet", "--engine", "abpress"
    )
    assert run.verdict == ("true" if "300" in condition else "false(unreach-call)")
    (told,) = (line for line in run.out.splitlines() if line.startswith("assuming: "))
    assert run.data["assumptions"] == [told.removeprefix("assuming: ")]


@pytest.mark.parametrize(
    ("asked", "body", "verdict"),
    [
        ("reach_error", "assert(0);", "true"),
        ("reach_error", "__assert_fail(0, 0, 0, 0);", "true"),
        ("reach_error", "__VERIFIER_error();", "true"),
        ("reach_error", "reach_error();", "false(unreach-call)"),
        ("reach_error", "assert(0); reach_error();", "true"),
        ("__VERIFIER_error", "__VERIFIER_error();", "false(unreach-call)"),
        ("__VERIFIER_error", "reach_error();", "true"),
        (None, "assert(0);", "false(unreach-call)"),
        (None, "reach_error();", "false(unreach-call)"),
        (None, "__VERIFIER_error();", "false(unreach-call)"),
    ],
)
def test_whose_calls_are_errors(
    abpress: Command, tmp_path: Path, asked: str | None, body: str, verdict: str
) -> None:
    file, prp = tmp_path / "x.c", tmp_path / "p.prp"
    file.write_text(f"{HEAD}{body}\n}}\n")
    prp.write_text(f"CHECK( init(main()), LTL(G ! call({asked}())) )\n")
    run = abpress("verify", file, "--property", prp if asked else "unreach-call")
    assert run.verdict == verdict
