// expect: unsupported "assembler outside functions"
__asm__(".globl y\n\t.set y, x");
int x = 1;
extern int y;
int main(void) {
  return y;
}
