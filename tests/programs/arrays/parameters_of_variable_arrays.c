// expect: true args: --property unreach-call --property valid-memsafety
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { k = 2 };

static int sum(int n, int m, int a[n][m]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s += a[i][j];
  m = 1;
  return sizeof a[0] == 3 * sizeof(int) ? s : -1;
}

static void fill(int m, int (*a)[k][m], int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < k; j++)
      for (int l = 0; l < m; l++)
        a[i][j][l] = 100 * i + 10 * j + l;
}


static int last(int n, int m, int a[static n][m + 1]) { return a[n - 1][m]; }

int main(void) {
  int a[2][3], b[2][k][3], n = 4;
  int(*c)[n + 1] = malloc(3 * sizeof *c);
  for (int i = 0; i < 6; i++)
    a[i / 3][i % 3] = i;
  assert(sum(2, 3, a) == 15);
  fill(3, b, 2);
  assert(b[1][1][2] == 112 && b[0][1][1] == 11);
  c[2][4] = 7;
  assert(last(3, n, c) == 7);
  free(c);
  return 0;
}
