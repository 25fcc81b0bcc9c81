/* C11 threads (ISO/IEC 9899:2011 7.26) in terms of POSIX threads. */
#include <abpress.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <threads.h>

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
  if (__abp_create(thread, 0, (void *(*)(void *))start, argument, 0) != 0)
    return __abp_nondet_bool() ? thrd_nomem : thrd_error;
  return thrd_success;
}

int thrd_equal(thrd_t a, thrd_t b) { return pthread_equal(a, b) != 0; }

thrd_t thrd_current(void) { return __abp_self(); }

int thrd_sleep(const struct timespec *duration, struct timespec *remaining) {
  return __abp_is_duration(duration) ? 0 : -2;
}

void thrd_exit(int result) { __abp_finish((void *)(intptr_t)result); }

int thrd_detach(thrd_t thread) {
  pthread_detach(thread);
  return thrd_success;
}

int thrd_join(thrd_t thread, int *result) {
  void *value;
  if (pthread_join(thread, &value) != 0)
    return thrd_error;
  if (result != 0)
    *result = (int)(intptr_t)value;
  return thrd_success;
}

void thrd_yield(void) {}

int mtx_init(mtx_t *mutex, int kind) {
  if (kind < mtx_plain || kind > (mtx_timed | mtx_recursive))
    return thrd_error;
  if (__abp_creation_may_fail && __abp_nondet_bool())
    return thrd_error;
  __abp_atomic_begin();
  mutex->owner = 0;
  mutex->count = 0;
  mutex->kind = (kind & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
  __abp_atomic_end();
  return thrd_success;
}

int mtx_lock(mtx_t *mutex) {
  pthread_mutex_lock(mutex);
  return thrd_success;
}

int mtx_timedlock(mtx_t *mutex, const struct timespec *deadline) {
  int result = pthread_mutex_timedlock(mutex, deadline);
  if (result == ETIMEDOUT)
    return thrd_timedout;
  if (result != 0)
    return thrd_error;
  return thrd_success;
}

/* May fail while the mutex is free (C17 7.26.4.5; glibc does not). */
int mtx_trylock(mtx_t *mutex) {
  if (__abp_spurious_failures && __abp_nondet_bool())
    return thrd_busy;
  if (pthread_mutex_trylock(mutex) != 0)
    return thrd_busy;
  return thrd_success;
}

/* Of any kind (C11 7.26.4.6). */
int mtx_unlock(mtx_t *mutex) {
  if (pthread_mutex_unlock(mutex) != 0)
    __abp_misuse("a mutex is unlocked that the thread does not hold");
  return thrd_success;
}

void mtx_destroy(mtx_t *mutex) { pthread_mutex_destroy(mutex); }

int cnd_init(cnd_t *cond) {
  if (pthread_cond_init(cond, 0) != 0)
    return __abp_nondet_bool() ? thrd_nomem : thrd_error;
  return thrd_success;
}

int cnd_signal(cnd_t *cond) {
  pthread_cond_signal(cond);
  return thrd_success;
}

int cnd_broadcast(cnd_t *cond) {
  pthread_cond_broadcast(cond);
  return thrd_success;
}

int cnd_wait(cnd_t *cond, mtx_t *mutex) {
  if (pthread_cond_wait(cond, mutex) != 0)
    return thrd_error;
  return thrd_success;
}

int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *deadline) {
  int result = pthread_cond_timedwait(cond, mutex, deadline);
  if (result == ETIMEDOUT)
    return thrd_timedout;
  if (result != 0)
    return thrd_error;
  return thrd_success;
}

void cnd_destroy(cnd_t *cond) { pthread_cond_destroy(cond); }

void call_once(once_flag *flag, void (*routine)(void)) { pthread_once(flag, routine); }

int tss_create(tss_t *key, tss_dtor_t destructor) {
  if (pthread_key_create(key, destructor) != 0)
    return thrd_error;
  return thrd_success;
}

void *tss_get(tss_t key) { return pthread_getspecific(key); }

int tss_set(tss_t key, void *value) {
  if (pthread_setspecific(key, value) != 0)
    return thrd_error;
  return thrd_success;
}

void tss_delete(tss_t key) { pthread_key_delete(key); }
