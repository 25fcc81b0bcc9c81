/* Two pairs of threads: each pair does the same to two numbers, which the other one does not use. */
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond) {
  if (!cond) {
    reach_error();
    abort();
  }
}

extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int deep, high, height, left, right, width;

void *dig(void *unused) {
  while (deep < height)
    deep = deep + deep;
  return 0;
}

void *pile(void *unused) {
  while (high < height)
    high = high + high;
  return 0;
}

void *widen_left(void *unused) {
  while (left < width)
    left = left + left;
  return 0;
}

void *widen_right(void *unused) {
  while (right < width)
    right = right + right;
  return 0;
}

int main(void) {
  pthread_t first, second, third, fourth;
  height = __VERIFIER_nondet_uint();
  width = __VERIFIER_nondet_uint();
  deep = high = __VERIFIER_nondet_uint();
  left = right = __VERIFIER_nondet_uint();
  if (deep == 0 || left == 0)
    return 0;
  pthread_create(&first, 0, dig, 0);
  pthread_create(&second, 0, pile, 0);
  pthread_create(&third, 0, widen_left, 0);
  pthread_create(&fourth, 0, widen_right, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  pthread_join(third, 0);
  pthread_join(fourth, 0);
  __VERIFIER_assert(deep == high);
  __VERIFIER_assert(left == right);
  return 0;
}
