// expect: true
// A handler is run to its end, and so is one that pthread_exit calls: its result stays.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static _Atomic int cleaned;
static char result;

static void clean(void *unused) {
  sleep(1);
  cleaned++;
}

static void *worker(void *exits) {
  pthread_cleanup_push(clean, 0);
  if (exits)
    pthread_exit(&result);
  sleep(1);
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t first, second;
  void *found;
  int cancelled;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, &result);
  pthread_cancel(first);
  pthread_cancel(second);
  pthread_join(first, &found);
  assert(found == 0 || found == PTHREAD_CANCELED);
  cancelled = found != 0;
  pthread_join(second, &found);
  assert(found == &result && cleaned == 1 + cancelled);
  return 0;
}
