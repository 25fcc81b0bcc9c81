/* Memory without a file (mmap of Linux): zero, as large as is asked for, and released by munmap as a
   whole. Files, fixed addresses, memory that is not to be written and parts of what was mapped are a
   bound of the tool. */
#include <abpress.h>
#include <errno.h>
#include <sys/mman.h>

#define MOST 8
#define PAGE 4096

static void *__abp_maps[MOST];
static size_t __abp_map_sizes[MOST];

void __abp_note_map(void *address, size_t length) {
  int k = 0;
  __abp_atomic_begin();
  while (k < MOST && __abp_maps[k] != 0)
    k++;
  if (k == MOST)
    __abp_cut("more than 8 mappings");
  __abp_maps[k] = address;
  __abp_map_sizes[k] = (length + PAGE - 1) / PAGE;
  __abp_atomic_end();
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  if ((flags & MAP_ANONYMOUS) == 0)
    __abp_cut("a file is mapped into memory");
  if ((flags & MAP_FIXED) != 0)
    __abp_cut("memory is mapped at a fixed address");
  if ((protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
    __abp_cut("memory is mapped that may not be read or written");
  if (length == 0) {
    errno = EINVAL;
    return MAP_FAILED;
  }
  if (__abp_malloc_may_fail && __abp_nondet_bool()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return __abp_map(length);
}

int munmap(void *address, size_t length) {
  void *found;
  int k = 0;
  __abp_atomic_begin();
  while (k < MOST && __abp_maps[k] != address)
    k++;
  if (address == 0 || k == MOST || __abp_map_sizes[k] != (length + PAGE - 1) / PAGE)
    __abp_cut("something else is unmapped than was mapped");
  found = __abp_maps[k];
  __abp_maps[k] = 0;
  __abp_map_sizes[k] = 0;
  __abp_atomic_end();
  __abp_unmap(found);
  return 0;
}

/* Where the system refuses, errno is one of these. */
static int __abp_may_refuse(void) {
  if (!__abp_nondet_bool())
    return 0;
  errno = __abp_nondet_bool() ? ENOMEM : EPERM;
  return -1;
}

int mlock(const void *address, size_t length) { return __abp_may_refuse(); }

int munlock(const void *address, size_t length) { return __abp_may_refuse(); }

int mlockall(int flags) { return __abp_may_refuse(); }

int munlockall(void) { return __abp_may_refuse(); }

/* As a file, which may not be mapped. */
int shm_open(const char *name, int flags, mode_t mode) {
  __abp_read_text(name);
  return __abp_open_file();
}

int shm_unlink(const char *name) {
  __abp_read_text(name);
  return __abp_fails() ? -1 : 0;
}

/* MADV_DONTNEED forgets what was there; the others are hints. */
int madvise(void *address, size_t length, int advice) {
  if (advice == MADV_DONTNEED || advice > MADV_DONTNEED)
    __abp_cut("advice on memory that may change it");
  return __abp_may_refuse();
}
