// expect: false(unreach-call)
/* A port gives any value. */
#include <assert.h>

int main(void) {
  unsigned char value;
  __asm__ volatile("inb %1,%0" : "=a"(value) : "Nd"((unsigned short)0x60));
  assert(value != 7);
  return 0;
}
