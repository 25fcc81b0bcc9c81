// expect: true args: --property unreach-call
// Headers of glibc, compiled with optimisation, define what the library has for inlining alone.
#include <assert.h>
typedef unsigned long size_t;

extern size_t strlen(const char *text);
extern size_t __strlen_alias(const char *text) __asm__("strlen");
extern __inline __attribute__((__always_inline__, __gnu_inline__)) size_t strlen(const char *text) {
  return __strlen_alias(text);
}

extern int own(void);
extern __inline __attribute__((gnu_inline)) int own(void) { return 3; }

int main(void) {
  assert(strlen("ab") == 2 && own() == 3);
  return 0;
}
