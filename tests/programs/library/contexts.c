// expect: unsupported "contexts.c:7:3: call of getcontext: contexts that are switched by the program"
#include <ucontext.h>

int main(void) {
  ucontext_t context;
  sigemptyset(&context.uc_sigmask);
  getcontext(&context);
  return 0;
}
