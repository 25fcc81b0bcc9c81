/* Sockets and select (POSIX 2.10, sys/socket.h, sys/select.h). A socket is as a file of
   files.c: what comes from it is arbitrary, and calls may fail. No call waits for a peer. */
#include <abpress.h>
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* The largest address that is filled in: that of IPv6. */
#define ADDRESS 28
#define SELECTED 4

/* -1, with an error, for what is not open; else 0, or -1 as well if the call `fails`. */
static int __abp_socket_call(int descriptor, int fails) {
  if (!__abp_is_open(descriptor)) {
    errno = EBADF;
    return -1;
  }
  return fails ? __abp_any_error() : 0;
}

static void __abp_read_bytes(const void *source, size_t size) {
  const char *bytes = source;
  char byte;
  size_t i;
  if (__abp_reads_text)
    for (i = 0; i < size; i++)
      byte = bytes[i];
}

/* An address of any bytes, and of at most the size that there is room for. */
static void __abp_write_address(struct sockaddr *address, socklen_t *size) {
  char unknown[ADDRESS];
  char *bytes = (char *)address;
  socklen_t room;
  socklen_t i;
  if (address == 0)
    return;
  room = *size;
  if (room == sizeof(struct sockaddr_in)) { /* member by member, which may have had no values */
    struct sockaddr_in any;
    *(struct sockaddr_in *)address = any;
  } else {
    for (i = 0; i < room && i < ADDRESS; i++)
      bytes[i] = unknown[i];
  }
  *size = __abp_nondet_bool() ? 16 : ADDRESS;
}

int socket(int domain, int type, int protocol) { return __abp_open_file(); }

int bind(int descriptor, const struct sockaddr *address, socklen_t size) {
  __abp_read_bytes(address, size);
  return __abp_socket_call(descriptor, __abp_nondet_bool());
}

int listen(int descriptor, int backlog) {
  return __abp_socket_call(descriptor, __abp_nondet_bool());
}

int accept(int descriptor, struct sockaddr *address, socklen_t *size) {
  int accepted;
  if (__abp_socket_call(descriptor, 0) != 0)
    return -1;
  accepted = __abp_open_file();
  if (accepted >= 0)
    __abp_write_address(address, size);
  return accepted;
}

int connect(int descriptor, const struct sockaddr *address, socklen_t size) {
  __abp_read_bytes(address, size);
  return __abp_socket_call(descriptor, __abp_nondet_bool());
}

int shutdown(int descriptor, int how) {
  return __abp_socket_call(descriptor, __abp_nondet_bool());
}

ssize_t send(int descriptor, const void *source, size_t size, int flags) {
  return write(descriptor, source, size);
}

ssize_t recv(int descriptor, void *target, size_t size, int flags) {
  return read(descriptor, target, size);
}

ssize_t sendto(int descriptor, const void *source, size_t size, int flags,
               const struct sockaddr *address, socklen_t address_size) {
  if (address != 0)
    __abp_read_bytes(address, address_size);
  return write(descriptor, source, size);
}

ssize_t recvfrom(int descriptor, void *target, size_t size, int flags, struct sockaddr *address,
                 socklen_t *address_size) {
  ssize_t count = read(descriptor, target, size);
  if (count >= 0)
    __abp_write_address(address, address_size);
  return count;
}

static int __abp_address_of(int descriptor, struct sockaddr *address, socklen_t *size) {
  int result = __abp_socket_call(descriptor, __abp_nondet_bool());
  if (result == 0)
    __abp_write_address(address, size);
  return result;
}

int getsockname(int descriptor, struct sockaddr *address, socklen_t *size) {
  return __abp_address_of(descriptor, address, size);
}

int getpeername(int descriptor, struct sockaddr *address, socklen_t *size) {
  return __abp_address_of(descriptor, address, size);
}

int setsockopt(int descriptor, int level, int option, const void *value, socklen_t size) {
  __abp_read_bytes(value, size);
  return __abp_socket_call(descriptor, __abp_nondet_bool());
}

/* A number, but for those that are told by structs; any value. */
int getsockopt(int descriptor, int level, int option, void *value, socklen_t *size) {
  socklen_t room = *size;
  socklen_t needed = sizeof(int);
  if (__abp_socket_call(descriptor, __abp_nondet_bool()) != 0)
    return -1;
  if (level == SOL_SOCKET && option == SO_LINGER)
    needed = sizeof(struct linger);
  else if (level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO))
    needed = sizeof(struct timeval);
  if (needed == sizeof(int) ? room != needed : room < needed)
    __abp_cut("getsockopt tells an option that is no number, or that there is no room for");
  if (needed == sizeof(int)) {
    int number;
    *(int *)value = number;
  } else if (option == SO_LINGER) {
    struct linger lingers;
    *(struct linger *)value = lingers;
  } else {
    struct timeval time;
    *(struct timeval *)value = time;
  }
  *size = needed;
  return 0;
}

uint32_t htonl(uint32_t number) { return __builtin_bswap32(number); }

uint16_t htons(uint16_t number) { return __builtin_bswap16(number); }

uint32_t ntohl(uint32_t number) { return __builtin_bswap32(number); }

uint16_t ntohs(uint16_t number) { return __builtin_bswap16(number); }

/* Bits `from` of a set; none of a set that is not given. */
static int __abp_member(const fd_set *set, int number) {
  return set != 0 && FD_ISSET(number, set);
}

/* As poll, of which it is made. Linux may write to the time that is left: nothing, or what was. */
int select(int limit, fd_set *reading, fd_set *writing, fd_set *others, struct timeval *timeout) {
  struct pollfd asked[SELECTED];
  nfds_t count = 0;
  nfds_t i;
  int number;
  int found;
  int result = 0;
  if (limit < 0 || limit > FD_SETSIZE) {
    errno = EINVAL;
    return -1;
  }
  for (number = 0; number < limit; number++) {
    int events = __abp_member(reading, number) ? POLLIN : 0;
    if (__abp_member(writing, number))
      events = events | POLLOUT;
    if (events == 0 && !__abp_member(others, number))
      continue;
    if (!__abp_is_open(number)) {
      errno = EBADF;
      return -1;
    }
    if (count == SELECTED)
      __abp_cut("select is asked about more than 4 descriptors");
    asked[count].fd = number;
    asked[count].events = (short)events;
    count++;
  }
  found = poll(asked, count, timeout == 0 ? -1 : 0);
  if (timeout != 0 && __abp_nondet_bool()) {
    timeout->tv_sec = 0;
    timeout->tv_usec = 0;
  }
  if (reading != 0)
    FD_ZERO(reading);
  if (writing != 0)
    FD_ZERO(writing);
  if (others != 0)
    FD_ZERO(others);
  for (i = 0; i < count && found > 0; i++) {
    if ((asked[i].events & POLLIN) != 0 && (asked[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
      FD_SET(asked[i].fd, reading);
      result++;
    }
    if ((asked[i].events & POLLOUT) != 0 && (asked[i].revents & (POLLOUT | POLLERR)) != 0) {
      FD_SET(asked[i].fd, writing);
      result++;
    }
  }
  return result;
}

/* Ends the program as abort does, for what is no descriptor of a set. */
long __fdelt_chk(long descriptor) {
  if (descriptor < 0 || descriptor >= FD_SETSIZE)
    __abp_exit("abort");
  return descriptor / (8 * (long)sizeof(long));
}

long __fdelt_warn(long descriptor) { return __fdelt_chk(descriptor); }
