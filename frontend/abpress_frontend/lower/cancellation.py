"""Which functions of the library are cancellation points (POSIX.1-2017, 2.9.5.2)."""

from __future__ import annotations

from pycparser import c_ast

from abpress_frontend.lower.body import Body

REQUEST = "pthread_cancel"
"""The function by which threads are cancelled."""

CANCELS = "__abp_cancels"
"""The feature that a program names it."""

_POINTS = {
    "__abp_cancellation_point": (
        "accept clock_nanosleep close connect creat fdatasync fsync nanosleep open poll "
        "pthread_testcancel read recv recvfrom select sem_clockwait sem_timedwait sem_wait send "
        "sendto sleep thrd_sleep usleep write"
    ),
    "__abp_possible_cancellation_point": (
        "__builtin_printf __builtin_putchar __builtin_puts __isoc99_fscanf __isoc99_scanf access "
        "dprintf fclose fflush fgetc fgets fopen fprintf fputc fputs fread fscanf fseek ftell "
        "fwrite getc getc_unlocked getchar getchar_unlocked getdelim getline localtime "
        "localtime_r lseek mkdir perror printf pthread_rwlock_rdlock pthread_rwlock_timedrdlock "
        "pthread_rwlock_timedwrlock pthread_rwlock_wrlock putc putc_unlocked putchar "
        "putchar_unlocked puts remove rename rewind rmdir scanf strerror strftime syslog tmpfile "
        "unlink vdprintf vfprintf vprintf vsyslog vwarn vwarnx warn warnx wprintf"
    ),
}
"""What looks for requests -> the functions that call it first. Of those that wait for others,
`pthread_cond_wait` and its kin and `pthread_join` look for requests where they wait only, as
glibc's do. Printing may be a point where a buffer is full, for example."""

_POINT = {name: point for point, names in _POINTS.items() for name in names.split()}


def cancellation_point(body: Body, name: str, node: c_ast.Node | None) -> None:
    """What a call of the library does first, if requests are made and the function is a point."""
    if name in _POINT and body.unit.features[CANCELS]:
        body.unit.load_model("cancel.c")
        body.calls.inline(body.unit.models[_POINT[name]], [], node)
