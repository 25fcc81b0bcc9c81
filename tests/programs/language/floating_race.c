// expect: false(no-data-race) args: --property no-data-race
#include <pthread.h>
#include <stdio.h>

static double speed;

static void *drive(void *argument) {
  speed = 1.5;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, drive, 0);
  printf("%f\n", speed);
  pthread_join(thread, 0);
  return 0;
}
