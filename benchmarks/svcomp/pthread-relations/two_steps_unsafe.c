/* One thread takes steps of one, the other of three, equally many. */
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond) {
  if (!cond) {
    reach_error();
    abort();
  }
}

extern int __VERIFIER_nondet_int(void);

int rounds, near, far;

void *by_one(void *unused) {
  for (int i = 0; i < rounds; i++)
    near = near + 1;
  return 0;
}

void *by_three(void *unused) {
  for (int i = 0; i < rounds; i++)
    far = far + 3;
  return 0;
}

int main(void) {
  pthread_t first, second;
  rounds = __VERIFIER_nondet_int();
  if (rounds < 0 || rounds > 100000)
    return 0;
  pthread_create(&first, 0, by_one, 0);
  pthread_create(&second, 0, by_three, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  __VERIFIER_assert(far != 6 || near != 2);
  return 0;
}
