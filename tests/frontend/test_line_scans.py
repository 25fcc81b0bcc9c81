"""Which lines that `fgets` reads are scanned once, and by nothing else looked at."""

from __future__ import annotations

from pathlib import Path

import pytest
from pycparser import CParser

from abpress_frontend.lower.line_scans import scanned_once
from tests.frontend.assumptions import assumed

READ = "fgets(line, sizeof line, f)"


def scans(body: str, before: str = "") -> int:
    text = f"{before} int f(int x) {{ {body.replace('READ', READ)} return 0; }}"
    return len(scanned_once(CParser().parse(text)))


@pytest.mark.parametrize(
    "body",
    [
        "char line[64]; if (!READ) return 1; x = atoi(line);",
        "char line[64]; if (READ == 0) { x = 2; return 1; } x += 1; if (x) x = atoi(line);",
        "char line[64]; while (READ) { x++; sscanf(line, x); }",
        "char line[64]; while (READ != (void *)0 && x) { if (x) continue; sscanf(line, x); }",
        "while (x) { char line[64]; if (!READ) break; x = atoi(line); }",
        "char line[64]; if (!READ || sscanf(line, x) != 2) return 1;",
        "char line[64]; if (x && READ) x = atoi(line); else x = 2;",
        "char line[64]; if (!READ) exit(1); else x = atoi(line);",
        "char line[64]; x = fgets(line, 64, f) ? strtol(line, 0, 10) : 2;",
        "char line[64]; for (; READ;) switch (x) { case 1: x = atoi(line); }",
    ],
)
def test_is_scanned_once(body: str) -> None:
    assert scans(body) == 1


@pytest.mark.parametrize(
    "body",
    [
        # looked at elsewhere
        "char line[64]; if (!READ) return 1; x = atoi(line) + line[0];",
        "char line[64]; if (!READ) return 1; x = atoi(line); x = atoi(line);",
        "char line[64], *p = line; if (!READ) return 1; x = atoi(line);",
        "char line[64]; if (!fgets(line, line[0], f)) return 1; x = atoi(line);",
        "char line[64]; if (!READ) return 1; x = atoi(line + 1);",
        "char line[64]; if (!READ) return 1; READ; x = atoi(line);",
        # another line
        "static char line[64]; if (!READ) return 1; x = atoi(line);",
        "char *line = x; if (!READ) return 1; x = atoi(line);",
        "char line[64]; if (!READ) return 1; { char line[64]; x = atoi(line); }",
        "if (!READ) return 1; { char line[64]; x = atoi(line); }",
        # read again or not read
        "char line[64]; READ; x = atoi(line);",
        "char line[64]; if (!READ) x = 1; x = atoi(line);",
        "char line[64]; if (READ) return 1; x = atoi(line);",
        "char line[64]; if (x && !READ) return 1; x = atoi(line);",
        "char line[64]; if (READ || atoi(line)) return 1;",
        "char line[64]; if (READ || x) x = atoi(line);",
        "char line[64]; if (!READ && x) return 1; x = atoi(line);",
        "char line[64]; x = atoi(line); if (!READ) return 1;",
        "char line[64]; if (!READ) return 1; while (x) x = atoi(line);",
        "char line[64]; if (!READ) return 1; for (; x; x = atoi(line)) ;",
        "char line[64]; for (; x; x = atoi(line)) if (!READ) break;",
        "char line[64]; do x = atoi(line); while (READ);",
        # jumps
        "char line[64]; again: if (!READ) return 1; x = atoi(line);",
        "char line[64]; switch (x) { if (!READ) return 1; case 1: x = atoi(line); }",
        "char line[64]; switch (x) { while (READ) { { case 1: ; } x = atoi(line); } }",
    ],
)
def test_is_not(body: str) -> None:
    assert scans(body) == 0


@pytest.mark.parametrize("own", ["fgets", "atoi", "exit"])
def test_functions_of_the_program_may_do_anything(own: str) -> None:
    body = "char line[64]; if (!READ) exit(1); x = atoi(line);"
    assert scans(body) == 1
    assert scans(body, f"int {own}(int x) {{ return x; }}") == 0
    assert scans(f"int (*{own})(); {body}") == 0


@pytest.mark.parametrize(
    "body, times",
    [
        ('x = atoi(line); sscanf(line, "%d", &x);', 1),
        ("x = atoi(line) + (int)atol(line);", 1),
        ('sscanf(line, "%s", line); x = (int)strtol(line, 0, 10);', 0),
        ("if (fgets(line, sizeof line, stdin)) x = atoi(line);", 1),
    ],
)
def test_that_numbers_fit_is_assumed_once(body: str, times: int, tmp_path: Path) -> None:
    before = 'int main(void) { int x; char line[64] = "7";'
    found = assumed(tmp_path, ("stdio.h", "stdlib.h"), before, body)
    assert found.count("does not fit its type") == times
