// expect: unsupported "argument 2 of __builtin_expect"
// Compilers do not evaluate what a builtin wants to be a constant.
int main(void) {
  int x = 0;
  __builtin_expect(1, x++);
  return x;
}
