// expect: false(unreach-call)
/* A function of the verifier that the program only declares is known through pointers, too. */
extern void reach_error(void);
int main(void) {
  void (*f)(void) = reach_error;
  f();
  return 0;
}
