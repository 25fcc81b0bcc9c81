// expect: unknown
// The object of a finished block is gone, also where the frame is entered again.
static int *keep(void) {
  int local = 3;
  int *p = &local;
  return p;
}

int main(void) {
  int *p = keep();
  return *p;
}
