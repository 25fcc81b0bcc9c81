// expect: true
/* Inputs and assumptions through pointers are those of direct calls. */
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  void (*assume)(int) = __VERIFIER_assume;
  unsigned char (*input)(void) = __VERIFIER_nondet_uchar;
  unsigned char x = input();
  assume(x < 5);
  if (x > 4)
    reach_error();
  return 0;
}
