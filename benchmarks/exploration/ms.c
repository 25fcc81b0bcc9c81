/* MS(N): merge sort of N elements by one thread per call. Its first task posts the calls for the
   halves; its second one runs when both are sorted, merges them, and tells the caller.
   Guessed: the elements, and that the caller counts the answers. The depth of traces is that of the
   paper. */
#include "tasks.h"

#define CALLS 64

int a[N], missing[CALLS]; /* call k posts the calls 2k and 2k + 1; the first one is 1 */

static void merge(int low, int middle, int high) {
  int merged[N], left = low, right = middle;
  for (int i = low; i < high; i++)
    merged[i] = right == high || (left < middle && a[left] <= a[right]) ? a[left++] : a[right++];
  for (int i = low; i < high; i++)
    a[i] = merged[i];
}

void *sort(void *argument) {
  int call = (int)((long)argument >> 16);
  int low = (int)((long)argument >> 8 & 255), high = (int)((long)argument & 255);
  int middle = (low + high) / 2;
  if (high - low > 1) {
    __VERIFIER_atomic_begin();
    missing[call] = 2;
    post(sort, (2L * call) << 16 | low << 8 | middle);
    post(sort, (2L * call + 1) << 16 | middle << 8 | high);
    __VERIFIER_atomic_end();
  }
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(missing[call] == 0);
  if (high - low > 1)
    merge(low, middle, high);
  missing[call / 2]--;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++)
    a[i] = (i * 7 + 3) % 16;
  post(sort, 1L << 16 | N);
  pthread_exit(0);
}
