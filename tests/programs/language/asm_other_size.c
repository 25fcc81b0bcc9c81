// expect: unknown "operands of another size"
/* An instruction for four bytes and an object of eight; those that are not reached may be so. */
static void add(void *object, int size) {
  switch (size) {
  case 4:
    __asm__("incl %0" : "+m"(*(int *)object));
    break;
  case 8:
    __asm__("incl %0" : "+m"(*(long *)object));
    break;
  }
}

int main(int count, char **arguments) {
  int x = 0;
  long wide = 0;
  add(&x, sizeof x);
  if (count > 1)
    add(&wide, sizeof wide);
  return x;
}
