// expect: unsupported "floating_initialiser.c:3:15: floating-point value (type long double)"
int main(void) {
  long double unused;
  double numbers[2] = {0, 1};
  long double wide[2] = {0, numbers[1]};
  return (int)numbers[1];
}
