// expect: unknown "write to the read-only table"
// C11 6.7.3p6: writing an object that is defined const is undefined.
static const int table[2] = {1, 2};

int main(void) {
  int *p = (int *)table;
  p[1] = 3;
  return 0;
}
