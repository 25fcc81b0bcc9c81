/* Reader-writer locks, barriers, semaphores, spin locks, once (POSIX.1-2024). */

/* ---- reader-writer locks -------------------------------------------------------------------- */

struct rwlock {
  int writer, readers; /* readers: how many threads read, each of them once or more often */
};

static bool no_writer(const void *lock, int thread) {
  int writer = ((const struct rwlock *)lock)->writer;
  return writer == 0 || writer == DESTROYED || writer == thread + 1;
}

static bool nobody(const void *lock, int thread) {
  return no_writer(lock, thread) && ((const struct rwlock *)lock)->readers == 0;
}

/* The place of a lock among those that the running thread reads, or a free one; -1 if there is
   neither. */
static int place_of(const void *lock) {
  int free = -1;
  for (int i = 0; i < READS; i++)
    if (threads[self].reads[i].lock == lock)
      return i;
    else if (threads[self].reads[i].lock == 0 && free < 0)
      free = i;
  return free;
}

static bool reads(const void *lock) {
  int place = place_of(lock);
  return place >= 0 && threads[self].reads[place].lock == lock;
}

static int enter(pthread_rwlock_t *lock, bool write) {
  struct rwlock *l = (struct rwlock *)lock;
  if (l->writer == DESTROYED)
    end("undefined lock of a destroyed rwlock");
  if (l->writer == self + 1)
    return EDEADLK;
  if (write) {
    l->writer = self + 1;
    return 0;
  }
  int place = place_of(lock);
  if (place < 0)
    give_up("a thread holds too many locks for reading");
  l->readers += threads[self].reads[place].lock == 0;
  threads[self].reads[place].lock = lock;
  threads[self].reads[place].times++;
  return 0;
}

static bool deadlocked(const void *lock, int thread) { return false; }

/* Whoever waits for itself is told so, or waits for ever. */
static int waits_for_itself(void) {
  step();
  if (is_undefined())
    end("undefined lock of a rwlock that the thread holds");
  if (!is_told())
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
  if (((struct rwlock *)l)->writer || ((struct rwlock *)l)->readers)
    end("undefined destruction of a rwlock");
  ((struct rwlock *)l)->writer = DESTROYED;
  return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *l) {
  if (((struct rwlock *)l)->writer == self + 1)
    return waits_for_itself();
  wait_until(no_writer, l);
  return enter(l, false);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *l) {
  if (((struct rwlock *)l)->writer == self + 1 || reads(l))
    return waits_for_itself();
  wait_until(nobody, l);
  return enter(l, true);
}

/* By whomever, so that nobody may read, or write. */
static bool is_held(const pthread_rwlock_t *lock, bool write) {
  const struct rwlock *l = (const struct rwlock *)lock;
  return (l->writer && l->writer != DESTROYED) || (write && l->readers);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) {
  step();
  return is_held(l, false) ? EBUSY : enter(l, false);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *l) {
  step();
  return is_held(l, true) ? EBUSY : enter(l, true);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *deadline) {
  touch(READ, deadline, sizeof *deadline);
  step();
  return no_writer(l, self) ? enter(l, false) : ETIMEDOUT;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *deadline) {
  touch(READ, deadline, sizeof *deadline);
  step();
  return nobody(l, self) ? enter(l, true) : ETIMEDOUT;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  struct rwlock *l = (struct rwlock *)lock;
  step();
  if (l->writer == self + 1) {
    l->writer = 0;
    return 0;
  }
  if (!reads(lock))
    end("undefined unlock");
  int place = place_of(lock);
  if (--threads[self].reads[place].times == 0) {
    threads[self].reads[place].lock = 0;
    l->readers--;
  }
  return 0;
}

/* ---- barriers ------------------------------------------------------------------------------- */

struct barrier {
  unsigned total, waiting;
};

static bool released(const void *barrier, int thread) { return !waits_at(barrier, thread); }

int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr, unsigned total) {
  if (total == 0)
    return EINVAL;
  step();
  *(struct barrier *)b = (struct barrier){total, 0};
  return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *b) {
  step();
  if (((struct barrier *)b)->total == 0 || ((struct barrier *)b)->waiting)
    end("undefined destruction of a barrier");
  ((struct barrier *)b)->total = 0;
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  struct barrier *b = (struct barrier *)barrier;
  step();
  if (b->total == 0)
    end("undefined wait at what is no barrier");
  threads[self].signal = b;
  if (++b->waiting == b->total) {
    threads[choose_of(b)].serial = true;
    let_go(b);
    b->waiting = 0;
  } else {
    wait_until(released, b);
  }
  if (!threads[self].serial)
    return 0;
  threads[self].serial = false;
  return PTHREAD_BARRIER_SERIAL_THREAD;
}

/* ---- semaphores, spin locks ----------------------------------------------------------------- */

/* One more than its value; 0 if it was not initialised, or was destroyed. */
static unsigned *count_of(sem_t *s) { return (unsigned *)s; }

static bool positive(const void *semaphore, int thread) { return *(const unsigned *)semaphore != 1; }

static void require_semaphore(sem_t *s) {
  if (*count_of(s) == 0)
    end("undefined use of what is no semaphore");
}

int sem_init(sem_t *s, int shared, unsigned value) {
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  step();
  *count_of(s) = value + 1;
  return 0;
}

int sem_destroy(sem_t *s) {
  step();
  require_semaphore(s);
  for (int i = 0; i < THREADS && threads[i].life != ABSENT; i++)
    if (threads[i].ready == positive && threads[i].object == s && !positive(s, i))
      end("undefined destruction of a semaphore");
  *count_of(s) = 0;
  return 0;
}

int sem_wait(sem_t *s) {
  cancellation_point();
  if (wait_or_act(positive, s))
    act();
  require_semaphore(s);
  --*count_of(s);
  return 0;
}

static int try(sem_t *s, int error) {
  step();
  require_semaphore(s);
  if (!positive(s, self)) {
    errno = error;
    return -1;
  }
  --*count_of(s);
  return 0;
}

int sem_trywait(sem_t *s) { return try(s, EAGAIN); }

int sem_timedwait(sem_t *s, const struct timespec *deadline) {
  touch(READ, deadline, sizeof *deadline);
  cancellation_point();
  return try(s, ETIMEDOUT);
}

int sem_post(sem_t *s) {
  step();
  require_semaphore(s);
  if (*count_of(s) == SEM_VALUE_MAX + 1u) {
    errno = EOVERFLOW;
    return -1;
  }
  ++*count_of(s);
  return 0;
}

int sem_getvalue(sem_t *s, int *value) {
  step();
  require_semaphore(s);
  int count = *count_of(s) - 1;
  touch(WRITE, value, sizeof *value);
  *value = count;
  return 0;
}

static bool unlocked(const void *lock, int thread) {
  int owner = *(const volatile int *)lock;
  return owner == 0 || owner == DESTROYED;
}

static void require_spin(const pthread_spinlock_t *l) {
  if (*l == DESTROYED)
    end("undefined use of a destroyed spin lock");
}

int pthread_spin_init(pthread_spinlock_t *l, int shared) {
  step();
  *l = 0;
  return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *l) {
  step();
  if (*l)
    end("undefined destruction of a spin lock");
  *l = DESTROYED;
  return 0;
}

int pthread_spin_lock(pthread_spinlock_t *l) {
  if (*l == self + 1 && is_undefined())
    end("undefined lock of a spin lock that the thread holds");
  wait_until(unlocked, (const void *)l);
  require_spin(l);
  *l = self + 1;
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *l) {
  step();
  require_spin(l);
  if (*l)
    return EBUSY;
  *l = self + 1;
  return 0;
}

int pthread_spin_unlock(pthread_spinlock_t *l) {
  step();
  require_spin(l);
  if (*l != self + 1)
    end("undefined unlock of a spin lock");
  *l = 0;
  return 0;
}

/* ---- once ----------------------------------------------------------------------------------- */

/* 1: a thread runs its routine; 2: it has run. */
static bool not_running(const void *once, int thread) { return *(const int *)once != 1; }

int pthread_once(pthread_once_t *once, void (*routine)(void)) {
  const void *outer = threads[self].runs;
  if (outer == once && is_undefined())
    end("undefined call of pthread_once by its routine");
  wait_until(not_running, once);
  if (*once == 0) {
    *once = 1;
    threads[self].runs = once;
    routine();
    threads[self].runs = outer;
    step();
    *once = 2;
  }
  return 0;
}
