// expect: true args: --property unreach-call --property no-deadlock --property no-misuse
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int n;

static void *work(void *p) {
  sem_t *gate = sem_open("/gate", 0);
  assert(gate != SEM_FAILED);
  sem_wait(gate);
  n++;
  sem_post(gate);
  sem_close(gate);
  return 0;
}

int main(void) {
  pthread_t thread;
  int value;
  sem_t *gate;
  assert(sem_open("/gate", 0) == SEM_FAILED && errno == ENOENT);
  gate = sem_open("/gate", O_CREAT | O_EXCL, 0600, 1);
  assert(sem_open("/gate", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
  pthread_create(&thread, 0, work, 0);
  sem_wait(gate);
  n++;
  sem_post(gate);
  pthread_join(thread, 0);
  assert(n == 2 && sem_getvalue(gate, &value) == 0 && value == 1);
  sem_wait(gate);
  sem_close(gate);
  gate = sem_open("/gate", O_CREAT, 0600, 5);
  assert(sem_trywait(gate) == -1);
  assert(sem_unlink("/gate") == 0 && sem_unlink("/gate") == -1);
  sem_post(gate);
  sem_close(gate);
  return 0;
}
