/* Signals (POSIX): sets of them, and what is to be done with them. As abpress_frontend.assumed says,
   none arrives but those that the program sends, and those that a thread waits for, which may come
   from outside at any time, or never. The handlers of what a thread sends to itself are run at once,
   before raise returns. What is blocked when it is sent is pending until it is not, or is waited
   for. A signal for the process is taken by the thread that sends it, if no other one may take it, or is
   pending where all block it. Handlers that interrupt another thread, and timers, are a bound of the
   tool. */
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

#define THREADS 256
#define BIT(number) (1ull << ((number) - 1))

/* By thread: what it blocks, as its creator did when it was created; what was sent to it meanwhile. */
static unsigned long long __abp_blocked[THREADS];
static unsigned long long __abp_pending[THREADS];
/* What was sent to the process while all threads blocked it; the last thread that was created. */
static unsigned long long __abp_pending_for_any;
static __abp_id_t __abp_last_thread;

void __abp_inherit_signals(__abp_id_t created) {
  if (created >= THREADS)
    __abp_cut("more than 255 threads in a program with signals");
  __abp_blocked[created] = __abp_blocked[__abp_self()];
  if (__abp_kills && created > __abp_last_thread)
    __abp_last_thread = created;
}

static void __abp_block(unsigned long long set) {
  __abp_blocked[__abp_self()] = set & ~(BIT(SIGKILL) | BIT(SIGSTOP));
}

/* Inside the caller's atomic block. Signals of real time are counted, others are not. */
static void __abp_pend(__abp_id_t thread, int number) {
  if (number >= SIGRTMIN && (__abp_pending[thread] & BIT(number)) != 0)
    __abp_cut("a signal of real time is sent again that is blocked");
  __abp_pending[thread] = __abp_pending[thread] | BIT(number);
}

/* What waits for this thread. */
static unsigned long long __abp_all_pending(void) {
  return __abp_pending[__abp_self()] | (__abp_kills ? __abp_pending_for_any : 0);
}

/* One that is pending is so no more; in an atomic block. */
static void __abp_take_pending(unsigned long long bit) {
  if (__abp_kills && (__abp_pending[__abp_self()] & bit) == 0)
    __abp_pending_for_any = __abp_pending_for_any & ~bit;
  __abp_pending[__abp_self()] = __abp_pending[__abp_self()] & ~bit;
}

/* Takes a signal of this thread that is pending, and no more blocked; 0 if there is none. In which
   order several ones arrive is left open. */
static int __abp_arriving(void) {
  unsigned long long ready;
  __abp_atomic_begin();
  ready = __abp_all_pending() & ~__abp_blocked[__abp_self()];
  if ((ready & (ready - 1)) != 0)
    __abp_cut("several signals arrive at once");
  __abp_take_pending(ready);
  __abp_atomic_end();
  return ready == 0 ? 0 : __builtin_ctzll(ready) + 1;
}

static void __abp_act(int number);

/* Acts on the pending signals that arrive now. */
static void __abp_unblocked(void) {
  int number;
  if (!__abp_sends_signals)
    return;
  number = __abp_arriving();
  while (number != 0) {
    __abp_act(number);
    number = __abp_arriving();
  }
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  unsigned long long before = __abp_blocked[__abp_self()];
  unsigned long long given;
  if (set != 0) {
    given = set->__abp_members;
    if (how == SIG_BLOCK)
      __abp_block(before | given);
    else if (how == SIG_UNBLOCK)
      __abp_block(before & ~given);
    else if (how == SIG_SETMASK)
      __abp_block(given);
    else
      return EINVAL;
  }
  if (old != 0)
    old->__abp_members = before;
  __abp_unblocked();
  return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  int error = pthread_sigmask(how, set, old);
  if (error == 0)
    return 0;
  errno = error;
  return -1;
}

/* What is done with a signal; nothing else of a struct sigaction means anything. */
struct __abp_action {
  sighandler_t handler;
  unsigned long long mask;
  int flags;
};
static struct __abp_action __abp_actions[NSIG];

int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
  struct __abp_action before;
  struct __abp_action given;
  if (__abp_no_signal(number))
    return -1;
  if (action != 0) {
    if (number == SIGKILL || number == SIGSTOP) {
      errno = EINVAL;
      return -1;
    }
    given.handler = action->sa_handler;
    given.mask = action->sa_mask.__abp_members;
    given.flags = action->sa_flags;
  }
  __abp_atomic_begin();
  before = __abp_actions[number];
  if (action != 0)
    __abp_actions[number] = given;
  __abp_atomic_end();
  if (old != 0) {
    old->sa_handler = before.handler;
    old->sa_mask.__abp_members = before.mask;
    old->sa_flags = before.flags;
  }
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
  before = __abp_actions[number].handler;
  __abp_actions[number].handler = handler;
  __abp_actions[number].mask = 0;
  __abp_actions[number].flags = SA_RESTART;
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

/* A signal arrives that the calling thread does not block. */
static void __abp_act(int number) {
  unsigned long long before = __abp_blocked[__abp_self()];
  unsigned long long also;
  sighandler_t handler;
  int flags;
  __abp_atomic_begin();
  handler = __abp_actions[number].handler;
  also = __abp_actions[number].mask;
  flags = __abp_actions[number].flags;
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
    also = also | BIT(number);
  __abp_block(before | also);
  handler(number);
  __abp_block(before);
}

/* What runs before the program ends by abort: the handler of SIGABRT, also where that is blocked. */
void __abp_run_at_abort(void) { __abp_act(SIGABRT); }

/* A signal for the calling thread: it arrives now, or is pending. */
static void __abp_receive(int number) {
  __abp_atomic_begin();
  __abp_pend(__abp_self(), number);
  __abp_atomic_end();
  __abp_unblocked();
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
  if (thread == __abp_self()) {
    __abp_receive(number);
    return 0;
  }
  __abp_atomic_begin();
  if (thread == 0 || thread >= THREADS || __abp_is_over(thread))
    __abp_misuse("a signal is sent to what is no thread, or was joined, or detached and has ended");
  if ((__abp_blocked[thread] & BIT(number)) != 0)
    __abp_pend(thread, number);
  else if (__abp_actions[number].handler != SIG_IGN)
    __abp_cut("a signal is sent to another thread that does not block it");
  __abp_atomic_end();
  return 0;
}

int sigpending(sigset_t *set) {
  unsigned long long pending;
  __abp_atomic_begin();
  pending = __abp_all_pending();
  __abp_atomic_end();
  set->__abp_members = pending;
  return 0;
}

/* Waits for one of the signals, which the thread has to block (POSIX sigwait). Any of them may come
   from outside; one of that number that is pending is then taken with it, or stays. */
static int __abp_await_signal(unsigned long long set) {
  int number = 0;
  int cancelled = 0;
  if ((set & ~(BIT(SIGKILL) | BIT(SIGSTOP)) & ~__abp_blocked[__abp_self()]) != 0)
    __abp_cut("a thread waits for a signal that it does not block");
  __abp_atomic_begin();
  if (__abp_cancels && __abp_nondet_bool()) {
    __abp_await(__abp_is_cancelled());
    cancelled = 1;
  } else {
    __abp_await((set & ~(BIT(SIGKILL) | BIT(SIGSTOP))) != 0);
    number = (int)__abp_nondet_between(1, NSIG - 1);
    __abp_assume((set & ~(BIT(SIGKILL) | BIT(SIGSTOP)) & BIT(number)) != 0);
    if ((__abp_all_pending() & BIT(number)) != 0 && __abp_nondet_bool())
      __abp_take_pending(BIT(number));
  }
  __abp_atomic_end();
  if (cancelled)
    __abp_act_on_cancellation();
  return number;
}

int sigwait(const sigset_t *set, int *number) {
  *number = __abp_await_signal(set->__abp_members);
  return 0;
}

int sigwaitinfo(const sigset_t *set, siginfo_t *info) {
  siginfo_t told;
  int number = __abp_await_signal(set->__abp_members);
  told.si_signo = number;
  if (info != 0)
    *info = told;
  return number;
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout) {
  if (timeout != 0 && (!__abp_is_time(timeout) || timeout->tv_sec < 0)) {
    errno = EINVAL;
    return -1;
  }
  if (timeout == 0 || __abp_nondet_bool())
    return sigwaitinfo(set, info);
  errno = EAGAIN;
  return -1;
}

/* Waits for any signal from outside that the thread does not block, and that has a handler. */
static void __abp_await_handler(void) {
  int number;
  int cancelled = 0;
  int handled;
  __abp_atomic_begin();
  if (__abp_cancels && __abp_nondet_bool()) {
    __abp_await(__abp_is_cancelled());
    cancelled = 1;
  } else {
    number = (int)__abp_nondet_between(1, NSIG - 1);
    handled = __abp_actions[number].handler != SIG_IGN &&
              __abp_actions[number].handler != SIG_DFL;
    if ((__abp_actions[number].flags & SA_SIGINFO) != 0)
      handled = 1;
    __abp_assume(handled && (__abp_blocked[__abp_self()] & BIT(number)) == 0);
    __abp_pend(__abp_self(), number);
  }
  __abp_atomic_end();
  if (cancelled)
    __abp_act_on_cancellation();
}

/* Waits until a handler has run. */
int pause(void) {
  __abp_await_handler();
  __abp_unblocked();
  errno = EINTR;
  return -1;
}

/* Whether another thread does not block a signal; one that has ended, and was not joined, is taken for
   one that runs. In an atomic block. */
static int __abp_others_take(int number) {
  __abp_id_t thread;
  for (thread = 1; thread <= __abp_last_thread; thread++)
    if (thread != __abp_self() && !__abp_is_over(thread) && (__abp_blocked[thread] & BIT(number)) == 0)
      return 1;
  return 0;
}

/* A signal for the process itself. Where it does not arrive before kill returns, and is not pending,
   somebody else takes it, at a time that is left open. */
static void __abp_generate(int number) {
  int others;
  int mine;
  __abp_atomic_begin();
  others = __abp_last_thread != 0 && __abp_others_take(number);
  mine = (__abp_blocked[__abp_self()] & BIT(number)) == 0;
  if (!mine && !others) {
    if (number >= SIGRTMIN && (__abp_pending_for_any & BIT(number)) != 0)
      __abp_cut("a signal of real time is sent again that is blocked");
    __abp_pending_for_any = __abp_pending_for_any | BIT(number);
  } else if (others && __abp_actions[number].handler != SIG_IGN) {
    __abp_cut("a signal is sent to the process that several threads, or another one, may take");
  } else if (mine && __abp_awaits_signals && __abp_last_thread != 0) {
    __abp_cut("a signal is sent to the process that a thread may wait for");
  } else if (mine) {
    __abp_pend(__abp_self(), number);
  }
  __abp_atomic_end();
  __abp_unblocked();
}

/* Other processes change nothing here; groups may have this one among them. */
int kill(pid_t process, int number) {
  if (number < 0 || number >= NSIG) {
    errno = EINVAL;
    return -1;
  }
  if (process == getpid()) {
    if (number != 0)
      __abp_generate(number);
    return 0;
  }
  if (number != 0 && process <= 0)
    __abp_cut("a signal is sent to a group of processes");
  if (__abp_nondet_bool()) {
    errno = __abp_nondet_bool() ? ESRCH : EPERM;
    return -1;
  }
  return 0;
}

/* The value is not kept: who looks at it, by sigwaitinfo, sees any. */
int sigqueue(pid_t process, int number, const union sigval value) { return kill(process, number); }

/* No time passes, so that none is left of an alarm before. */
unsigned int alarm(unsigned int seconds) {
  if (seconds != 0)
    __abp_cut("a signal arrives when time has passed");
  return 0;
}

/* Also what is pending arrives, now that it is not blocked. */
int sigsuspend(const sigset_t *set) {
  unsigned long long before = __abp_blocked[__abp_self()];
  __abp_block(set->__abp_members);
  if ((__abp_all_pending() & ~__abp_blocked[__abp_self()]) == 0)
    __abp_await_handler();
  __abp_unblocked();
  __abp_block(before);
  errno = EINTR;
  return -1;
}
