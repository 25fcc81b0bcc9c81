/* The types of pthread.h, as cells that the models read and write. (sem_t is in semaphore.h, C11's
   are in threads.h.)

   All-zero bytes are the valid static initialiser, and the state of an unused object. The lowering
   substitutes these definitions for those of other headers. Structures are given the space that they
   have in glibc (lower/foreign.py). Built in are __abp_set_t, 256 bits in 3 bytes, of which bit k
   stands for the thread with id k, and __abp_thread_t, an unsigned long that holds an
   id of which programs may not see the number. __abp_user_t, __abp_users_t and __abp_spin_t tell
   who holds an object or waits for it: where misuse counts, it must not end then. */
#ifndef ABPRESS_TYPES_H
#define ABPRESS_TYPES_H

typedef unsigned long __abp_id_t;
typedef unsigned long __abp_thread_t;
typedef __abp_thread_t pthread_t;

/* owner: 0 free, ~0 destroyed, else the holder. count: locks beyond the first (recursive). kind: the
   type, and whether the mutex is robust and what has become of it (mutex.c). */
typedef struct {
  __abp_user_t owner;
  unsigned int count;
  int kind;
} pthread_mutex_t;

typedef struct {
  signed char kind;
  signed char pshared;
  signed char protocol;
  signed char ceiling;
} pthread_mutexattr_t;

/* waiting: the threads that no signal has reached yet; bit 0 is the mark of a destroyed one.
   mutex: that of who waits (kept where misuse counts). */
typedef struct {
  __abp_users_t waiting;
  pthread_mutex_t *mutex;
} pthread_cond_t;

typedef struct {
  short pshared;
  short clock;
} pthread_condattr_t;

/* writer: 0 none, ~0 destroyed, else the holder. readers: the threads that hold it for reading;
   again: those that do twice. */
typedef struct {
  __abp_user_t writer;
  __abp_users_t readers;
  __abp_set_t again;
} pthread_rwlock_t;

typedef struct {
  int pshared;
  int kind;
} pthread_rwlockattr_t;

/* total: how many meet, 0 when not initialised. waiting: who has arrived and may not go on.
   serial: who is to be told so, and was not yet. leaving: who may go on, and has not yet (kept in
   programs that destroy barriers). odd: whether the number of rounds that are over is (kept where
   accesses count: no step depends on it, but proofs that phases exclude one another do). */
typedef struct {
  unsigned int total;
  unsigned int arrived;
  __abp_users_t waiting;
  __abp_set_t serial;
  __abp_set_t leaving;
  unsigned char odd;
} pthread_barrier_t;

typedef struct {
  int pshared;
} pthread_barrierattr_t;

/* 0 free, ~0 destroyed, else the holder. Of the size that it has elsewhere. */
typedef __abp_spin_t pthread_spinlock_t;

/* 0 never called, 1 in progress (2 + the thread where misuse counts), 2 done. */
typedef int pthread_once_t;

typedef unsigned int pthread_key_t;

typedef struct {
  int detachstate;
  int inheritsched;
  int policy;
  int priority;
  int scope;
  void *stackaddr;
  unsigned long stacksize;
  unsigned long guardsize;
} pthread_attr_t;

#endif
