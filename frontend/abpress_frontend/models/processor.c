/* The processor, as inline assembler and intrinsics see it: the flag of interrupts, which each thread
   has; how it computes with floating-point numbers, which stays as it is at the begin. */
#include <abpress.h>
#include <xmmintrin.h>

#define __ABP_INTERRUPTS 0x200ul

static _Thread_local _Bool __abp_interrupts_are_off;

/* Of the other flags, that which is always set. */
unsigned long __abp_flags(void) { return __abp_interrupts_are_off ? 2 : __ABP_INTERRUPTS | 2; }

void __abp_set_flags(unsigned long flags) {
  __abp_interrupts_are_off = !(flags & __ABP_INTERRUPTS);
}

/* Says that memory of the processor is used. */
void __abp_of_processor(void) {}

#define __ABP_MASKED 0x1f80u /* no operation traps; to nearest; small numbers as they are */
#define __ABP_RAISED 0x3fu   /* what operations have raised: any */

unsigned int _mm_getcsr(void) {
  return __ABP_MASKED | (unsigned int)__abp_nondet_between(0, __ABP_RAISED);
}

void _mm_setcsr(unsigned int value) {
  if ((value & ~__ABP_RAISED) != __ABP_MASKED)
    __abp_cut("how floating-point numbers are rounded, flushed to zero or trap is changed");
}
