// expect: unknown "zero"
// Division by zero is undefined.
int main(void) {
  int n = 0;
  return 1 / n;
}
