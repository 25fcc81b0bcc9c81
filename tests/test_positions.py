"""Places in messages: library code is told by its call in the user's text."""

from __future__ import annotations

from abpress.errors import Position, UnsupportedError

CALL = Position("a.c", 3, 5, "main")
IN_MTX_LOCK = Position("<threads.c>", 55, 3, "mtx_lock", (CALL,))
IN_MUTEX_LOCK = Position("<mutex.c>", 44, 7, "pthread_mutex_lock", (CALL, IN_MTX_LOCK))
CALLED_BACK = Position("a.c", 9, 1, "handler", (CALL, IN_MTX_LOCK))


def test_a_place_in_the_users_text_is_itself() -> None:
    assert CALL.origin == CALL
    assert CALL.described == "a.c:3:5"


def test_library_code_is_told_by_the_call_in_the_users_text() -> None:
    assert IN_MUTEX_LOCK.origin == CALL
    assert IN_MTX_LOCK.described == "a.c:3:5 (in mtx_lock)"
    assert IN_MUTEX_LOCK.described == "a.c:3:5 (in mtx_lock)"


def test_a_function_that_the_library_calls_is_the_users() -> None:
    assert CALLED_BACK.origin == CALLED_BACK
    assert CALLED_BACK.described == "a.c:9:1"


def test_library_code_without_a_call_is_itself() -> None:
    assert Position("<mutex.c>", 1, 2).described == "<mutex.c>:1:2"


def test_errors_name_the_call() -> None:
    assert str(UnsupportedError("x", IN_MUTEX_LOCK)) == "a.c:3:5: x"
