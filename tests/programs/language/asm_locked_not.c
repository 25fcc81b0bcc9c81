// expect: false(unreach-call)
/* NOTE(assembler): without a lock prefix an instruction that changes memory reads it first. */
#include <assert.h>
#include <pthread.h>

int counter;

static void *count(void *unused) {
  __asm__ volatile("incl %0" : "+m"(counter));
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, count, 0);
  count(0);
  pthread_join(id, 0);
  assert(counter == 2);
  return 0;
}
