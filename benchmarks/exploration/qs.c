/* QS(N): quicksort of N elements by one thread per call. Its first task partitions and posts the
   calls for the parts; its second one runs when both are sorted, and tells the caller.
   Guessed: the elements (the pivot parts them in halves), and that the caller counts the answers.
   The depth of traces is that of the paper, whose calls are those of a tree with N leaves. */
#include "tasks.h"

#define CALLS 64

int a[N], missing[CALLS]; /* call k posts the calls 2k and 2k + 1; the first one is 1 */

static int partition(int low, int high) {
  int split = low, least = a[low], most = a[low];
  for (int i = low; i < high; i++) {
    if (a[i] < least)
      least = a[i];
    if (a[i] > most)
      most = a[i];
  }
  for (int i = low; i < high; i++)
    if (2 * a[i] < least + most) {
      int swapped = a[i];
      a[i] = a[split];
      a[split++] = swapped;
    }
  return split;
}

void *sort(void *argument) {
  int call = (int)((long)argument >> 16);
  int low = (int)((long)argument >> 8 & 255), high = (int)((long)argument & 255);
  if (high - low > 1) {
    __VERIFIER_atomic_begin();
    int middle = partition(low, high);
    missing[call] = 2;
    post(sort, (2L * call) << 16 | low << 8 | middle);
    post(sort, (2L * call + 1) << 16 | middle << 8 | high);
    __VERIFIER_atomic_end();
  }
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(missing[call] == 0);
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
