/* Signals (POSIX): sets of them, and what is to be done with them. None arrives, as
   abpress_frontend.assumed says, but those that a thread sends to itself: their handlers are run at
   once, before raise returns. Signals for others, timers, and those that are blocked when they are
   sent, are a bound of the tool. */
#include <abpress.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

static int __abp_no_signal(int number) {
  if (number >= 1 && number < NSIG)
    return 0;
  errno = EINVAL;
  return 1;
}

int sigemptyset(sigset_t *set) {
  set->__abp_members = 0;
  return 0;
}

int sigfillset(sigset_t *set) {
  set->__abp_members = ~0ull;
  return 0;
}

int sigaddset(sigset_t *set, int number) {
  if (__abp_no_signal(number))
    return -1;
  set->__abp_members = set->__abp_members | 1ull << (number - 1);
  return 0;
}

int sigdelset(sigset_t *set, int number) {
  if (__abp_no_signal(number))
    return -1;
  set->__abp_members = set->__abp_members & ~(1ull << (number - 1));
  return 0;
}

int sigismember(const sigset_t *set, int number) {
  if (__abp_no_signal(number))
    return -1;
  return set->__abp_members >> (number - 1) & 1 ? 1 : 0;
}

static _Thread_local unsigned long long __abp_blocked;

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  unsigned long long before = __abp_blocked;
  unsigned long long given;
  if (set != 0) {
    given = set->__abp_members;
    if (how == SIG_BLOCK)
      __abp_blocked = before | given;
    else if (how == SIG_UNBLOCK)
      __abp_blocked = before & ~given;
    else if (how == SIG_SETMASK)
      __abp_blocked = given;
    else
      return EINVAL;
  }
  if (old != 0)
    old->__abp_members = before;
  return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  int error = pthread_sigmask(how, set, old);
  if (error == 0)
    return 0;
  errno = error;
  return -1;
}

static struct sigaction __abp_actions[NSIG];

int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
  struct sigaction before;
  struct sigaction given;
  if (__abp_no_signal(number))
    return -1;
  if (action != 0) {
    if (number == SIGKILL || number == SIGSTOP) {
      errno = EINVAL;
      return -1;
    }
    given = *action;
  }
  __abp_atomic_begin();
  before = __abp_actions[number];
  if (action != 0)
    __abp_actions[number] = given;
  __abp_atomic_end();
  if (old != 0)
    *old = before;
  return 0;
}

sighandler_t signal(int number, sighandler_t handler) {
  sighandler_t before;
  if (__abp_no_signal(number))
    return SIG_ERR;
  if (number == SIGKILL || number == SIGSTOP) {
    errno = EINVAL;
    return SIG_ERR;
  }
  __abp_atomic_begin();
  before = __abp_actions[number].sa_handler;
  __abp_actions[number].sa_handler = handler;
  __abp_actions[number].sa_mask.__abp_members = 0;
  __abp_actions[number].sa_flags = SA_RESTART;
  __abp_atomic_end();
  return before;
}

/* What is done with a signal by default (signal(7)): nothing, or the program is stopped or ended. */
static void __abp_default_action(int number) {
  if (number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH)
    return;
  if (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
    __abp_cut("a signal stops the program");
  __abp_exit("abort");
}

/* A signal for the calling thread. */
static void __abp_receive(int number) {
  unsigned long long before = __abp_blocked;
  unsigned long long also;
  sighandler_t handler;
  int flags;
  if ((before >> (number - 1) & 1) != 0)
    __abp_cut("a signal is sent that is blocked");
  __abp_atomic_begin();
  handler = __abp_actions[number].sa_handler;
  also = __abp_actions[number].sa_mask.__abp_members;
  flags = __abp_actions[number].sa_flags;
  __abp_atomic_end();
  if ((flags & ~(SA_RESTART | SA_NODEFER)) != 0)
    __abp_cut("a handler with flags that are not modelled");
  if (handler == SIG_IGN)
    return;
  if (handler == SIG_DFL) {
    __abp_default_action(number);
    return;
  }
  if ((flags & SA_NODEFER) == 0)
    also = also | 1ull << (number - 1);
  __abp_blocked = before | also;
  handler(number);
  __abp_blocked = before;
}

int raise(int number) {
  if (__abp_no_signal(number))
    return -1;
  __abp_receive(number);
  return 0;
}

/* Number 0 asks whether there is such a thread: one that can be named is there, even if it has ended
   (glibc since 2.34). */
int pthread_kill(pthread_t thread, int number) {
  if (number == 0)
    return 0;
  if (number < 0 || number >= NSIG)
    return EINVAL;
  if (thread != __abp_self())
    __abp_cut("a signal is sent to another thread");
  __abp_receive(number);
  return 0;
}

int kill(pid_t process, int number) {
  if (number != 0)
    __abp_cut("a signal is sent to a process");
  if (process != getpid() && __abp_nondet_bool()) {
    errno = __abp_nondet_bool() ? ESRCH : EPERM;
    return -1;
  }
  return 0;
}

/* No time passes, so that none is left of an alarm before. */
unsigned int alarm(unsigned int seconds) {
  if (seconds != 0)
    __abp_cut("a signal arrives when time has passed");
  return 0;
}
