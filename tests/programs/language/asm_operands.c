// expect: false(unreach-call)
/* The operands of assembler are evaluated. */
void reach_error(void);
int main(void) {
  int n = 0;
  __asm__ volatile("" : : "r"(n++), [x] "i"(3) : "memory");
  if (n == 1)
    reach_error();
  return 0;
}
