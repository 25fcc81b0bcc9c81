"""That literals share no memory is assumed where it matters, NOTE(shared-literals)."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.verify.load import load

BEFORE = """
#include <assert.h>
char own[] = "bc";
int main(int n, char **v) {
"""

MAY_MEET = {
    "tails": 'const char *p = "abc", *q = "bc"; assert(p + 1 != q);',
    "constants": 'assert(&"abc"[1] != &"bc"[0]);',
    "the longer one is the right side": 'const char *p = "bc", *q = "abc"; assert(p != q + 1);',
    "behind the begin": 'const char *p = "abc", *q = "bc"; assert(p + 2 != q + 1);',
    "the end": 'const char *p = "abc", *q = ""; assert(p + 3 != q);',
    "within": 'const char *p = "ab\\0c", *q = "b"; assert(p + 1 != q);',
    "an index": 'const char *p = "abc", *q = "bc"; assert(n < 0 || n > 2 || p + n != q);',
    "one of several": 'const char *p = n ? "abc" : "x", *q = "bc"; p++; assert(p != q);',
}

APART = {
    "one begins before the other": 'const char *p = "abc", *q = "bc"; assert(p != q);',
    "others": 'const char *p = "abc", *q = "bd"; assert(p + 1 != q);',
    "a variable": 'const char *p = "abc"; assert(p + 1 != own);',
    "one literal": 'const char *p = "abc", *q = "abc"; assert(p + 1 != q && p == q);',
    "null": 'const char *p = n ? "abc" : "bc"; assert(p);',
}


def meets(folder: Path, body: str) -> bool:
    """Whether a verdict about the program assumes that no literals share memory."""
    file = folder / "program.c"
    file.write_text(f"{BEFORE}{body} return 0; }}\n")
    loaded = load(Config.of(file))
    return any("no string literal is the end of one" in its for its in loaded.assumptions)


@pytest.mark.parametrize("name", MAY_MEET)
def test_literals_that_may_share_memory(name: str, tmp_path: Path) -> None:
    assert meets(tmp_path, MAY_MEET[name])


@pytest.mark.parametrize("name", APART)
def test_literals_that_share_none(name: str, tmp_path: Path) -> None:
    assert not meets(tmp_path, APART[name])
