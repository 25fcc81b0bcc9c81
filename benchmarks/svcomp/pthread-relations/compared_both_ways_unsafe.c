/* Equal letters are less in one of the directions. */
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

int *a, *b;
int n, ab, ba;

int *filled(void) {
  int *text = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++)
    text[i] = __VERIFIER_nondet_int();
  return text;
}

void *compare(void *unused) {
  for (int i = 0; i < n && ab == 0; i++)
    if (a[i] < b[i])
      ab = -1;
    else if (a[i] > b[i])
      ab = 1;
  return 0;
}

void *compare_back(void *unused) {
  for (int i = 0; i < n && ba == 0; i++)
    if (b[i] <= a[i])
      ba = -1;
    else if (b[i] > a[i])
      ba = 1;
  return 0;
}

int main(void) {
  pthread_t t1, t2;
  n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000)
    abort();
  a = filled();
  b = filled();
  pthread_create(&t1, 0, compare, 0);
  pthread_create(&t2, 0, compare_back, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  __VERIFIER_assert(ab == -ba);
  return 0;
}
