// Two workers take jobs from a list until it is closed. A worker that wakes up does not look again whether
// there is a job, and only one worker is told of the end; with -D FIXED neither is so.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef FIXED
#define WHEN while
#define TELL pthread_cond_broadcast
#else
#define WHEN if
#define TELL pthread_cond_signal
#endif

struct job {
  int number;
  struct job *next;
};
static struct job *jobs;
static int closed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *work(void *unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    WHEN(jobs == NULL && !closed) pthread_cond_wait(&changed, &lock);
    if (closed && jobs == NULL) {
      pthread_mutex_unlock(&lock);
      return unused;
    }
    struct job *mine = jobs;
    jobs = mine->next;
    pthread_mutex_unlock(&lock);
    printf("job %d\n", mine->number);
    free(mine);
  }
}

int main(void) {
  pthread_t workers[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&workers[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) {
    struct job *one = malloc(sizeof *one);
    one->number = i;
    pthread_mutex_lock(&lock);
    one->next = jobs;
    jobs = one;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&lock);
  closed = 1;
  TELL(&changed);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 2; i++)
    pthread_join(workers[i], NULL);
  return 0;
}
