// expect: false(unreach-call)
/* NOTE(assembler): the flag of a counter that two threads decrease without a lock prefix. */
#include <assert.h>
#include <pthread.h>

static int references = 2;
static int ends;

static void *put(void *unused) {
  unsigned char is_zero;
  __asm__ volatile("decl %0; sete %1" : "+m"(references), "=qm"(is_zero) : : "memory");
  if (is_zero)
    __sync_fetch_and_add(&ends, 1);
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, put, 0);
  put(0);
  pthread_join(id, 0);
  assert(ends == 1);
  return 0;
}
