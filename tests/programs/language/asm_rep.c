// expect: unsupported "inline assembly"
char a[4];
int main(void) {
  __asm__ volatile("nop; rep; stosb" : : "D"(a), "c"(4), "a"(0) : "memory");
  return a[0];
}
