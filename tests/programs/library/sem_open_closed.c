// expect: false(no-misuse) args: --property no-misuse
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
  sem_t *gate = sem_open("/gate", O_CREAT, 0600, 1);
  sem_close(gate);
  sem_wait(gate);
  return 0;
}
