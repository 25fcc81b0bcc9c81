"""What a verdict assumes of the functions of the library that a program calls."""

from __future__ import annotations

from abpress.config import ProgramOptions
from abpress_frontend.lower.builtins.output import OUTPUT
from abpress_frontend.lower.builtins.scanning import SCANNING
from abpress_frontend.lower.features import SHOWS_ADDRESSES
from abpress_frontend.lower.misuse import WAITING, knows_waiters

_ALLOCATING = frozenset(
    {
        *("malloc", "calloc", "valloc", "memalign", "aligned_alloc", "strdup", "__builtin_malloc"),
        *("__builtin_calloc", "__builtin_strdup"),
        *("reallocarray", "realloc", "posix_memalign", "mmap"),
    }
)

_CREATING = frozenset(
    {
        *("pthread_create", "pthread_key_create", "pthread_setspecific", "sem_init"),
        *("thrd_create", "mtx_init", "cnd_init", "tss_create", "tss_set"),
        *("pthread_attr_init", "pthread_barrier_init", "pthread_barrierattr_init"),
        *("pthread_cond_init", "pthread_condattr_init", "pthread_mutex_init"),
        *("pthread_mutexattr_init", "pthread_rwlock_init", "pthread_rwlockattr_init"),
        *("pthread_spin_init", "sem_open"),
    }
)

_OTHERS = {
    "a reader-writer lock lets readers in while writers wait, as glibc's does": frozenset(
        {"pthread_rwlock_wrlock", "pthread_rwlock_timedwrlock", "pthread_rwlock_clockwrlock"}
    ),
    "a function that succeeds leaves errno as it is": frozenset({"__errno_location"}),
    "the parts of a time, and texts of them, may be any, whatever the time is; the zone is UTC, and"
    " no year is too large": frozenset(
        {
            *("gmtime", "gmtime_r", "localtime", "localtime_r", "strftime", "mktime", "timegm"),
            *("asctime", "asctime_r", "ctime", "ctime_r"),
        }
    ),
    "localtime, ctime and their kin, which have one result, are used by one thread at a time": (
        frozenset({"gmtime", "localtime", "asctime", "ctime"})
    ),
    "getopt is called by one thread at a time": frozenset({"getopt", "getopt_long"}),
    "no signal arrives but those that the program sends, and those that a thread waits for, of"
    " which any may come from outside": frozenset(
        {
            *("signal", "sigaction", "sigprocmask", "pthread_sigmask"),
            *("pause", "sigsuspend", "sigwait", "sigwaitinfo", "sigtimedwait"),
        }
    ),
    "who locks a robust mutex next is told that its owner has ended, also while the process goes"
    " on, as on Linux": frozenset(
        {"pthread_mutexattr_setrobust", "pthread_mutexattr_setrobust_np"}
    ),
    "named semaphores are those of this process, and none is there at its begin": frozenset(
        {"sem_open"}
    ),
    "each thread has a flag of interrupts, which keeps no other from running; of the other flags"
    " pushf gives none": frozenset({"__abp_flags", "__abp_set_flags"}),
    "memory of a processor (%gs, %fs) is that of one, on which all threads run": frozenset(
        {"__abp_of_processor"}
    ),
    "who locks a stream waits for nothing that threads do which print or read meanwhile": (
        frozenset({"flockfile", "ftrylockfile"})
    ),
    "names in folders have fewer than 16 characters": frozenset({"readdir"}),
    "the locale is that of C": frozenset({"setlocale", "strcoll", "strxfrm"}),
    "commands that system and popen run do nothing to files and memory of the program": frozenset(
        {"system", "popen"}
    ),
    "what mmap gives is released by munmap alone": frozenset({"mmap"}),
    "threads are numbered by gettid in the order of their creation, as they are by the kernel if"
    " nothing else begins meanwhile": frozenset({"gettid", "syscall"}),
    "standard input, output and error are open at the begin": frozenset({"open", "creat", "pipe"}),
    "inet_ntoa, which has one result, is used by one thread at a time": frozenset({"inet_ntoa"}),
    "mtx_timedlock is given mutexes of a timed kind": frozenset({"mtx_timedlock"}),
    "streams are used while they are open, and not compared with each other": frozenset(
        {"fopen", "fdopen", "tmpfile"}
    ),
    "strtok, which keeps its place in a text, is used by one thread at a time": frozenset(
        {"strtok"}
    ),
    "%p shows 0x and 1 to 12 digits; the program does not depend on which": frozenset(
        {SHOWS_ADDRESSES}
    ),
    "sem_getvalue gives 0 while threads wait, as on Linux": frozenset({"sem_getvalue"}),
}
"""Sentence -> the functions whose use makes it matter."""

_SILENT = frozenset(OUTPUT) | frozenset(SCANNING) | {"time", "clock", "mktime", "timegm"}
"""Functions that may fail, and do not say so in `errno` here."""

_DESTROYING = frozenset({"pthread_cond_destroy", "cnd_destroy"})


def assumptions(called: frozenset[str], options: ProgramOptions) -> list[str]:
    """The assumptions that the calls of these functions make."""
    found = []
    if not options.malloc_may_fail and (names := called & _ALLOCATING):
        found.append(f"no failure of {_listed(names)} (--malloc-may-fail)")
    if not options.creation_may_fail and (names := called & _CREATING):
        found.append(f"no failure of {_listed(names)} (--creation-may-fail)")
    if options.spurious_wakeups == "off" and called & WAITING:
        found.append("a wait on a condition variable ends by a signal only")
    known = options.spurious_wakeups == "off" or knows_waiters(options)
    if not known and called & WAITING and called & _DESTROYING:
        found.append("no thread waits for a condition variable that is destroyed")
    if options.spurious_failures == "off" and "mtx_trylock" in called:
        found.append("mtx_trylock does not fail spuriously")
    if "__errno_location" in called and (names := called & _SILENT):
        found.append(f"errno stays as it is where one of these fails: {_listed(names)}")
    return found + [sentence for sentence, names in _OTHERS.items() if called & names]


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))
