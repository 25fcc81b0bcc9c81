// expect: false(valid-deref) args: --property valid-deref
int main(void) {
  long bits[4];
  int first, second;
  __asm__ volatile("rep; stosq" : "=c"(first), "=D"(second) : "a"(0), "0"(5), "1"(bits) : "memory");
  return 0;
}
