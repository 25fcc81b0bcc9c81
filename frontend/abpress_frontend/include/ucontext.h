#ifndef ABPRESS_UCONTEXT_H
#define ABPRESS_UCONTEXT_H
#include <signal.h>
#include <stddef.h>

typedef struct __abp_context {
  struct __abp_context *uc_link;
  struct {
    void *ss_sp;
    int ss_flags;
    size_t ss_size;
  } uc_stack;
  sigset_t uc_sigmask;
  unsigned long long __abp_registers[117];
} ucontext_t;

int getcontext(ucontext_t *context);
int setcontext(const ucontext_t *context);
int swapcontext(ucontext_t *old, const ucontext_t *new);
void makecontext(ucontext_t *context, void (*function)(void), int count, ...);

#endif
