// expect: true
// Threads that live have different numbers; that of the first is that of the process.
#include <assert.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static pid_t id;

static void *run(void *p) {
  id = (pid_t)syscall(SYS_gettid);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  assert(id != syscall(SYS_gettid));
  assert(syscall(SYS_gettid) == getpid());
  return 0;
}
