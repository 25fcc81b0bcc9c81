// expect: true
/* Compare-and-exchange in assembler, with flags and without; a counter that tells its end. */
#include <assert.h>
#include <pthread.h>

static int last;
static int references = 2;
static long owner;

static unsigned char dec_and_test(int *v) {
  unsigned char is_zero;
  __asm__ volatile("lock; decl %0; sete %1" : "+m"(*v), "=qm"(is_zero) : : "memory");
  return is_zero;
}

static long compare_exchange(long *place, long expected, long desired) {
  long found;
  __asm__ volatile("lock; cmpxchgq %2,%1"
                   : "=a"(found), "+m"(*place)
                   : "r"(desired), "0"(expected)
                   : "memory");
  return found;
}

static _Bool try_compare_exchange(long *place, long *expected, long desired) {
  _Bool done;
  __asm__ volatile("lock cmpxchgq %[new], %[at]"
                   : "=@ccz"(done), [at] "+m"(*place), "+a"(*expected)
                   : [new] "r"(desired)
                   : "memory");
  return done;
}

static void *put(void *unused) {
  if (dec_and_test(&references))
    last++;
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, put, 0);
  put(0);
  pthread_join(id, 0);
  assert(last == 1);
  assert(compare_exchange(&owner, 0, 3) == 0 && owner == 3);
  assert(compare_exchange(&owner, 0, 4) == 3 && owner == 3);
  long seen = 1;
  assert(!try_compare_exchange(&owner, &seen, 5) && seen == 3 && owner == 3);
  assert(try_compare_exchange(&owner, &seen, 5) && owner == 5);
  return 0;
}
