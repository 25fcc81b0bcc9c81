/* Named semaphores (POSIX sem_open), of this process alone. A name is that of one semaphore until it
   is unlinked; the semaphore is there until it is closed as often as it was opened. */
#include <abpress.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>

#define MOST 8
#define LENGTH 32

struct __abp_named {
  sem_t semaphore;
  unsigned int opened;
  unsigned int value; /* kept while nobody has it open */
  int has_name;
  char name[LENGTH];
};

static struct __abp_named __abp_semaphores[MOST];

/* The semaphore of that name, or the first one that is free; MOST if there is none. Inside the
   caller's atomic block. */
static int __abp_find_named(const char *name, int free) {
  int k;
  for (k = 0; k < MOST; k++)
    if (free ? !__abp_semaphores[k].has_name && __abp_semaphores[k].opened == 0
             : __abp_semaphores[k].has_name && strcmp(__abp_semaphores[k].name, name) == 0)
      return k;
  return MOST;
}

sem_t *sem_open(const char *name, int flags, ...) {
  sem_t *result = SEM_FAILED;
  unsigned int value = 0;
  int k;
  if ((flags & O_CREAT) != 0) {
    va_list list;
    va_start(list, flags);
    (void)va_arg(list, unsigned int);
    value = va_arg(list, unsigned int);
    va_end(list);
  }
  if (strlen(name) >= LENGTH)
    __abp_cut("a semaphore with a name of more than 31 characters");
  if (__abp_creation_may_fail && __abp_nondet_bool()) {
    errno = __abp_nondet_bool() ? EACCES : ENOSPC;
    return SEM_FAILED;
  }
  __abp_atomic_begin();
  k = __abp_find_named(name, 0);
  if (k < MOST && (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) {
    errno = EEXIST;
  } else if (k == MOST && (flags & O_CREAT) == 0) {
    errno = ENOENT;
  } else if (k == MOST && value > SEM_VALUE_MAX) {
    errno = EINVAL;
  } else {
    if (k == MOST) {
      k = __abp_find_named(name, 1);
      if (k == MOST)
        __abp_cut("more than 8 named semaphores");
      strcpy(__abp_semaphores[k].name, name);
      __abp_semaphores[k].has_name = 1;
      __abp_semaphores[k].value = value + 1;
    }
    if (__abp_semaphores[k].opened == 0)
      __abp_semaphores[k].semaphore.count = __abp_semaphores[k].value;
    __abp_semaphores[k].opened = __abp_semaphores[k].opened + 1;
    result = &__abp_semaphores[k].semaphore;
  }
  __abp_atomic_end();
  return result;
}

int sem_close(sem_t *semaphore) {
  int k = 0;
  __abp_atomic_begin();
  while (k < MOST && semaphore != &__abp_semaphores[k].semaphore)
    k++;
  if (k == MOST || __abp_semaphores[k].opened == 0)
    __abp_misuse("what is closed is no semaphore that was opened");
  __abp_semaphores[k].opened = __abp_semaphores[k].opened - 1;
  if (__abp_semaphores[k].opened == 0) {
    __abp_semaphores[k].value = __abp_semaphores[k].semaphore.count;
    __abp_semaphores[k].semaphore.count = 0;
  }
  __abp_atomic_end();
  return 0;
}

int sem_unlink(const char *name) {
  int result = 0;
  int k;
  __abp_atomic_begin();
  k = __abp_find_named(name, 0);
  if (k == MOST) {
    errno = ENOENT;
    result = -1;
  } else {
    __abp_semaphores[k].has_name = 0;
  }
  __abp_atomic_end();
  return result;
}
