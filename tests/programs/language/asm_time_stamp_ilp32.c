// expect: false(unreach-call) args: --property unreach-call --data-model ILP32
// On i386 "A" is both registers.
#include <assert.h>

typedef unsigned long long u64;

int main(void) {
  unsigned low, high;
  u64 wide;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  u64 all = (u64)high << 32 | low;
  assert((unsigned)all == low);
  __asm__ volatile("rdtsc" : "=a"(wide), "=d"(high));
  assert(wide <= 0xffffffff);
  __asm__ volatile("rdtsc" : "=A"(wide));
  assert(wide <= 0xffffffff);
  return 0;
}
