// expect: unknown "bounds"
// An access behind an array is undefined even where another variable could lie.
int reach_error();

int main(void) {
  int a[2] = {1, 2};
  int b[2] = {3, 4};
  int *p = a + 2;
  if (*p == b[0])
    return 1;
  return 0;
}
