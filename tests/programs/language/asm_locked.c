// expect: true
/* Instructions with a lock prefix, and an exchange with memory, are one step each. */
#include <assert.h>
#include <pthread.h>

#define LOCK_PREFIX \
  ".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; "

int counter, taken;
unsigned long words[2];

static int add_return(int *v, int i) {
  int before = i;
  __asm__ volatile(LOCK_PREFIX "xaddl %0, %1\n" : "+r"(i), "+m"(*v) : : "memory", "cc");
  return before + i;
}

static int exchange(int *v, int x) {
  __asm__ volatile("xchgl %0,%1" : "=r"(x) : "m"(*v), "0"(x) : "memory");
  return x;
}

static int test_and_set(int nr, volatile unsigned long *word) {
  int old;
  __asm__ volatile(LOCK_PREFIX "bts %2,%1\n\tsbb %0,%0"
                   : "=r"(old), "+m"(*(volatile long *)word)
                   : "Ir"(nr)
                   : "memory");
  return old;
}

static void *count(void *unused) {
  __asm__ volatile(LOCK_PREFIX "incl %0" : "+m"(counter));
  add_return(&counter, 2);
  if (exchange(&taken, 1) == 0)
    assert(!test_and_set(70, words)); /* a bit of the second word */
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, count, 0);
  count(0);
  pthread_join(id, 0);
  assert(counter == 6 && words[1] == 1ul << 6);
  return 0;
}
