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
  if (__abp_creation_may_fail && __abp_nondet_bool())
    return __abp_nondet_bool() ? EAGAIN : ENOMEM;
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
  __abp_atomic_begin();
  if (key >= KEYS || !__abp_key_live[key])
    __abp_misuse("what is deleted is no key, or was deleted");
  __abp_key_live[key] = 0;
  __abp_key_destructor[key] = 0;
  __abp_atomic_end();
  return 0;
}

void *pthread_getspecific(pthread_key_t key) {
  __abp_atomic_begin();
  if (key >= KEYS || !__abp_key_live[key])
    __abp_misuse("a key is used that was not created or was deleted");
  __abp_atomic_end();
  return __abp_key_value[key];
}

/* ENOMEM is possible for a value other than NULL. */
int pthread_setspecific(pthread_key_t key, const void *value) {
  if (__abp_creation_may_fail && value != 0 && __abp_nondet_bool())
    return ENOMEM;
  __abp_atomic_begin();
  if (key >= KEYS || !__abp_key_live[key])
    __abp_misuse("a key is used that was not created or was deleted");
  __abp_atomic_end();
  __abp_key_value[key] = (void *)value;
  if (value != 0)
    __abp_key_used = 1;
  return 0;
}

/* In a round destructors run in any order, once for each key that holds a value then, which is NULL
   again when its destructor is called. There are rounds while values are left, at most
   PTHREAD_DESTRUCTOR_ITERATIONS (POSIX: an implementation may go on). */
void __abp_thread_exit_keys(void) {
  __abp_set_t done = 0;
  int round = 0;
  while (__abp_key_used && round < PTHREAD_DESTRUCTOR_ITERATIONS) {
    void (*destructor)(void *) = 0;
    void *value = 0;
    __abp_set_t set = 0;
    unsigned int key;
    __abp_atomic_begin();
    for (key = 0; key < KEYS; key++)
      if (__abp_key_value[key] != 0 && __abp_key_destructor[key] != 0)
        set = set | ((__abp_set_t)1 << key & ~done);
    set = __abp_choose_bit(set);
    for (key = 0; key < KEYS; key++)
      if ((set >> key & 1) != 0) {
        destructor = __abp_key_destructor[key];
        value = __abp_key_value[key];
        __abp_key_value[key] = 0;
      }
    __abp_atomic_end();
    if (destructor != 0) {
      done = done | set;
      destructor(value);
    } else {
      __abp_key_used = done != 0;
      done = 0;
      round++;
    }
  }
}
