/* An object that is made when it is first wanted, with an atomic pointer. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

struct settings { int size; };
static struct settings *_Atomic instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct settings *get(void) {
  if (instance == NULL) {
    pthread_mutex_lock(&lock);
    if (instance == NULL) {
      struct settings *made = malloc(sizeof *made);
      if (made == NULL) abort();
      made->size = 4;
      instance = made;
    }
    pthread_mutex_unlock(&lock);
  }
  return instance;
}

static void *work(void *unused) {
  assert(get()->size == 4);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  free(instance);
  return 0;
}
