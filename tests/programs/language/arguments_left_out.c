// expect: unsupported "argument 2 of __builtin_expect"
// Compilers do not evaluate what is expected of a constant.
int main(void) {
  int x = 0;
  __builtin_expect(1, x++);
  return x;
}
