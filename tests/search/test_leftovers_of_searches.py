"""What a search has left is kept until memory is wanted."""

from __future__ import annotations

import gc
from weakref import ref

import pytest

from abpress.search import leftovers


class State:
    pass


@pytest.fixture
def nothing_is_spared() -> None:
    leftovers.clear()
    gc.collect()
    gc.unfreeze()


@pytest.mark.parametrize("spared_by_others", [False, True])
@pytest.mark.usefixtures("nothing_is_spared")
def test_what_others_have_spared_remains_so(spared_by_others: bool) -> None:
    if spared_by_others:
        gc.freeze()
    state = State()
    known = ref(state)
    leftovers.leave(state)
    leftovers.leave([])
    del state
    assert known() is not None
    assert gc.get_freeze_count()
    leftovers.clear()
    assert known() is None
    assert (gc.get_freeze_count() > 0) is spared_by_others
