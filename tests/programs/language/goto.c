// expect: true
// goto: backwards, forwards, out of nested loops, into blocks and loops, past declarations.
#include <assert.h>

static int out(void) {
  int i, j;
  for (i = 0; i < 5; i++)
    for (j = 0; j < 5; j++)
      if (i * j == 6)
        goto found;
  return -1;
found:
  return i * 10 + j;
}

static int into_loop(int n) {
  int rounds = 0;
  if (n)
    goto middle;
  for (n = 10; n > 0; n--) {
    rounds += 100;
  middle:
    rounds++;
  }
  return rounds;
}

static int into_block(int skip) {
  int r = 1;
  if (skip)
    goto inside;
  r = 2;
  {
    int local = 5;
    r += local;
  inside:
    local = 7;
    r = r * 10 + local;
  }
  return r;
}

static int retry(void) {
  int n = 0;
again:
  n++;
  {
    int fresh = 0;
    fresh++;
    assert(fresh == 1);
    if (n < 4)
      goto again;
  }
  return n;
}

static int cleanup(int fail) {
  int r = 0;
  r += 1;
  if (fail == 1)
    goto first;
  r += 2;
  if (fail == 2)
    goto second;
  r += 4;
second:
  r += 8;
first:
  r += 16;
  return r;
}

static int into_switch(int x) {
  int r = 0;
  if (x > 10)
    goto label;
  switch (x) {
  case 1:
    r = 1;
    break;
  case 2:
  label:
    r += 2;
  default:
    r += 4;
  }
  return r;
}

/* labels have a name space of their own, and belong to their function */
static int label_names(void) {
  int again = 3;
  goto again;
again:
  return again;
}

int main(void) {
  assert(out() == 23);
  assert(into_loop(2) == 2 + 100 && into_loop(0) == 1010);
  assert(into_block(1) == 17 && into_block(0) == 77);
  assert(retry() == 4 && retry() == 4);
  assert(cleanup(0) == 31 && cleanup(1) == 17 && cleanup(2) == 27);
  assert(into_switch(1) == 1 && into_switch(2) == 6 && into_switch(11) == 6 && into_switch(3) == 4);
  assert(label_names() == 3);
  goto end;
  assert(0);
end:;
  return 0;
}
