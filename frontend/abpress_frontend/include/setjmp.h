#ifndef ABPRESS_SETJMP_H
#define ABPRESS_SETJMP_H

typedef struct {
  long __abp_registers[8];
  int __abp_has_mask;
  unsigned long __abp_mask[1024 / (8 * sizeof(unsigned long))];
} jmp_buf[1];
typedef jmp_buf sigjmp_buf;

int setjmp(jmp_buf buffer);
int _setjmp(jmp_buf buffer);
int sigsetjmp(sigjmp_buf buffer, int save_mask);
int __sigsetjmp(sigjmp_buf buffer, int save_mask);
int __sigsetjmp_cancel(void *buffer, int save_mask);
_Noreturn void longjmp(jmp_buf buffer, int value);
_Noreturn void _longjmp(jmp_buf buffer, int value);
_Noreturn void siglongjmp(sigjmp_buf buffer, int value);

#endif
