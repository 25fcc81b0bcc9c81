/* C11 threads (7.26) by those of POSIX. */

static int c11(int error) {
  return error == 0 ? thrd_success : error == EBUSY ? thrd_busy
         : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
  return c11(pthread_create(thread, 0, (void *(*)(void *))start, argument));
}

int thrd_join(thrd_t thread, int *result) {
  void *value = 0;
  int error = pthread_join(thread, &value);
  if (result)
    *result = (intptr_t)value;
  return c11(error);
}

int thrd_detach(thrd_t thread) { return c11(pthread_detach(thread)); }
void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
thrd_t thrd_current(void) { return self + 1; }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
int thrd_sleep(const struct timespec *duration, struct timespec *rest) { return 0; }
void thrd_yield(void) {}

int mtx_init(mtx_t *m, int kind) {
  pthread_mutex_t *mutex = (pthread_mutex_t *)m;
  pthread_mutex_init(mutex, 0);
  mutex->__data.__kind = kind & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
  return thrd_success;
}

void mtx_destroy(mtx_t *m) { pthread_mutex_destroy((pthread_mutex_t *)m); }
int mtx_lock(mtx_t *m) { return c11(pthread_mutex_lock((pthread_mutex_t *)m)); }
int mtx_unlock(mtx_t *m) { return c11(pthread_mutex_unlock((pthread_mutex_t *)m)); }

/* May fail for no reason (7.26.4.5). */
int mtx_trylock(mtx_t *m) {
  if (failures() && choose(2))
    return thrd_busy;
  return c11(pthread_mutex_trylock((pthread_mutex_t *)m));
}

int mtx_timedlock(mtx_t *m, const struct timespec *deadline) {
  return c11(pthread_mutex_timedlock((pthread_mutex_t *)m, deadline));
}

int cnd_init(cnd_t *c) { return c11(pthread_cond_init((pthread_cond_t *)c, 0)); }
void cnd_destroy(cnd_t *c) { pthread_cond_destroy((pthread_cond_t *)c); }
int cnd_signal(cnd_t *c) { return c11(pthread_cond_signal((pthread_cond_t *)c)); }
int cnd_broadcast(cnd_t *c) { return c11(pthread_cond_broadcast((pthread_cond_t *)c)); }

int cnd_wait(cnd_t *c, mtx_t *m) {
  return c11(pthread_cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m));
}

int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *deadline) {
  return c11(pthread_cond_timedwait((pthread_cond_t *)c, (pthread_mutex_t *)m, deadline));
}

void call_once(once_flag *flag, void (*routine)(void)) {
  pthread_once((pthread_once_t *)flag, routine);
}

int tss_create(tss_t *key, tss_dtor_t destructor) {
  return c11(pthread_key_create(key, destructor));
}

void tss_delete(tss_t key) { pthread_key_delete(key); }
void *tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void *value) { return c11(pthread_setspecific(key, value)); }
