// expect: unsupported "floating_initialiser.c:5:14: floating-point value (type _Float128)"
int main(void) {
  __float128 unused;
  double numbers[2] = {0, 1};
  __float128 wide[2] = {0, numbers[1]};
  return (int)numbers[1];
}
