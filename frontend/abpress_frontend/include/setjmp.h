#ifndef ABPRESS_SETJMP_H
#define ABPRESS_SETJMP_H

typedef struct {
  int __abp_unused;
} jmp_buf[1];
typedef jmp_buf sigjmp_buf;

int setjmp(jmp_buf buffer);
int _setjmp(jmp_buf buffer);
int sigsetjmp(sigjmp_buf buffer, int save_mask);
_Noreturn void longjmp(jmp_buf buffer, int value);
_Noreturn void _longjmp(jmp_buf buffer, int value);
_Noreturn void siglongjmp(sigjmp_buf buffer, int value);

#endif
