/* Signals (POSIX): sets of them, and what is to be done with them. None arrives, as
   abpress_frontend.assumed says, so that no handler is run. */
#include <abpress.h>
#include <errno.h>
#include <signal.h>

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
  __abp_atomic_end();
  return before;
}
