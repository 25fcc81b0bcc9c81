/* A ring of two numbers between a producer and a consumer. */
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 2
#define COUNT 3

static int ring[SIZE];
static unsigned head, tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void put(int value) {
  pthread_mutex_lock(&lock);
  while (head - tail == SIZE) pthread_cond_wait(&not_full, &lock);
  ring[head++ % SIZE] = value;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
}

static int take(void) {
  pthread_mutex_lock(&lock);
  while (head == tail) pthread_cond_wait(&not_empty, &lock);
  int value = ring[tail++ % SIZE];
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&lock);
  return value;
}

static void *producer(void *unused) {
  (void)unused;
  for (int i = 1; i <= COUNT; i++) put(i);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, producer, NULL);
  int sum = 0;
  for (int i = 0; i < COUNT; i++) {
    int value = take();
    assert(value == i + 1);
    sum += value;
  }
  pthread_join(thread, NULL);
  printf("sum %d\n", sum);
  assert(sum == COUNT * (COUNT + 1) / 2);
  return 0;
}
