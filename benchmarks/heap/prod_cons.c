/* Prod-Cons: N items go from a producer to a consumer through a buffer with one place.
   Bug: the consumer looks at the buffer before it enters the monitor. */
#include "monitor.h"

#ifndef N
#define N 3
#endif

struct item {
  int number;
};

struct buffer {
  struct monitor monitor;
  struct item *place;
};

static void *produce(void *argument) {
  struct buffer *buffer = argument;
  for (int i = 1; i <= N; i++) {
    struct item *item = calloc(1, sizeof *item);
    item->number = i;
    enter(&buffer->monitor);
    while (buffer->place)
      await_change(&buffer->monitor);
    buffer->place = item;
    notify(&buffer->monitor);
    leave(&buffer->monitor);
  }
  return 0;
}

static void *consume(void *argument) {
  struct buffer *buffer = argument;
  for (int i = 1; i <= N; i++) {
#ifdef BUG
    struct item *item = buffer->place;
    enter(&buffer->monitor);
#else
    enter(&buffer->monitor);
    while (!buffer->place)
      await_change(&buffer->monitor);
    struct item *item = buffer->place;
#endif
    buffer->place = 0;
    notify(&buffer->monitor);
    leave(&buffer->monitor);
    assert(item && item->number == i);
  }
  return 0;
}

int main(void) {
  struct buffer *buffer = calloc(1, sizeof *buffer);
  pthread_t producer, consumer;
  init(&buffer->monitor);
  pthread_create(&producer, 0, produce, buffer);
  pthread_create(&consumer, 0, consume, buffer);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
  return 0;
}
