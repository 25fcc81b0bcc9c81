"""Programs that arrive preprocessed with other headers: their pthread types become ours."""

from __future__ import annotations

from collections.abc import Set

from pycparser import c_ast

from abpress_frontend.lower.positions import position

OPAQUE = frozenset(
    {
        *("pthread_t", "pthread_attr_t", "pthread_once_t", "pthread_key_t", "pthread_spinlock_t"),
        *("pthread_mutex_t", "pthread_mutexattr_t", "pthread_cond_t", "pthread_condattr_t"),
        *("pthread_rwlock_t", "pthread_rwlockattr_t", "pthread_barrier_t"),
        *("pthread_barrierattr_t", "sem_t", "mtx_t", "cnd_t", "once_flag", "tss_t", "thrd_t"),
    }
)
"""Types whose definition is ours, whatever headers the program came with."""

SPACE = {
    "pthread_attr_t": ((36, 4), (56, 8)),
    "pthread_mutex_t": ((24, 4), (40, 8)),
    "pthread_mutexattr_t": ((4, 4), (4, 4)),
    "pthread_cond_t": ((48, 4), (48, 8)),
    "pthread_condattr_t": ((4, 4), (4, 4)),
    "pthread_rwlock_t": ((32, 4), (56, 8)),
    "pthread_rwlockattr_t": ((8, 4), (8, 8)),
    "pthread_barrier_t": ((20, 4), (32, 8)),
    "pthread_barrierattr_t": ((4, 4), (4, 4)),
    "sem_t": ((16, 4), (32, 8)),
}
"""Size and alignment in bytes that glibc gives them for i386 and for x86-64."""

_USERS = {
    "sem_t": ("sem_",),
    "mtx_t": ("mtx_", "cnd_"),
    "cnd_t": ("cnd_",),
    "once_flag": ("call_once",),
    "tss_t": ("tss_",),
    "thrd_t": ("thrd_",),
}
"""A program may give these short names to types of its own. They are the library's only if a
function of the library with one of these prefixes is used."""


def foreign_types(ast: c_ast.FileAST, used: Set[str]) -> list[str]:
    """The names of library types that the program brings definitions of from other headers.
    `used` are the functions that it names and does not define."""
    return sorted(
        node.name
        for node in ast.ext
        if isinstance(node, c_ast.Typedef)
        and node.name in OPAQUE
        and not position(node).in_model
        and (node.name not in _USERS or any(u.startswith(_USERS[node.name]) for u in used))
    )
