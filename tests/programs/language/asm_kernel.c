// expect: true
/* What kernels write: ports, flags of interrupts, barriers with alternatives, moves that compilers
   may not look through, a bug that ends the program. */
#include <assert.h>

struct task {
  int id;
};
static struct task only = {7};
static struct task *current_task = &only;

static struct task *get_current(void) {
  struct task *result;
  __asm__("movq %%gs:%P1,%0" : "=r"(result) : "p"(&current_task));
  return result;
}

static unsigned long save(void) {
  unsigned long flags;
  __asm__ volatile("# __raw_save_flags\n\tpushf ; pop %0" : "=rm"(flags) : : "memory");
  return flags;
}

static void restore(unsigned long flags) {
  __asm__ volatile("push %0 ; popf" : : "g"(flags) : "memory", "cc");
}

static unsigned char inb(unsigned short port) {
  unsigned char value;
  __asm__ volatile("inb %w1, %b0" : "=a"(value) : "Nd"(port));
  return value;
}

static void barrier(void) {
  __asm__ volatile("661:\n\tlock; addl $0,0(%%rsp)\n662:\n"
                   ".pushsection .altinstructions,\"a\"\n .long 661b - .\n .long 663f - .\n"
                   " .byte 662b-661b\n .byte 664f-663f\n.popsection\n"
                   ".pushsection .altinstr_replacement, \"ax\"\n663:\n\tmfence\n664:\n.popsection"
                   : : : "memory");
}

#define BUG() \
  do { \
    __asm__ volatile("1:\tud2\n" \
                     ".pushsection __bug_table,\"a\"\n" \
                     "2:\t.long 1b - 2b, %c0 - 2b\n" \
                     "\t.word %c1, 0\n\t.org 2b+%c2\n" \
                     ".popsection" \
                     : : "i"(__FILE__), "i"(__LINE__), "i"(12)); \
    __builtin_unreachable(); \
  } while (0)

int main(void) {
  unsigned long flags = save();
  assert(flags & 0x200);
  __asm__ volatile("cli" : : : "memory");
  assert(!(save() & 0x200));
  restore(flags);
  assert(save() & 0x200);
  __asm__ volatile("outb %b0, %w1" : : "a"(1), "Nd"(0x80));
  assert(inb(0x60) <= 255);
  barrier();
  assert(get_current()->id == 7);
  int *hidden;
  __asm__("" : "=r"(hidden) : "0"(&only.id));
  assert(*hidden == 7);
  unsigned swapped = 0x01020304;
  __asm__("bswapl %0" : "+r"(swapped));
  assert(swapped == 0x04030201);
  long lowest = -1;
  __asm__("bsfq %1,%0" : "+r"(lowest) : "rm"(48ul));
  assert(lowest == 4);
  if (inb(0x61) & 1)
    BUG();
  return 0;
}
