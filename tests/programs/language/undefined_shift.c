// expect: unknown "shift"
// A shift by the width or more is undefined.
int main(void) {
  int n = 32;
  return 1u << n;
}
