"""Where main returns the program ends; where it runs as another thread it would not."""

import re
from pathlib import Path

import pytest

from abpress.config import ProgramOptions
from abpress.errors import UnsupportedError
from abpress_frontend.load import load_program

_PROGRAM = """
#include <pthread.h>
pthread_t t; int n;
int main(void) {
    if (n++ == 0) pthread_create(&t, 0, (void *(*)(void *))main, 0);
    return 0;
}
"""


def test_main_as_a_thread_is_refused(tmp_path: Path) -> None:
    """Its `return` was taken for the end of the program: what other threads do then was missed."""
    file = tmp_path / "a.c"
    file.write_text(_PROGRAM, encoding="utf-8")
    with pytest.raises(UnsupportedError, match=re.escape("thread that runs 'main'")) as raised:
        load_program(ProgramOptions(file))
    assert raised.value.position is not None
