"""The library table: how every function that a program may call without a body is lowered."""

from __future__ import annotations

from abpress_frontend.lower.builtins.allocation import ALLOCATION
from abpress_frontend.lower.builtins.atomics import ATOMICS
from abpress_frontend.lower.builtins.environment import ENVIRONMENT
from abpress_frontend.lower.builtins.gnu import GNU
from abpress_frontend.lower.builtins.line_numbers import LINE_NUMBERS
from abpress_frontend.lower.builtins.mathematics import MATHEMATICS
from abpress_frontend.lower.builtins.memory import MEMORY
from abpress_frontend.lower.builtins.output import OUTPUT
from abpress_frontend.lower.builtins.primitives import PRIMITIVES
from abpress_frontend.lower.builtins.scanning import SCANNING
from abpress_frontend.lower.builtins.shown import SHOWN
from abpress_frontend.lower.builtins.sorting import SORTING
from abpress_frontend.lower.builtins.verifier import VERIFIER
from abpress_frontend.lower.entries import (
    Entry,
    Input,
    Lowered,
    Model,
    NoEffect,
    NotModelled,
    Refused,
    Undefined,
)

MODELLED: dict[str, str] = {
    "attr.c": (
        "pthread_attr_destroy pthread_attr_getdetachstate pthread_attr_getguardsize "
        "pthread_attr_getinheritsched pthread_attr_getschedparam pthread_attr_getschedpolicy "
        "pthread_attr_getscope pthread_attr_getstack pthread_attr_getstackaddr "
        "pthread_attr_getstacksize pthread_attr_init pthread_attr_setaffinity_np "
        "pthread_attr_setdetachstate pthread_attr_setguardsize pthread_attr_setinheritsched "
        "pthread_attr_setschedparam pthread_attr_setschedpolicy pthread_attr_setscope "
        "pthread_attr_setstack pthread_attr_setstackaddr pthread_attr_setstacksize "
        "pthread_getconcurrency pthread_setconcurrency"
    ),
    "barrier.c": (
        "pthread_barrier_destroy pthread_barrier_init pthread_barrier_wait "
        "pthread_barrierattr_destroy pthread_barrierattr_getpshared pthread_barrierattr_init "
        "pthread_barrierattr_setpshared"
    ),
    "bits.c": (
        "__builtin_bswap16 __builtin_bswap32 __builtin_bswap64 __builtin_clrsb "
        "__builtin_clrsbl __builtin_clrsbll __builtin_clz __builtin_clzl __builtin_clzll "
        "__builtin_ctz __builtin_ctzl __builtin_ctzll __builtin_ffs __builtin_ffsl "
        "__builtin_ffsll __builtin_parity __builtin_parityl __builtin_parityll "
        "__builtin_popcount __builtin_popcountl __builtin_popcountll"
    ),
    "cancel.c": (
        "__abp_act_on_cancellation __abp_cancellation_point __abp_is_cancelled "
        "__abp_possible_cancellation_point __abp_request_cancellation __abp_thread_exit_cancel "
        "pthread_setcancelstate pthread_setcanceltype pthread_testcancel"
    ),
    "cleanup.c": (
        "__abp_cleanup_pop_once __abp_cleanup_push_once __abp_thread_exit_cleanup "
        "__pthread_register_cancel __pthread_unregister_cancel "
        "pthread_cleanup_pop pthread_cleanup_push"
    ),
    "cond.c": (
        "pthread_cond_broadcast pthread_cond_clockwait pthread_cond_destroy pthread_cond_init "
        "pthread_cond_signal pthread_cond_timedwait pthread_cond_wait "
        "pthread_condattr_destroy pthread_condattr_getclock pthread_condattr_getpshared "
        "pthread_condattr_init pthread_condattr_setclock pthread_condattr_setpshared"
    ),
    "ctype.c": (
        "isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct "
        "isspace isupper isxdigit toascii tolower toupper"
    ),
    "ctype_table.c": "__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc",
    "epoll.c": (
        "__abp_watch_no_more __abp_watches epoll_create epoll_create1 epoll_ctl epoll_wait"
    ),
    "errno.c": "__abp_any_error __abp_fails __abp_no_memory __errno_location",
    "exit.c": "__abp_run_at_exit __abp_run_at_quick_exit at_quick_exit atexit",
    "files.c": (
        "__abp_is_file __abp_is_open __abp_open_file __abp_ready close creat dup dup2 fcntl "
        "lseek open openat pipe pipe2 poll pread pwrite read sendfile write"
    ),
    "folders.c": "closedir dirfd opendir readdir rewinddir",
    "getopt.c": "getopt getopt_long",
    "calendar.c": (
        "asctime asctime_r ctime ctime_r gmtime gmtime_r localtime localtime_r mktime "
        "strftime timegm tzset"
    ),
    "gnu.c": (
        "__builtin_abs __builtin_labs __builtin_llabs __builtin_memchr __builtin_memcmp "
        "__builtin_strcat __builtin_strchr __builtin_strcmp __builtin_strcpy __builtin_strdup "
        "__builtin_strlen __builtin_strncat __builtin_strncmp __builtin_strncpy "
        "__builtin_strrchr __builtin_strstr"
    ),
    "inet.c": "inet_addr inet_aton inet_ntoa inet_ntop inet_pton",
    "jumps.c": "__sigsetjmp __sigsetjmp_cancel _setjmp setjmp sigsetjmp",
    "keys.c": (
        "__abp_thread_exit_keys pthread_getspecific pthread_key_create pthread_key_delete "
        "pthread_setspecific"
    ),
    "math.c": (
        "fdim fdimf fdiml fmax fmaxf fmaxl fmin fminf fminl llrint llrintf llrintl llround "
        "llroundf llroundl lrint lrintf lrintl lround lroundf lroundl modf modfl"
    ),
    "mman.c": (
        "__abp_note_map madvise mlock mlockall mmap munlock munlockall munmap shm_open shm_unlink"
    ),
    "mutex.c": (
        "__abp_release __abp_take __abp_thread_exit_robust "
        "pthread_mutex_clocklock pthread_mutex_consistent pthread_mutex_consistent_np "
        "pthread_mutex_destroy pthread_mutex_getprioceiling pthread_mutex_init "
        "pthread_mutex_lock pthread_mutex_setprioceiling pthread_mutex_timedlock "
        "pthread_mutex_trylock pthread_mutex_unlock pthread_mutexattr_destroy "
        "pthread_mutexattr_getprioceiling "
        "pthread_mutexattr_getprotocol pthread_mutexattr_getpshared "
        "pthread_mutexattr_getrobust pthread_mutexattr_getrobust_np pthread_mutexattr_gettype "
        "pthread_mutexattr_init pthread_mutexattr_setprioceiling "
        "pthread_mutexattr_setprotocol pthread_mutexattr_setpshared "
        "pthread_mutexattr_setrobust pthread_mutexattr_setrobust_np pthread_mutexattr_settype"
    ),
    "named.c": "sem_close sem_open sem_unlink",
    "once.c": ("pthread_once"),
    "print.c": "asprintf snprintf sprintf vasprintf vsnprintf vsprintf",
    "process.c": (
        "closelog get_nprocs get_nprocs_conf getcwd getdtablesize getegid geteuid getgid "
        "gethostname getpagesize getpgrp getpid getppid gettid getuid openlog putenv sched_getcpu "
        "setenv setlocale setlogmask setpgid setsid syscall sysconf unsetenv"
    ),
    "processor.c": "__abp_flags __abp_of_processor __abp_set_flags _mm_getcsr _mm_setcsr",
    "real.c": "atof strtod strtof strtold",
    "resource.c": "getpriority getrlimit getrusage nice setpriority setrlimit",
    "rwlock.c": (
        "pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock pthread_rwlock_destroy "
        "pthread_rwlock_init pthread_rwlock_rdlock pthread_rwlock_timedrdlock "
        "pthread_rwlock_timedwrlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock "
        "pthread_rwlock_unlock pthread_rwlock_wrlock pthread_rwlockattr_destroy "
        "pthread_rwlockattr_getkind_np pthread_rwlockattr_getpshared pthread_rwlockattr_init "
        "pthread_rwlockattr_setkind_np pthread_rwlockattr_setpshared"
    ),
    "scan.c": (
        "__abp_fscanf __abp_scan_character __abp_scan_characters __abp_scan_integer "
        "__abp_scan_real __abp_scan_spaces __abp_sscanf __abp_stdin_scanf vfscanf vscanf vsscanf"
    ),
    "sem.c": (
        "sem_clockwait sem_destroy sem_getvalue sem_init sem_post sem_timedwait sem_trywait "
        "sem_wait"
    ),
    "shown.c": (
        "__abp_has_deadlines __abp_is_time __abp_read_printed __abp_read_text_if_any "
        "__abp_use_stream"
    ),
    "signal.c": (
        "__abp_inherit_signals __abp_run_at_abort alarm kill pause pthread_kill pthread_sigmask "
        "raise sigaction sigaddset sigdelset sigemptyset sigfillset sigismember signal sigpending "
        "sigprocmask sigqueue sigsuspend sigtimedwait sigwait sigwaitinfo"
    ),
    "sockets.c": (
        "__fdelt_chk __fdelt_warn "
        "accept bind connect getpeername getsockname getsockopt htonl htons listen ntohl ntohs "
        "recv recvfrom select send sendto setsockopt shutdown socket"
    ),
    "spin.c": (
        "pthread_spin_destroy pthread_spin_init pthread_spin_lock pthread_spin_trylock "
        "pthread_spin_unlock"
    ),
    "stat.c": (
        "__fxstat __fxstat64 __fxstatat __fxstatat64 __lxstat __lxstat64 __xstat __xstat64 fstat "
        "fstat64 fstatat fstatat64 lstat lstat64 stat stat64"
    ),
    "stdio.c": (
        "access chdir chmod clearerr fchmod fclose fdatasync fdopen feof ferror fgetpos fgets "
        "fileno flock flockfile fopen fread freopen fseek fseeko fsetpos fsync ftell ftello "
        "ftruncate ftrylockfile funlockfile fwrite getdelim getline isatty link mkdir mkfifo "
        "pclose popen remove rename rewind rmdir setbuf setbuffer setlinebuf setvbuf symlink "
        "system tmpfile truncate umask ungetc unlink"
    ),
    "stdlib.c": (
        "__isoc23_strtoimax __isoc23_strtol __isoc23_strtoll __isoc23_strtoul __isoc23_strtoull "
        "__isoc23_strtoumax __strtol_internal __strtoll_internal __strtoul_internal "
        "__strtoull_internal abs atoi atol atoll div drand48 drand48_r erand48 erand48_r jrand48 "
        "jrand48_r labs ldiv llabs lldiv lrand48 lrand48_r mrand48 mrand48_r nrand48 nrand48_r "
        "rand rand_r random srand srand48 srand48_r srandom strtoimax strtol strtoll strtoul "
        "strtoull strtoumax"
    ),
    "sort.c": ("bsearch qsort"),
    "string.c": (
        "__strdup bzero ffs memchr memcmp strcasecmp strcat strchr strcmp strcpy strdup strerror "
        "strlen strncasecmp strncat strncmp strncpy strnlen strrchr strstr"
    ),
    "thread.c": (
        "__abp_create __abp_is_over __abp_thread_exit_ended prctl pthread_atfork pthread_cancel "
        "pthread_clockjoin_np pthread_create pthread_detach pthread_equal pthread_exit "
        "pthread_getaffinity_np pthread_getcpuclockid pthread_getname_np "
        "pthread_getschedparam pthread_join pthread_self pthread_setaffinity_np "
        "pthread_setname_np pthread_setschedparam pthread_setschedprio pthread_timedjoin_np "
        "pthread_tryjoin_np pthread_yield sched_get_priority_max sched_get_priority_min "
        "sched_getaffinity sched_getparam sched_getscheduler sched_setaffinity "
        "sched_setparam sched_setscheduler sched_yield"
    ),
    "threads.c": (
        "call_once cnd_broadcast cnd_destroy cnd_init cnd_signal cnd_timedwait cnd_wait "
        "mtx_destroy mtx_init mtx_lock mtx_timedlock mtx_trylock mtx_unlock thrd_create "
        "thrd_current thrd_detach thrd_equal thrd_exit thrd_join thrd_sleep thrd_yield "
        "tss_create tss_delete tss_get tss_set"
    ),
    "time.c": (
        "__abp_is_duration clock clock_getres clock_gettime clock_nanosleep difftime gettimeofday "
        "nanosleep sleep time timespec_get usleep"
    ),
    "words.c": (
        "__xpg_basename __xpg_strerror_r basename bcmp bcopy dirname explicit_bzero ffsl ffsll "
        "index memccpy memmem mempcpy memrchr rawmemchr rindex stpcpy stpncpy strcasestr "
        "strchrnul strcoll strcspn strerror_r strlcat strlcpy strndup strpbrk strsep strsignal "
        "strspn strtok strtok_r strxfrm"
    ),
}
"""File in `frontend/models` -> the library functions that it models."""

REFUSED = {
    "contexts that are switched by the program are not supported; POSIX threads are": (
        "getcontext setcontext swapcontext makecontext"
    ),
}
"""Reason -> functions that are known and not supported."""

NOT_MODELLED = {
    "jumps out of functions are not supported": "longjmp _longjmp siglongjmp",
    "cleanup by jumps is not supported": "__pthread_unwind_next",
    "processes are not supported": (
        "fork vfork clone execve execv execvp execl execlp waitpid wait"
    ),
}
"""Reason -> functions that are known, and about which nothing is."""

OUTSIDE = {
    "processes are not supported": (
        "daemon execle execvpe posix_spawn posix_spawnp ptrace wait3 wait4 waitid"
    ),
    "what it does to a device is not known": "ioctl tcgetattr tcsetattr",
    "nothing is loaded": "dlclose dlerror dlopen dlsym",
    "what is outside of the process is not known": (
        "freeaddrinfo getaddrinfo getgrgid getgrnam gethostbyaddr gethostbyname gethostbyname_r "
        "getlogin getnameinfo getpwnam getpwnam_r getpwuid getpwuid_r getservbyname sysinfo uname"
    ),
    "files by their names are not known": (
        "fstatfs fstatvfs ftw glob globfree mkdtemp mkstemp nftw readlink realpath scandir statfs "
        "statvfs"
    ),
    "memory and messages that processes share are not modelled": (
        "msgctl msgget msgrcv msgsnd semctl semget semop shmat shmctl shmdt shmget"
    ),
    "signals by timers are not modelled": (
        "getitimer setitimer timer_create timer_delete timer_gettime timer_settime"
    ),
    "regular expressions are not modelled": "fnmatch regcomp regerror regexec regfree",
    "it is not modelled": "mprotect mremap msync readv recvmsg sendmsg sigaltstack writev",
}
"""The same, of functions that `--undefined-functions havoc` takes for undefined ones."""

LIBRARY: dict[str, Entry] = {
    **PRIMITIVES,
    **VERIFIER,
    **ALLOCATION,
    **MATHEMATICS,
    **MEMORY,
    **ATOMICS,
    **OUTPUT,
    **SCANNING,
    **SHOWN,
    **GNU,
    **{name: Model(file) for file, names in MODELLED.items() for name in names.split()},
    **SORTING,
    **ENVIRONMENT,
    **{name: Refused(why) for why, names in REFUSED.items() for name in names.split()},
    **{
        name: NotModelled(why, outside=outside)
        for outside, table in ((False, NOT_MODELLED), (True, OUTSIDE))
        for why, names in table.items()
        for name in names.split()
    },
}

__all__ = [
    "LIBRARY",
    "LINE_NUMBERS",
    "Entry",
    "Input",
    "Lowered",
    "Model",
    "NoEffect",
    "NotModelled",
    "Refused",
    "Undefined",
]
