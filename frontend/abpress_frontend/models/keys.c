/* Thread-specific data (POSIX.1-2017 pthread_key_*). A deleted key is not used again, so that a new
   key starts with NULL in every thread. */
#include <abpress.h>
#include <errno.h>
#include <pthread.h>

#define KEYS 8

/* How many keys were created; those that are not deleted; their destructors. */
static unsigned int __abp_key_count;
static _Bool __abp_key_live[KEYS];
static void (*__abp_key_destructor[KEYS])(void *);
static _Thread_local void *__abp_key_value[KEYS];
/* Whether this thread may hold a value other than NULL. */
static _Thread_local _Bool __abp_key_used;

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  unsigned int created;
  __abp_atomic_begin();
  created = __abp_key_count;
  if (created == KEYS)
    __abp_cut("more than 8 thread-specific keys");
  __abp_key_count = created + 1;
  __abp_key_live[created] = 1;
  __abp_key_destructor[created] = destructor;
  __abp_atomic_end();
  *key = created;
  return 0;
}

/* Does not call destructors (POSIX). */
int pthread_key_delete(pthread_key_t key) {
  int result = EINVAL;
  __abp_atomic_begin();
  if (key < KEYS && __abp_key_live[key]) {
    __abp_key_live[key] = 0;
    __abp_key_destructor[key] = 0;
    result = 0;
  }
  __abp_atomic_end();
  return result;
}

/* With an invalid key undefined: glibc answers NULL. */
void *pthread_getspecific(pthread_key_t key) {
  void *value = 0;
  if (key < KEYS)
    value = __abp_key_value[key];
  if (value != 0) {
    __abp_atomic_begin();
    if (!__abp_key_live[key])
      value = 0;
    __abp_atomic_end();
  }
  return value;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  int result = EINVAL;
  __abp_atomic_begin();
  if (key < KEYS && __abp_key_live[key])
    result = 0;
  __abp_atomic_end();
  if (result == 0) {
    __abp_key_value[key] = (void *)value;
    if (value != 0)
      __abp_key_used = 1;
  }
  return result;
}

/* Destructors run key by key in creation order (POSIX: any order), again while values are left, at
   most PTHREAD_DESTRUCTOR_ITERATIONS times. */
void __abp_thread_exit_keys(void) {
  unsigned int key = 0;
  int round = 0;
  int called = 0;
  while (__abp_key_used && round < PTHREAD_DESTRUCTOR_ITERATIONS) {
    void (*destructor)(void *) = 0;
    void *value = 0;
    __abp_atomic_begin();
    while (key < KEYS && destructor == 0) {
      value = __abp_key_value[key];
      if (value != 0 && __abp_key_destructor[key] != 0) {
        destructor = __abp_key_destructor[key];
        __abp_key_value[key] = 0;
      }
      key++;
    }
    __abp_atomic_end();
    if (destructor != 0) {
      called = 1;
      destructor(value);
    } else {
      __abp_key_used = called;
      called = 0;
      key = 0;
      round++;
    }
  }
}
