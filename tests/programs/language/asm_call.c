// expect: true args: --undefined-functions havoc
/* What assembly calls leaves anything in the registers of outputs, and other variables alone. */
#include <assert.h>

struct operations {
  void *enable;
};
extern struct operations operations;
int kept = 4;

static unsigned long flags(void) {
  unsigned long result;
  __asm__ volatile(
      "771:\n\tcall *%c2;\n772:\n.pushsection .parainstructions,\"a\"\n .balign 8 \n .quad 771b\n"
      " .byte %c1\n .byte 772b-771b\n .short %c3\n.popsection\n"
      : "=a"(result)
      : [type] "i"(44UL), [pointer] "i"(&operations.enable), [clobber] "i"(1)
      : "memory", "cc");
  return result & 3;
}

int main(void) {
  assert(flags() <= 3 && kept == 4);
  __asm__ volatile("call *%c0" : : "i"(&operations.enable) : "memory");
  assert(kept == 4);
  return 0;
}
