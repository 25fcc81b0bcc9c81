// expect: true
// printf and friends have no effect of their own, but their arguments are evaluated.
#include <assert.h>
#include <stdio.h>

static int calls;
static int call(int x) {
  calls++;
  return x;
}

int main(void) {
  int i = 0;
  printf("%d %d %s\n", i++, call(3), "text");
  assert(i == 1 && calls == 1);
  fprintf(stderr, "%d", call(i += 2));
  assert(i == 3 && calls == 2);
  puts((call(1), "x"));
  putchar('a' + call(1));
  fflush(stdout);
  assert(calls == 4);
  (void)printf("%p %ld\n", (void *)&i, (long)call(4));
  assert(calls == 5);
  return 0;
}
