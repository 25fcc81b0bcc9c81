// expect: unsupported "size of"
#include <assert.h>
#include <semaphore.h>
#include <string.h>

static char room[100];

int main(void) {
  memset(room + sizeof(sem_t), 1, 1);
  assert(room[40] == 1);
  return 0;
}
