// expect: unsupported "size of"
#include <assert.h>
#include <semaphore.h>
#include <string.h>

static char room[100];

int main(void) {
  char *at = room + sizeof(sem_t);
  memset(at, 1, 1);
  assert(room[40] == 1);
  return 0;
}
