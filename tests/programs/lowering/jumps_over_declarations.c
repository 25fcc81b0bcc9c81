// expect: true
#include <assert.h>

void increment(int *p) { *p = *p + 1; }

int chosen(int x) {
  int result = 0;
  switch (x) {
    int y;
  case 3:
    y = 4;
    increment(&y);
    result = y;
    break;
  case 4: {
    int z = 1;
    increment(&z);
    result = z;
  }
  }
  return result;
}

int main(void) {
  int rounds = 0;
  int k = ({
    int t = 2;
    goto inside;
  inside:
    t + 3;
  });
  assert(k == 5);
  assert(chosen(3) == 5 && chosen(4) == 2 && chosen(5) == 0);
again:
  rounds++;
  goto into;
  {
    int a[2];
  into:
    a[1] = rounds;
    increment(&a[1]);
    assert(a[1] == rounds + 1);
  }
  if (rounds < 3)
    goto again;
  return 0;
}
