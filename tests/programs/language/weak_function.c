// expect: unsupported "weak function f without definition"
void reach_error(void);
void f(void) __attribute__((weak));
int main(void) {
  if (!f)
    reach_error();
  return 0;
}
