// expect: unknown "not initialised"
#include <semaphore.h>

sem_t items;

int main(void) {
  sem_post(&items);
  return 0;
}
