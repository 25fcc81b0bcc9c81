// expect: unknown "f, which is declared noreturn, returns"
void f(void) __attribute__((noreturn));
void f(void) {}
int main(void) {
  f();
  return 0;
}
