// expect: false(no-data-race) args: --property no-data-race
#include <pthread.h>
#include <sys/stat.h>

static struct stat shared;

static void *work(void *unused) {
  fstatat(-100, "a", &shared, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  return (int)shared.st_size;
}
