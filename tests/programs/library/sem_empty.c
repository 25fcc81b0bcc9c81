// expect: false(no-deadlock) args: --property no-deadlock
#include <semaphore.h>

sem_t items;

int main(void) {
  sem_init(&items, 0, 1);
  sem_wait(&items);
  sem_wait(&items);
  return 0;
}
