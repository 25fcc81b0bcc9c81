// expect: false(unreach-call) args: --error-function reach_error
/* The call of a function is the error, whoever calls it: through a pointer, too, and whatever its
   body in the program does. */
void reach_error(void) {}
int main(void) {
  void (*f)(void) = reach_error;
  f();
  return 0;
}
