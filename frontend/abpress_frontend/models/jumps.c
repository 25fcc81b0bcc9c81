/* Places to jump to (ISO C 7.13). Nothing is modelled that jumps there, so that each is left as it is
   reached; what is kept of it stands in a member of its own. */
#include <setjmp.h>

int setjmp(jmp_buf buffer) {
  buffer->__abp_registers[0] = 0;
  return 0;
}

int _setjmp(jmp_buf buffer) { return setjmp(buffer); }

int sigsetjmp(sigjmp_buf buffer, int save_mask) { return setjmp(buffer); }

int __sigsetjmp(sigjmp_buf buffer, int save_mask) { return setjmp(buffer); }

/* Of a shorter buffer, for handlers of cancellation. */
int __sigsetjmp_cancel(void *buffer, int save_mask) {
  *(long *)buffer = 0;
  return 0;
}
