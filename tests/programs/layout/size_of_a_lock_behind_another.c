// expect: unsupported "size of"
#include <semaphore.h>
#include <stdlib.h>

struct table {
  sem_t lock;
};

int main(void) {
  int room[30];
  int *last = (int *)((char *)room + sizeof(struct table));
  return last == &room[10];
}
