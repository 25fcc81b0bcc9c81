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
    return EINVAL;
  keys[key].live = false;
  keys[key].destructor = 0;
  return 0;
}

void *pthread_getspecific(pthread_key_t key) {
  step();
  return keys[key].live ? threads[self].specific[key] : 0;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  step();
  if (!keys[key].live)
    return EINVAL;
  threads[self].specific[key] = (void *)value;
  return 0;
}

/* Destructors of values that are not NULL, in any order; again for values that these leave. */
static void destroy_specific(void) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
    unsigned done = 0;
    for (;;) {
      unsigned pending = 0;
      for (int k = 0; k < key_count; k++)
        if (threads[self].specific[k] && keys[k].destructor)
          pending |= 1u << k & ~done;
      if (!pending)
        break;
      unsigned bit = choose_of(pending);
      int key = __builtin_ctz(bit);
      void *value = threads[self].specific[key];
      done |= bit;
      threads[self].specific[key] = 0;
      keys[key].destructor(value);
    }
    if (!done)
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
  *thread = create(start, argument, state == PTHREAD_CREATE_JOINABLE) + 1;
  return 0;
}

static bool finished(const void *target, int thread) {
  return ((const struct thread *)target)->life == FINISHED;
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

/* A deadlock of threads that join one another may be told to the last of them. */
int pthread_join(pthread_t thread, void **result) {
  struct thread *target = &threads[thread - 1];
  if ((int)thread == self + 1)
    return EDEADLK;
  step();
  if (waits_for_self(target) && choose(2))
    return EDEADLK;
  wait_until(finished, target);
  if (!target->joinable)
    end("undefined join");
  target->joinable = false;
  if (result)
    *result = target->result;
  return 0;
}

int pthread_detach(pthread_t thread) {
  step();
  if (!threads[thread - 1].joinable)
    end("undefined detach");
  threads[thread - 1].joinable = false;
  return 0;
}

/* Handlers run, the innermost first, then destructors, then the thread has finished. */
void pthread_exit(void *result) {
  threads[self].result = result;
  if (threads[self].cleanup)
    _longjmp((struct __jmp_buf_tag *)threads[self].cleanup->__cancel_jmp_buf, 1);
  destroy_specific();
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

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

int sched_yield(void) { return 0; }

/* ---- mutexes -------------------------------------------------------------------------------- */

static bool is_free(const void *mutex, int thread) {
  const pthread_mutex_t *m = mutex;
  bool own = m->__data.__owner == thread + 1;
  return m->__data.__owner == 0 || (own && m->__data.__kind != PTHREAD_MUTEX_NORMAL);
}

/* Locks a mutex that is free, or already held and of a kind that knows of it. */
static int take(pthread_mutex_t *m) {
  if (m->__data.__owner == 0)
    m->__data.__owner = self + 1;
  else if (m->__data.__kind == PTHREAD_MUTEX_RECURSIVE)
    m->__data.__count++;
  else
    return EDEADLK;
  return 0;
}

int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr) {
  int kind = PTHREAD_MUTEX_NORMAL;
  if (attr)
    pthread_mutexattr_gettype(attr, &kind);
  step();
  memset(m, 0, sizeof *m);
  m->__data.__kind = kind;
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *m) {
  step();
  return m->__data.__owner ? EBUSY : 0;
}

int pthread_mutex_lock(pthread_mutex_t *m) {
  wait_until(is_free, m);
  return take(m);
}

int pthread_mutex_trylock(pthread_mutex_t *m) {
  step();
  if (!is_free(m, self))
    return EBUSY;
  return take(m) ? EBUSY : 0;
}

/* Not free: the deadline passes while it waits. (It gets the mutex if it comes here later.) */
int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *deadline) {
  step();
  return is_free(m, self) ? take(m) : ETIMEDOUT;
}

int pthread_mutex_unlock(pthread_mutex_t *m) {
  step();
  if (m->__data.__owner != self + 1) {
    if (m->__data.__kind == PTHREAD_MUTEX_NORMAL)
      end("undefined unlock");
    return EPERM;
  }
  if (m->__data.__count)
    m->__data.__count--;
  else
    m->__data.__owner = 0;
  return 0;
}

/* ---- condition variables: a set of waiting threads ------------------------------------------ */

static bool always(const void *cond, int thread) { return true; }

int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr) {
  step();
  memset(c, 0, sizeof *c);
  return 0;
}

int pthread_cond_destroy(pthread_cond_t *c) {
  step();
  if (*(unsigned *)c)
    end("undefined destruction");
  return 0;
}

static int wait(pthread_cond_t *c, pthread_mutex_t *m, condition *ready) {
  unsigned *waiting = (unsigned *)c, bit = 1u << self;
  int result = 0;
  step();
  if (m->__data.__owner != self + 1) {
    if (m->__data.__kind == PTHREAD_MUTEX_NORMAL)
      end("undefined wait");
    return EPERM;
  }
  if (m->__data.__count)
    m->__data.__count--;
  else
    m->__data.__owner = 0;
  *waiting |= bit;
  wait_until(ready, c);
  if (ready == always) {
    bool unless = *waiting & bit && !wakeups(); /* the deadline has passed */
    result = unless || choose(2) ? ETIMEDOUT : 0;
  }
  *waiting &= ~bit;
  wait_until(is_free, m);
  if (m->__data.__owner == self + 1)
    m->__data.__count++;
  m->__data.__owner = self + 1;
  return result;
}

int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { return wait(c, m, woken); }

int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *deadline) {
  return wait(c, m, always);
}

int pthread_cond_signal(pthread_cond_t *c) {
  step();
  if (*(unsigned *)c)
    *(unsigned *)c &= ~choose_of(*(unsigned *)c);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *c) {
  step();
  *(unsigned *)c = 0;
  return 0;
}

