// expect: unknown "NULL"
// A load whose value is not used faults all the same.
int main(void) {
  int *nowhere = 0;
  *nowhere;
  return 0;
}
