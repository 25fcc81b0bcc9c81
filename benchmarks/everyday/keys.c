/* A buffer for each thread, freed by the destructor of its key. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static pthread_key_t key;

static char *buffer(void) {
  char *mine = pthread_getspecific(key);
  if (mine == NULL) {
    mine = calloc(8, 1);
    if (mine == NULL) abort();
    pthread_setspecific(key, mine);
  }
  return mine;
}

static void *work(void *argument) {
  strncpy(buffer(), argument, 7);
  assert(strcmp(buffer(), argument) == 0);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_key_create(&key, free);
  pthread_create(&a, NULL, work, "left");
  pthread_create(&b, NULL, work, "right");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_key_delete(key);
  return 0;
}
