/* Thread-specific data, threads, mutexes, condition variables (POSIX.1-2024 pthread_*). */

/* ---- thread-specific data ------------------------------------------------------------------- */

static struct {
  bool live;
  void (*destructor)(void *);
} keys[KEYS];
static int key_count;

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  step();
  if (key_count == KEYS)
    give_up("too many keys");
  keys[key_count].live = true;
  keys[key_count].destructor = destructor;
  *key = key_count++;
  return 0;
}

int pthread_key_delete(pthread_key_t key) {
  step();
  if (key >= KEYS || !keys[key].live)
    end("undefined deletion of what is no key");
  keys[key].live = false;
  keys[key].destructor = 0;
  return 0;
}

static void require_key(pthread_key_t key) {
  if (key >= KEYS || !keys[key].live)
    end("undefined use of what is no key");
}

void *pthread_getspecific(pthread_key_t key) {
  step();
  require_key(key);
  return threads[self].specific[key];
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  step();
  require_key(key);
  threads[self].specific[key] = (void *)value;
  return 0;
}

/* Destructors of values that are not NULL, in any order; again for values that these leave. */
static void destroy_specific(void) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
    bool done[KEYS] = {false}, any = false;
    for (;;) {
      int pending[KEYS], count = 0;
      for (int k = 0; k < key_count; k++)
        if (threads[self].specific[k] && keys[k].destructor && !done[k])
          pending[count++] = k;
      if (count == 0)
        break;
      int key = pending[choose(count)];
      void *value = threads[self].specific[key];
      done[key] = any = true;
      threads[self].specific[key] = 0;
      keys[key].destructor(value);
    }
    if (!any)
      break;
  }
}

/* ---- threads -------------------------------------------------------------------------------- */

/* Handles and owners are the number of a thread plus 1. */

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                   void *argument) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attr)
    pthread_attr_getdetachstate(attr, &state);
  step();
  int number = create(start, argument, state == PTHREAD_CREATE_JOINABLE);
  touch(WRITE, thread, sizeof *thread);
  *thread = number + 1;
  return 0;
}

static bool finished(const void *target, int thread) {
  return ((const struct thread *)target)->life == FINISHED;
}

/* Whether a handle is one of a thread, be it over. */
static bool is_handle(pthread_t handle) {
  return handle != 0 && handle <= THREADS && threads[handle - 1].life != ABSENT;
}

/* The thread with a handle. */
static struct thread *thread_of(pthread_t handle) {
  if (!is_handle(handle))
    end("undefined use of what is no thread");
  return &threads[handle - 1];
}

/* Its handle may be that of another thread. */
static bool is_over(const struct thread *thread) {
  return thread->life == FINISHED && !thread->joinable;
}

/* Whether a thread waits for the end of the running one, or for a thread that does, and so on. */
static bool waits_for_self(const struct thread *thread) {
  for (int links = 0; thread->ready == finished && links < THREADS; links++) {
    thread = thread->object;
    if (thread == &threads[self])
      return true;
  }
  return false;
}

static _Noreturn void act(void);
static void leave_robust(void);
static bool wait_or_act(condition *ready, const void *object);

/* A deadlock of threads that join one another may be told to the last of them. */
int pthread_join(pthread_t thread, void **result) {
  if ((int)thread == self + 1) {
    if (is_undefined())
      end("undefined join of oneself");
    return EDEADLK;
  }
  step();
  struct thread *target = thread_of(thread);
  if (waits_for_self(target) && is_told())
    return EDEADLK;
  if (wait_or_act(finished, target))
    act();
  if (!target->joinable)
    end("undefined join");
  target->joinable = false;
  if (result)
    *result = target->result;
  return 0;
}

int pthread_detach(pthread_t thread) {
  step();
  struct thread *target = thread_of(thread);
  if (!target->joinable)
    end("undefined detach");
  target->joinable = false;
  return 0;
}

/* Handlers run, the innermost first, then destructors; then robust mutexes are left, and the thread
   has finished. */
void pthread_exit(void *result) {
  threads[self].deaf = true; /* its handlers and destructors are not left */
  threads[self].result = result;
  if (threads[self].cleanup)
    _longjmp((struct __jmp_buf_tag *)threads[self].cleanup->__cancel_jmp_buf, 1);
  destroy_specific();
  leave_robust();
  finish(threads[self].result);
}

__cleanup_fct_attribute void __pthread_register_cancel(__pthread_unwind_buf_t *handler) {
  handler->__pad[0] = threads[self].cleanup;
  threads[self].cleanup = handler;
}

__cleanup_fct_attribute void __pthread_unregister_cancel(__pthread_unwind_buf_t *handler) {
  threads[self].cleanup = handler->__pad[0];
}

/* The handler has run. */
__cleanup_fct_attribute void __pthread_unwind_next(__pthread_unwind_buf_t *handler) {
  threads[self].cleanup = handler->__pad[0];
  pthread_exit(threads[self].result);
}

pthread_t pthread_self(void) { return self + 1; }

int pthread_equal(pthread_t a, pthread_t b) {
  if (a == b)
    return 1;
  step();
  if ((is_handle(a) && is_over(thread_of(a))) || (is_handle(b) && is_over(thread_of(b))))
    end("undefined comparison of what was a thread");
  return 0;
}

int sched_yield(void) { return 0; }

/* ---- cancellation, deferred ----------------------------------------------------------------- */

int pthread_cancel(pthread_t thread) {
  step();
  struct thread *target = thread_of(thread);
  if (is_over(target))
    end("undefined cancellation of what was a thread");
  target->cancelled = true;
  return 0;
}

int pthread_setcancelstate(int state, int *old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
    return EINVAL;
  if (old)
    *old = threads[self].deaf ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  threads[self].deaf = state == PTHREAD_CANCEL_DISABLE;
  return 0;
}

static _Noreturn void act(void) { pthread_exit(PTHREAD_CANCELED); }

/* What a function does first that is such a point. */
static void cancellation_point(void) {
  if (is_cancelled(self))
    act();
}

void pthread_testcancel(void) {
  step();
  cancellation_point();
}

/* Waits for a condition or a request; returns whether the thread acts upon the request. */
static bool wait_or_act(condition *ready, const void *object) {
  threads[self].at_point = true;
  wait_until(ready, object);
  threads[self].at_point = false;
  return is_cancelled(self) && (!ready(object, self) || choose(2));
}

/* ---- mutexes -------------------------------------------------------------------------------- */

/* The owner of what was destroyed. */
enum { DESTROYED = -1 };

static bool is_free(const void *mutex, int thread) {
  const pthread_mutex_t *m = mutex;
  int owner = m->__data.__owner;
  return owner == 0 || owner == DESTROYED ||
         (owner == thread + 1 && m->__data.__kind != PTHREAD_MUTEX_NORMAL);
}

/* What is told of a mutex where the C library counts its users: its owner may end, has ended, and
   nobody can take it any more. */
enum { LASTS = 1, LEFT = 2, LOST = 4 };

static bool is(const pthread_mutex_t *m, int told) { return m->__data.__nusers & told; }

/* The place of a robust mutex among those that the running thread holds; 0: a free one. */
static pthread_mutex_t **robust(const pthread_mutex_t *m) {
  for (int i = 0; i < ROBUST; i++)
    if (threads[self].robust[i] == m)
      return &threads[self].robust[i];
  give_up("a thread holds too many robust mutexes");
}

/* Locks a mutex that is free, or already held and of a kind that knows of it. */
static int take(pthread_mutex_t *m) {
  if (m->__data.__owner == DESTROYED)
    end("undefined lock of a destroyed mutex");
  if (is(m, LOST))
    return ENOTRECOVERABLE;
  if (m->__data.__owner == 0) {
    m->__data.__owner = self + 1;
    if (is(m, LASTS))
      *robust(0) = m;
    return is(m, LEFT) ? EOWNERDEAD : 0;
  }
  if (m->__data.__kind != PTHREAD_MUTEX_RECURSIVE)
    return EDEADLK;
  m->__data.__count++;
  return 0;
}

/* Unlocks a mutex that the thread holds, once. */
static void release(pthread_mutex_t *m) {
  if (m->__data.__count) {
    m->__data.__count--;
    return;
  }
  m->__data.__owner = 0;
  if (!is(m, LASTS))
    return;
  *robust(m) = 0;
  if (is(m, LEFT))
    m->__data.__nusers |= LOST;
}

static void leave_robust(void) {
  for (int i = 0; i < ROBUST; i++) {
    pthread_mutex_t *m = threads[self].robust[i];
    if (m && m->__data.__owner == self + 1) {
      m->__data.__owner = 0;
      m->__data.__count = 0;
      m->__data.__nusers |= LEFT;
    }
  }
}

int pthread_mutex_consistent(pthread_mutex_t *m) {
  step();
  if (m->__data.__owner != self + 1 || !is(m, LEFT))
    return EINVAL;
  m->__data.__nusers &= ~LEFT;
  return 0;
}

int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr) {
  int kind = PTHREAD_MUTEX_NORMAL, lasts = PTHREAD_MUTEX_STALLED;
  if (attr) {
    pthread_mutexattr_gettype(attr, &kind);
    pthread_mutexattr_getrobust(attr, &lasts);
  }
  step();
  memset(m, 0, sizeof *m);
  m->__data.__kind = kind;
  m->__data.__nusers = lasts == PTHREAD_MUTEX_ROBUST ? LASTS : 0;
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *m) {
  step();
  if (m->__data.__owner)
    end("undefined destruction of a mutex");
  m->__data.__owner = DESTROYED;
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t *m) {
  bool again = m->__data.__owner == self + 1 && m->__data.__kind == PTHREAD_MUTEX_NORMAL;
  if (again && is_undefined())
    end("undefined lock of a mutex that the thread holds");
  wait_until(is_free, m);
  return take(m);
}

int pthread_mutex_trylock(pthread_mutex_t *m) {
  step();
  if (!is_free(m, self))
    return EBUSY;
  int taken = take(m);
  return taken == EDEADLK ? EBUSY : taken;
}

/* Not free: the deadline passes while it waits. (It gets the mutex if it comes here later.) */
int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *deadline) {
  touch(READ, deadline, sizeof *deadline);
  step();
  return is_free(m, self) ? take(m) : ETIMEDOUT;
}

int pthread_mutex_unlock(pthread_mutex_t *m) {
  step();
  if (m->__data.__owner != self + 1) {
    bool unknowing = m->__data.__kind == PTHREAD_MUTEX_NORMAL && !is(m, LASTS);
    if (m->__data.__owner == DESTROYED || unknowing || is(m, LOST))
      end("undefined unlock");
    return EPERM;
  }
  release(m);
  return 0;
}

/* ---- condition variables: each thread knows which one it waits for -------------------------- */

struct cond {
  bool destroyed;
  const pthread_mutex_t *mutex; /* of those who wait */
};

static bool always(const void *cond, int thread) { return true; }

static bool has_waiters(const void *object) {
  for (int i = 0; i < THREADS && threads[i].life != ABSENT; i++)
    if (waits_at(object, i))
      return true;
  return false;
}

static void let_go(const void *object) {
  for (int i = 0; i < THREADS && threads[i].life != ABSENT; i++)
    if (waits_at(object, i))
      threads[i].signal = 0;
}

static void require_cond(const pthread_cond_t *c) {
  if (((const struct cond *)c)->destroyed)
    end("undefined use of a destroyed condition variable");
}

int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr) {
  step();
  memset(c, 0, sizeof *c);
  return 0;
}

int pthread_cond_destroy(pthread_cond_t *c) {
  step();
  require_cond(c);
  if (has_waiters(c))
    end("undefined destruction");
  ((struct cond *)c)->destroyed = true;
  return 0;
}

static void wake_one(const pthread_cond_t *c) {
  int chosen = choose_of(c);
  if (chosen >= 0)
    threads[chosen].signal = 0;
}

static int wait(pthread_cond_t *c, pthread_mutex_t *m, condition *ready) {
  int result = 0;
  bool acts;
  step();
  require_cond(c);
  if (m->__data.__owner != self + 1) {
    if (m->__data.__kind == PTHREAD_MUTEX_NORMAL && !is(m, LASTS))
      end("undefined wait");
    return EPERM;
  }
  if (has_waiters(c) && ((struct cond *)c)->mutex != m && is_undefined())
    end("undefined wait with another mutex");
  ((struct cond *)c)->mutex = m;
  release(m);
  threads[self].signal = c;
  acts = wait_or_act(ready, c);
  if (acts && threads[self].signal == 0)
    wake_one(c); /* the signal goes on to another thread */
  if (ready == always && !acts) {
    bool unless = threads[self].signal && !wakeups(); /* the deadline has passed */
    result = unless || choose(2) ? ETIMEDOUT : 0;
  }
  threads[self].signal = 0;
  wait_until(is_free, m);
  if (m->__data.__owner == DESTROYED)
    end("undefined wait with a destroyed mutex");
  int taken = take(m);
  if (acts)
    act();
  return taken ? taken : result;
}

int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { return wait(c, m, woken); }

int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *deadline) {
  touch(READ, deadline, sizeof *deadline);
  return wait(c, m, always);
}

int pthread_cond_signal(pthread_cond_t *c) {
  step();
  require_cond(c);
  wake_one(c);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *c) {
  step();
  require_cond(c);
  let_go(c);
  return 0;
}

