#include <pthread.h>
#include <stdlib.h>

struct settings {
  int size;
};

static struct settings memory;
static struct settings *_Atomic instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct settings *get(void) {
  if (instance == NULL) {
    pthread_mutex_lock(&lock);
    if (instance == NULL) {
      memory.size = 4;
      instance = &memory;
    }
    pthread_mutex_unlock(&lock);
  }
  return instance;
}

static void *use(void *unused) {
  return get()->size == 4 ? unused : NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, use, NULL);
  use(NULL);
  pthread_join(thread, NULL);
  return 0;
}
