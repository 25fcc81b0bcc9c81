/* The lock is let go while a token is on its way. */
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

static void __VERIFIER_assert(int cond) {
  if (!cond) {
    reach_error();
    abort();
  }
}

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int n, left, right, total;

void *to(void *unused) {
  for (int i = 0; i < n; i++) {
    pthread_mutex_lock(&lock);
    if (left > 0) {
      left--;
      pthread_mutex_unlock(&lock);
      pthread_mutex_lock(&lock);
      right++;
    }
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

void *fro(void *unused) {
  for (int i = 0; i < n; i++) {
    pthread_mutex_lock(&lock);
    if (right > 0) {
      right--;
      left++;
    }
    __VERIFIER_assert(left + right == total);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t t1, t2;
  n = __VERIFIER_nondet_int();
  total = left = __VERIFIER_nondet_int();
  if (total < 0 || total > 100000)
    abort();
  pthread_create(&t1, 0, to, 0);
  pthread_create(&t2, 0, fro, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
