/* epoll of Linux: descriptors that are watched until they are closed, told as poll tells of them.
   Bounds of the tool: how many there are, watching epoll itself, EPOLLET and EPOLLEXCLUSIVE for pipes,
   and descriptors that are duplicated in a program with epoll (files.c), as one is watched until the last of
   them is closed. */
#include <abpress.h>
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#define DESCRIPTORS 16
#define WATCHED 8
#define ALWAYS (EPOLLERR | EPOLLHUP)

/* Which descriptors are of epoll, and what each of those watches; 0 is of neither. */
static _Bool __abp_is_epoll[DESCRIPTORS];
static struct {
  int by;
  int descriptor;
  uint32_t events;
  epoll_data_t data;
} __abp_watched[WATCHED];

int __abp_watches(int descriptor) {
  return descriptor >= 0 && descriptor < DESCRIPTORS && __abp_is_epoll[descriptor];
}

/* A descriptor is closed; in an atomic block. */
void __abp_watch_no_more(int descriptor) {
  int i;
  for (i = 0; i < WATCHED; i++)
    if (__abp_watched[i].by == descriptor || __abp_watched[i].descriptor == descriptor)
      __abp_watched[i].by = 0;
  __abp_is_epoll[descriptor] = 0;
}

int epoll_create1(int flags) {
  int descriptor;
  if ((flags & ~EPOLL_CLOEXEC) != 0) {
    errno = EINVAL;
    return -1;
  }
  descriptor = __abp_open_file();
  if (descriptor >= 0)
    __abp_is_epoll[descriptor] = 1;
  return descriptor;
}

int epoll_create(int size) {
  if (size <= 0) {
    errno = EINVAL;
    return -1;
  }
  return epoll_create1(0);
}

/* The place of what is watched, or that is free; WATCHED if there is none. In an atomic block. */
static int __abp_watch_at(int epoll, int descriptor) {
  int i = 0;
  while (i < WATCHED && (__abp_watched[i].by != epoll || __abp_watched[i].descriptor != descriptor))
    i++;
  return i;
}

static int __abp_free_watch(void) {
  int i = 0;
  while (i < WATCHED && __abp_watched[i].by != 0)
    i++;
  if (i == WATCHED)
    __abp_cut("epoll watches more than 8 descriptors");
  return i;
}

/* In an atomic block: the number of the error, or 0. */
static int __abp_watch(int epoll, int operation, int descriptor, uint32_t events, epoll_data_t data) {
  int at;
  if (!__abp_is_open(epoll) || !__abp_is_open(descriptor))
    return EBADF;
  if (!__abp_watches(epoll) || epoll == descriptor)
    return EINVAL;
  at = __abp_watch_at(epoll, descriptor);
  if (operation == EPOLL_CTL_ADD ? at < WATCHED : at == WATCHED)
    return operation == EPOLL_CTL_ADD ? EEXIST : ENOENT;
  if (operation == EPOLL_CTL_DEL) {
    __abp_watched[at].by = 0;
    return 0;
  }
  if (operation != EPOLL_CTL_ADD && operation != EPOLL_CTL_MOD)
    return EINVAL;
  if (__abp_watches(descriptor))
    __abp_cut("epoll watches epoll");
  if ((events & (EPOLLET | EPOLLEXCLUSIVE)) != 0 && !__abp_is_file(descriptor))
    __abp_cut("epoll watches a pipe with EPOLLET or EPOLLEXCLUSIVE");
  if (operation == EPOLL_CTL_ADD) {
    if (__abp_nondet_bool())
      return __abp_nondet_bool() ? ENOMEM : EPERM;
    at = __abp_free_watch();
    __abp_watched[at].by = epoll;
    __abp_watched[at].descriptor = descriptor;
  }
  __abp_watched[at].events = events;
  __abp_watched[at].data = data;
  return 0;
}

int epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event) {
  struct epoll_event given = {0};
  int error;
  if (operation != EPOLL_CTL_DEL)
    given = *event;
  __abp_atomic_begin();
  error = __abp_watch(epoll, operation, descriptor, given.events, given.data);
  __abp_atomic_end();
  if (error == 0)
    return 0;
  errno = error;
  return -1;
}

/* What is told of one that is watched. With EPOLLONESHOT it is told once. In an atomic block. */
static uint32_t __abp_happened(int at) {
  uint32_t asked = __abp_watched[at].events;
  uint32_t found;
  if ((asked & ~(EPOLLONESHOT | EPOLLET)) == 0 && (asked & EPOLLONESHOT) != 0)
    return 0; /* told already */
  found = (uint32_t)__abp_ready(__abp_watched[at].descriptor, (int)(asked & (POLLIN | POLLOUT)));
  if (__abp_is_file(__abp_watched[at].descriptor) && __abp_nondet_bool())
    found = found | (asked & (EPOLLPRI | EPOLLRDHUP)) | (__abp_nondet_bool() ? ALWAYS : 0);
  return found;
}

/* All that are ready are told, or as many as there is room for, in any order. A time-out may come at
   any time. */
int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout) {
  struct epoll_event found[WATCHED];
  uint32_t happened[WATCHED];
  uint32_t ready = 0;
  int count = 0;
  int i;
  if (!__abp_is_open(epoll)) {
    errno = EBADF;
    return -1;
  }
  if (most <= 0 || !__abp_watches(epoll)) {
    errno = EINVAL;
    return -1;
  }
  __abp_atomic_begin();
  if (__abp_cancels && __abp_nondet_bool()) {
    __abp_await(__abp_is_cancelled());
    __abp_atomic_end();
    __abp_act_on_cancellation();
  }
  for (i = 0; i < WATCHED; i++) {
    happened[i] = __abp_watched[i].by == epoll ? __abp_happened(i) : 0;
    if (happened[i] != 0)
      ready = ready | 1u << i;
  }
  while (count < most && ready != 0) {
    i = (int)__abp_nondet_between(0, WATCHED - 1);
    __abp_assume((ready >> i & 1) != 0);
    ready = ready & ~(1u << i);
    found[count].events = happened[i];
    found[count].data = __abp_watched[i].data;
    count++;
    if ((__abp_watched[i].events & EPOLLONESHOT) != 0)
      __abp_watched[i].events = EPOLLONESHOT;
  }
  __abp_await(count > 0 || timeout >= 0);
  __abp_atomic_end();
  for (i = 0; i < count; i++)
    events[i] = found[i];
  return count;
}
