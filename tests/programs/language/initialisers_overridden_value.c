// expect: unsupported "overrides a part of a struct value"
// Compilers differ in whether the rest of `whole` is kept.
struct point { int x, y; };

int main(void) {
  struct point whole = {1, 2};
  struct point points[1] = {[0] = whole, [0].x = 7};
  return points[0].y;
}
