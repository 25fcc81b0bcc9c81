// expect: false(unreach-call) args: --property unreach-call
// cause: stale value
// The owner of a deque takes the last task without looking whether it is stolen meanwhile.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top, bottom;
static int tasks[2];
static int done[2];

static void work(int task) {
  done[task]++;
  assert(done[task] == 1);
}

static int take(void) {
  int last = bottom - 1;
  bottom = last;
  int first = top;  // <-
  return first <= last ? tasks[last] : -1;
}

static int steal(void) {
  int first = top;
  if (first >= bottom)
    return -1;
  int task = tasks[first];
  return atomic_compare_exchange_strong(&top, &first, first + 1) ? task : -1;  // <-
}

static void *thief(void *arg) {
  int task = steal();
  if (task >= 0)
    work(task);
  return arg;
}

int main(void) {
  pthread_t a;
  tasks[1] = 1;
  bottom = 2;
  pthread_create(&a, 0, thief, 0);
  for (int task = take(); task >= 0; task = take())
    work(task);
  pthread_join(a, 0);
  return 0;
}
