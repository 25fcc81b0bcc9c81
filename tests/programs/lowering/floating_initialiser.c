// expect: unsupported "floating_initialiser.c:4:10: floating-point value (type double)"
int main(void) {
  double unused;
  double numbers[2] = {0, 1};
  return (int)numbers[1];
}
