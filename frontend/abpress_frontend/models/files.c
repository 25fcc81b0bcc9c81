/* Descriptors (POSIX 2.5.1, open, read, write, close, pipe, poll). What is read from a file is arbitrary, and
   calls may fail. A pipe is a queue of bytes: a read waits for a byte, or for the last writer to close.
   Bounds of the tool: the numbers below, standard descriptors that are closed, and what would raise
   SIGPIPE. A write to a pipe never waits, as 64 kB have room in one (Linux). */
#include <abpress.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#define DESCRIPTORS 16
#define PIPES 4
#define ROOM 32
#define POLLED 4

#define FREE 0
#define A_FILE 1
#define READ_END(number) (2 + 2 * (number))
#define WRITE_END(number) (3 + 2 * (number))

static signed char __abp_descriptors[DESCRIPTORS] = {A_FILE, A_FILE, A_FILE};
static int __abp_pipes;
static struct {
  int writers;
  int readers;
  int begin;
  int end;
  char bytes[ROOM];
} __abp_pipe[PIPES];

/* The lowest free descriptor, which it takes; in an atomic block. */
static int __abp_descriptor(int kind) {
  int i = 0;
  while (i < DESCRIPTORS && __abp_descriptors[i] != FREE)
    i++;
  if (i == DESCRIPTORS)
    __abp_cut("more than 16 descriptors are open");
  __abp_descriptors[i] = (signed char)kind;
  return i;
}

/* What a descriptor is of; FREE if it is not open. */
static int __abp_kind(int descriptor) {
  if (descriptor < 0 || descriptor >= DESCRIPTORS)
    return FREE;
  return __abp_descriptors[descriptor];
}

int __abp_is_open(int descriptor) { return __abp_kind(descriptor) != FREE; }

int __abp_is_file(int descriptor) { return __abp_kind(descriptor) == A_FILE; }

int __abp_open_file(void) {
  int descriptor;
  if (__abp_fails())
    return -1;
  __abp_atomic_begin();
  descriptor = __abp_descriptor(A_FILE);
  __abp_atomic_end();
  return descriptor;
}

int open(const char *path, int flags, ...) {
  __abp_read_text(path);
  return __abp_open_file();
}

int creat(const char *path, mode_t mode) {
  __abp_read_text(path);
  return __abp_open_file();
}

int openat(int directory, const char *path, int flags, ...) {
  __abp_read_text(path);
  return __abp_open_file();
}

int pipe(int descriptors[2]) {
  int number;
  int from;
  int to;
  if (__abp_fails())
    return -1;
  __abp_atomic_begin();
  number = __abp_pipes;
  if (number == PIPES)
    __abp_cut("more than 4 pipes are made");
  __abp_pipes = number + 1;
  __abp_pipe[number].readers = 1;
  __abp_pipe[number].writers = 1;
  from = __abp_descriptor(READ_END(number));
  to = __abp_descriptor(WRITE_END(number));
  __abp_atomic_end();
  descriptors[0] = from;
  descriptors[1] = to;
  return 0;
}

int close(int descriptor) {
  int kind;
  if (descriptor >= 0 && descriptor <= 2)
    __abp_cut("a standard descriptor is closed");
  __abp_atomic_begin();
  kind = __abp_kind(descriptor);
  if (kind != FREE) {
    if (__abp_polls)
      __abp_watch_no_more(descriptor);
    __abp_descriptors[descriptor] = FREE;
    if (kind != A_FILE && kind % 2 == 0)
      __abp_pipe[kind / 2 - 1].readers--;
    if (kind != A_FILE && kind % 2 == 1)
      __abp_pipe[kind / 2 - 1].writers--;
  }
  __abp_atomic_end();
  if (kind == FREE) {
    errno = EBADF;
    return -1;
  }
  return kind == A_FILE && __abp_fails() ? -1 : 0;
}

/* One more descriptor of what a descriptor is of, at a number that is given or the lowest free one. */
static int __abp_another(int descriptor, int target) {
  int kind;
  int before = FREE;
  if (target >= 0 && target <= 2 && target != descriptor)
    __abp_cut("a standard descriptor is closed");
  if (__abp_polls)
    __abp_cut("a descriptor is duplicated in a program with epoll");
  if (target >= DESCRIPTORS)
    __abp_cut("a descriptor beyond the 16 that are known");
  __abp_atomic_begin();
  kind = __abp_kind(descriptor);
  if (kind != FREE && target != descriptor) {
    if (target < 0) {
      target = __abp_descriptor(kind);
    } else {
      before = __abp_descriptors[target];
      __abp_descriptors[target] = (signed char)kind;
    }
    if (kind != A_FILE && kind % 2 == 0)
      __abp_pipe[kind / 2 - 1].readers++;
    if (kind != A_FILE && kind % 2 == 1)
      __abp_pipe[kind / 2 - 1].writers++;
    if (before != FREE && before != A_FILE && before % 2 == 0)
      __abp_pipe[before / 2 - 1].readers--;
    if (before != FREE && before != A_FILE && before % 2 == 1)
      __abp_pipe[before / 2 - 1].writers--;
  }
  __abp_atomic_end();
  if (kind == FREE) {
    errno = EBADF;
    return -1;
  }
  return target;
}

int dup(int descriptor) { return __abp_another(descriptor, -1); }

int dup2(int descriptor, int target) {
  if (target < 0) {
    errno = EBADF;
    return -1;
  }
  return __abp_another(descriptor, target);
}

int pipe2(int descriptors[2], int flags) {
  if ((flags & ~O_CLOEXEC) != 0)
    __abp_cut("a pipe that does not wait");
  return pipe(descriptors);
}

/* Flags are not kept; those that would matter for pipes are a bound. */
int fcntl(int descriptor, int command, ...) {
  int kind = __abp_kind(descriptor);
  if (kind == FREE) {
    errno = EBADF;
    return -1;
  }
  if (command == F_GETFD || command == F_GETFL)
    return (int)__abp_nondet_between(0, 04777777);
  if (command == F_SETFL && kind != A_FILE)
    __abp_cut("flags of a pipe are changed");
  if (command != F_SETFD && command != F_SETFL)
    __abp_cut("fcntl does something else than to read or set flags");
  return __abp_fails() ? -1 : 0;
}

/* Offsets are not kept: what is read is arbitrary. */
off_t lseek(int descriptor, off_t offset, int origin) {
  int kind = __abp_kind(descriptor);
  if (kind == A_FILE)
    return __abp_fails() ? -1 : (off_t)__abp_nondet_between(0, LONG_MAX);
  errno = kind == FREE ? EBADF : ESPIPE;
  return -1;
}

static ssize_t __abp_read_pipe(int number, char *target, size_t size) {
  char bytes[ROOM];
  int i;
  int count;
  if (size == 0)
    return 0;
  __abp_atomic_begin();
  if (__abp_cancels && __abp_nondet_bool()) {
    __abp_await(__abp_is_cancelled());
    __abp_atomic_end();
    __abp_act_on_cancellation();
  }
  __abp_await(__abp_pipe[number].end > __abp_pipe[number].begin || __abp_pipe[number].writers == 0);
  count = __abp_pipe[number].end - __abp_pipe[number].begin;
  if (size < (size_t)count)
    count = (int)size;
  for (i = 0; i < count; i++)
    bytes[i] = __abp_pipe[number].bytes[__abp_pipe[number].begin + i];
  __abp_pipe[number].begin = __abp_pipe[number].begin + count;
  if (__abp_pipe[number].begin == __abp_pipe[number].end) {
    __abp_pipe[number].begin = 0;
    __abp_pipe[number].end = 0;
  }
  __abp_atomic_end();
  for (i = 0; i < count; i++)
    target[i] = bytes[i];
  return count;
}

/* An error may have changed the bytes. */
ssize_t read(int descriptor, void *target, size_t size) {
  char *bytes = target;
  size_t i = 0;
  int kind = __abp_kind(descriptor);
  if (kind == FREE || (kind != A_FILE && kind % 2 == 1)) {
    errno = EBADF;
    return -1;
  }
  if (kind != A_FILE)
    return __abp_read_pipe(kind / 2 - 1, bytes, size);
  while (i < size && __abp_nondet_bool()) {
    bytes[i] = (char)__abp_nondet_between(-128, 127);
    i++;
  }
  return __abp_fails() ? -1 : (ssize_t)i;
}

static ssize_t __abp_write_pipe(int number, const char *source, size_t size) {
  char bytes[ROOM];
  size_t i;
  if (size > ROOM)
    __abp_cut("more than 32 bytes are written to a pipe");
  for (i = 0; i < size; i++)
    bytes[i] = source[i];
  __abp_atomic_begin();
  if (__abp_pipe[number].readers == 0)
    __abp_cut("a write to a pipe that nobody reads raises SIGPIPE");
  if ((size_t)__abp_pipe[number].end + size > ROOM)
    __abp_cut("more than 32 bytes are written to a pipe");
  for (i = 0; i < size; i++)
    __abp_pipe[number].bytes[(size_t)__abp_pipe[number].end + i] = bytes[i];
  __abp_pipe[number].end = __abp_pipe[number].end + (int)size;
  __abp_atomic_end();
  return (ssize_t)size;
}

ssize_t write(int descriptor, const void *source, size_t size) {
  const char *bytes = source;
  char byte;
  size_t i;
  int kind = __abp_kind(descriptor);
  if (kind == FREE || (kind != A_FILE && kind % 2 == 0)) {
    errno = EBADF;
    return -1;
  }
  if (kind != A_FILE)
    return __abp_write_pipe(kind / 2 - 1, bytes, size);
  for (i = 0; i < size; i++)
    byte = bytes[i];
  if (__abp_fails())
    return -1;
  while (i > 1 && __abp_nondet_bool())
    i--;
  return (ssize_t)i;
}

ssize_t pread(int descriptor, void *target, size_t size, off_t offset) {
  int kind = __abp_kind(descriptor);
  if (kind != FREE && kind != A_FILE) {
    errno = ESPIPE;
    return -1;
  }
  return read(descriptor, target, size);
}

ssize_t pwrite(int descriptor, const void *source, size_t size, off_t offset) {
  int kind = __abp_kind(descriptor);
  if (kind != FREE && kind != A_FILE) {
    errno = ESPIPE;
    return -1;
  }
  return write(descriptor, source, size);
}

/* Sends some bytes of a file, and none behind its end. */
ssize_t sendfile(int target, int source, off_t *offset, size_t size) {
  size_t sent = (size_t)__abp_nondet_between(0, LONG_MAX);
  if (__abp_kind(target) == FREE || __abp_kind(source) == FREE) {
    errno = EBADF;
    return -1;
  }
  if (__abp_kind(source) != A_FILE || (offset != 0 && *offset < 0)) {
    errno = EINVAL;
    return -1;
  }
  if (__abp_kind(target) != A_FILE)
    __abp_cut("sendfile into a pipe");
  if (sent > size)
    sent = size;
  if (offset != 0 && *offset > LONG_MAX - (long)sent) {
    errno = EINVAL;
    return -1;
  }
  if (__abp_fails())
    return -1;
  if (offset != 0)
    *offset += (off_t)sent;
  return (ssize_t)sent;
}

/* What poll tells of a descriptor; in an atomic block. A file may be a terminal, which is not always
   ready. */
int __abp_ready(int descriptor, int events) {
  int kind;
  int ready = 0;
  if (descriptor < 0)
    return 0;
  kind = __abp_kind(descriptor);
  if (kind == FREE)
    return POLLNVAL;
  if (__abp_polls && __abp_watches(descriptor))
    __abp_cut("poll is asked about epoll");
  if (kind == A_FILE)
    return __abp_nondet_bool() ? events & (POLLIN | POLLOUT) : 0;
  if (kind % 2 == 0) {
    if (__abp_pipe[kind / 2 - 1].end > __abp_pipe[kind / 2 - 1].begin)
      ready = events & POLLIN;
    return __abp_pipe[kind / 2 - 1].writers == 0 ? ready | POLLHUP : ready;
  }
  return __abp_pipe[kind / 2 - 1].readers == 0 ? POLLERR : events & POLLOUT;
}

/* A time-out may come at any time. */
int poll(struct pollfd *descriptors, nfds_t count, int timeout) {
  int numbers[POLLED];
  int events[POLLED];
  int found[POLLED];
  int ready = 0;
  nfds_t i;
  if (count > POLLED)
    __abp_cut("poll is asked about more than 4 descriptors");
  for (i = 0; i < count; i++) {
    numbers[i] = descriptors[i].fd;
    events[i] = descriptors[i].events;
  }
  __abp_atomic_begin();
  if (__abp_cancels && __abp_nondet_bool()) {
    __abp_await(__abp_is_cancelled());
    __abp_atomic_end();
    __abp_act_on_cancellation();
  }
  for (i = 0; i < count; i++) {
    found[i] = __abp_ready(numbers[i], events[i]);
    if (found[i] != 0)
      ready++;
  }
  __abp_await(ready > 0 || timeout >= 0);
  __abp_atomic_end();
  for (i = 0; i < count; i++)
    descriptors[i].revents = (short)found[i];
  return ready;
}
