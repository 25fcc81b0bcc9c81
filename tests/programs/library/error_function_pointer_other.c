// expect: true args: --error-function __VERIFIER_error
/* The error is the call of another function. */
void reach_error(void) {}
int main(void) {
  void (*f)(void) = reach_error;
  f();
  return 0;
}
