// expect: false(no-overflow) "signed overflow" args: --property no-overflow
// The input is an action, the condition behind it is none: the overflow is where the condition is.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  if (x + 1 > 9)
    y = 1;
  return y;
}
