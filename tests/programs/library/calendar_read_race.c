// expect: false(no-data-race) args: --property no-data-race
#include <pthread.h>
#include <time.h>

static struct tm parts;

static void *work(void *unused) {
  time_t now = 0;
  localtime_r(&now, &parts);
  return unused;
}

int main(void) {
  pthread_t thread;
  char text[9];
  pthread_create(&thread, 0, work, 0);
  strftime(text, sizeof text, "%H:%M:%S", &parts);
  pthread_join(thread, 0);
  return 0;
}
