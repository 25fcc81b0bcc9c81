// expect: true
// Members, parameters and variables that are called like functions of the library are no functions.
#include <assert.h>
#include <pthread.h>

typedef struct {
  void (*run)(int clock);
  int argument;
} task;

struct timer {
  int clock;
  int time;
};

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
task queue[2];
int first, last, total;

static void add(int clock) { total += clock; }
static void twice(int time) { total += 2 * time; }

void *worker(void *p) {
  struct timer t = {.clock = 0, .time = 1};
  pthread_mutex_lock(&m);
  while (first == last) pthread_cond_wait(&filled, &m);
  task next = queue[first++];
  next.run(next.argument + t.clock);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  int clock = 3;
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  queue[last].run = clock == 3 ? add : twice;
  queue[last].argument = clock;
  last++;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(total == 3);
  return 0;
}
