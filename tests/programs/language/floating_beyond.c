// expect: unknown "conversion of a floating-point number"
int main(void) {
  double large = 3e9;
  int converted = (int)large;
  return converted < 0;
}
