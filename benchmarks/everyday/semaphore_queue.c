/* A queue of one place with semaphores. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <semaphore.h>

static sem_t free_places, filled;
static char *slot;

static void *sender(void *argument) {
  char **words = argument;
  for (int i = 0; words[i] != NULL; i++) {
    sem_wait(&free_places);
    slot = words[i];
    sem_post(&filled);
  }
  return NULL;
}

int main(void) {
  char *words[] = {"one", "two", NULL};
  pthread_t thread;
  sem_init(&free_places, 0, 1);
  sem_init(&filled, 0, 0);
  pthread_create(&thread, NULL, sender, words);
  size_t length = 0;
  for (int i = 0; i < 2; i++) {
    sem_wait(&filled);
    length += strlen(slot);
    sem_post(&free_places);
  }
  pthread_join(thread, NULL);
  sem_destroy(&free_places);
  sem_destroy(&filled);
  assert(length == 6);
  return 0;
}
