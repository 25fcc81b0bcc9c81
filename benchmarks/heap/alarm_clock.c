/* Alarm Clock: a clock ticks TICKS times under a monitor; each of N clients asks it once to be woken
   at a time of its own, and waits.
   Bug: the clock notifies one client instead of all, so that the wrong one may be woken. */
#include "monitor.h"

#ifndef N
#define N 2
#endif
#ifndef TICKS
#define TICKS 2
#endif

struct clock {
  struct monitor monitor;
  int now;
};

struct client {
  struct clock *clock;
  int due, woken;
};

static void *tick(void *argument) {
  struct clock *clock = argument;
  for (int i = 0; i < TICKS; i++) {
    enter(&clock->monitor);
    clock->now++;
#ifdef BUG
    notify(&clock->monitor);
#else
    notify_all(&clock->monitor);
#endif
    leave(&clock->monitor);
  }
  return 0;
}

static void *sleep_until_due(void *argument) {
  struct client *client = argument;
  struct clock *clock = client->clock;
  enter(&clock->monitor);
  while (clock->now < client->due)
    await_change(&clock->monitor);
  client->woken = clock->now;
  leave(&clock->monitor);
  return 0;
}

int main(void) {
  struct clock *clock = calloc(1, sizeof *clock);
  struct client *clients[N];
  pthread_t ticking, threads[N];
  init(&clock->monitor);
  for (int i = 0; i < N; i++) {
    clients[i] = calloc(1, sizeof *clients[i]);
    clients[i]->clock = clock;
    clients[i]->due = 1 + i % TICKS;
    pthread_create(&threads[i], 0, sleep_until_due, clients[i]);
  }
  pthread_create(&ticking, 0, tick, clock);
  pthread_join(ticking, 0);
  for (int i = 0; i < N; i++) {
    pthread_join(threads[i], 0);
    assert(clients[i]->woken >= clients[i]->due);
  }
  return 0;
}
