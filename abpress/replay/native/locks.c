/* Reader-writer locks, barriers, semaphores, spin locks, once (POSIX.1-2024). */

/* ---- reader-writer locks -------------------------------------------------------------------- */

struct rwlock {
  unsigned readers, again; /* sets of threads: that read, and that read twice */
  int writer;
};

static bool no_writer(const void *lock, int thread) {
  int writer = ((const struct rwlock *)lock)->writer;
  return writer == 0 || writer == thread + 1;
}

static bool nobody(const void *lock, int thread) {
  return no_writer(lock, thread) && ((const struct rwlock *)lock)->readers == 0;
}

static int enter(pthread_rwlock_t *lock, bool write) {
  struct rwlock *l = (struct rwlock *)lock;
  if (l->writer == self + 1)
    return EDEADLK;
  if (write)
    l->writer = self + 1;
  else if (l->readers >> self & 1)
    l->again |= 1u << self;
  else
    l->readers |= 1u << self;
  return 0;
}

static bool deadlocked(const void *lock, int thread) { return false; }

/* Whoever waits for itself is told so, or waits for ever. */
static int waits_for_itself(void) {
  step();
  if (!choose(2))
    wait_until(deadlocked, 0);
  return EDEADLK;
}

int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr) {
  step();
  memset(l, 0, sizeof *l);
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *l) {
  step();
  return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *l) {
  if (((struct rwlock *)l)->writer == self + 1)
    return waits_for_itself();
  wait_until(no_writer, l);
  return enter(l, false);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *l) {
  if (((struct rwlock *)l)->writer == self + 1 || ((struct rwlock *)l)->readers >> self & 1)
    return waits_for_itself();
  wait_until(nobody, l);
  return enter(l, true);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) {
  step();
  return ((struct rwlock *)l)->writer ? EBUSY : enter(l, false);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *l) {
  step();
  return ((struct rwlock *)l)->writer || ((struct rwlock *)l)->readers ? EBUSY : enter(l, true);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *deadline) {
  step();
  return no_writer(l, self) ? enter(l, false) : ETIMEDOUT;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *deadline) {
  step();
  return nobody(l, self) ? enter(l, true) : ETIMEDOUT;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  struct rwlock *l = (struct rwlock *)lock;
  step();
  if (l->writer == self + 1)
    l->writer = 0;
  else if (l->again >> self & 1)
    l->again &= ~(1u << self);
  else if (l->readers >> self & 1)
    l->readers &= ~(1u << self);
  else
    end("undefined unlock");
  return 0;
}

/* ---- barriers ------------------------------------------------------------------------------- */

struct barrier {
  unsigned total, waiting, serial; /* serial: who is to be told so */
};

static bool released(const void *barrier, int thread) {
  return !(((const struct barrier *)barrier)->waiting >> thread & 1);
}

int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr, unsigned total) {
  if (total == 0)
    return EINVAL;
  step();
  *(struct barrier *)b = (struct barrier){total, 0, 0};
  return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *b) {
  step();
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  struct barrier *b = (struct barrier *)barrier;
  unsigned bit = 1u << self;
  step();
  b->waiting |= bit;
  if (__builtin_popcount(b->waiting) == (int)b->total) {
    b->serial |= choose_of(b->waiting);
    b->waiting = 0;
  } else {
    wait_until(released, b);
  }
  if (!(b->serial & bit))
    return 0;
  b->serial &= ~bit;
  return PTHREAD_BARRIER_SERIAL_THREAD;
}

/* ---- semaphores, spin locks ----------------------------------------------------------------- */

static bool positive(const void *semaphore, int thread) { return *(const unsigned *)semaphore; }

int sem_init(sem_t *s, int shared, unsigned value) {
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  step();
  *(unsigned *)s = value;
  return 0;
}

int sem_destroy(sem_t *s) {
  step();
  return 0;
}

int sem_wait(sem_t *s) {
  wait_until(positive, s);
  --*(unsigned *)s;
  return 0;
}

static int try(sem_t *s, int error) {
  step();
  if (!positive(s, self)) {
    errno = error;
    return -1;
  }
  --*(unsigned *)s;
  return 0;
}

int sem_trywait(sem_t *s) { return try(s, EAGAIN); }

int sem_timedwait(sem_t *s, const struct timespec *deadline) { return try(s, ETIMEDOUT); }

int sem_post(sem_t *s) {
  step();
  if (*(unsigned *)s == SEM_VALUE_MAX) {
    errno = EOVERFLOW;
    return -1;
  }
  ++*(unsigned *)s;
  return 0;
}

int sem_getvalue(sem_t *s, int *value) {
  step();
  *value = *(unsigned *)s;
  return 0;
}

static bool unlocked(const void *lock, int thread) { return *(const volatile int *)lock == 0; }

int pthread_spin_init(pthread_spinlock_t *l, int shared) {
  step();
  *l = 0;
  return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *l) {
  step();
  return 0;
}

int pthread_spin_lock(pthread_spinlock_t *l) {
  wait_until(unlocked, (const void *)l);
  *l = self + 1;
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *l) {
  step();
  if (*l)
    return EBUSY;
  *l = self + 1;
  return 0;
}

int pthread_spin_unlock(pthread_spinlock_t *l) {
  step();
  *l = 0;
  return 0;
}

/* ---- once ----------------------------------------------------------------------------------- */

static bool not_running(const void *once, int thread) { return *(const int *)once != 1; }

int pthread_once(pthread_once_t *once, void (*routine)(void)) {
  wait_until(not_running, once);
  if (*once == 0) {
    *once = 1;
    routine();
    step();
    *once = 2;
  }
  return 0;
}
