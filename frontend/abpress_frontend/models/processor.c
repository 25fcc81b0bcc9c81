/* The processor, as inline assembler sees it: the flag of interrupts, which each thread has. */
#include <abpress.h>

#define __ABP_INTERRUPTS 0x200ul

static _Thread_local _Bool __abp_interrupts_are_off;

/* Of the other flags, that which is always set. */
unsigned long __abp_flags(void) { return __abp_interrupts_are_off ? 2 : __ABP_INTERRUPTS | 2; }

void __abp_set_flags(unsigned long flags) {
  __abp_interrupts_are_off = !(flags & __ABP_INTERRUPTS);
}

/* Says that memory of the processor is used. */
void __abp_of_processor(void) {}
