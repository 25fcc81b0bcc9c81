/* RAX Extended: a ring of N tasks; each waits for the event of the one before it, and then signals
   its own, ROUNDS times; an event counts how often it was signalled, and a task waits only if it has
   seen all of them. The first task signals before it waits.
   Bug: a task compares the counts before it enters the monitor, and may miss a signal. */
#include "monitor.h"

#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

struct event {
  struct monitor monitor;
  int count;
};

struct task {
  struct event *before, *mine;
  int first, seen;
};

static void wait_for(struct event *event, int seen) {
#ifdef BUG
  int missing = event->count == seen;
  enter(&event->monitor);
  if (missing)
    await_change(&event->monitor);
#else
  enter(&event->monitor);
  while (event->count == seen)
    await_change(&event->monitor);
#endif
  leave(&event->monitor);
}

static void signal_event(struct event *event) {
  enter(&event->monitor);
  event->count++;
  notify_all(&event->monitor);
  leave(&event->monitor);
}

static void *run(void *argument) {
  struct task *task = argument;
  for (int i = 0; i < ROUNDS; i++) {
    if (task->first)
      signal_event(task->mine);
    wait_for(task->before, task->seen);
    task->seen++;
    if (!task->first)
      signal_event(task->mine);
  }
  return 0;
}

int main(void) {
  struct event *events[N];
  struct task *tasks[N];
  pthread_t threads[N];
  for (int i = 0; i < N; i++) {
    events[i] = calloc(1, sizeof *events[i]);
    init(&events[i]->monitor);
  }
  for (int i = 0; i < N; i++) {
    tasks[i] = calloc(1, sizeof *tasks[i]);
    tasks[i]->before = events[(i + N - 1) % N];
    tasks[i]->mine = events[i];
    tasks[i]->first = i == 0;
    pthread_create(&threads[i], 0, run, tasks[i]);
  }
  for (int i = 0; i < N; i++) {
    pthread_join(threads[i], 0);
    assert(events[i]->count == ROUNDS);
  }
  return 0;
}
