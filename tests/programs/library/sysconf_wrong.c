// expect: false(unreach-call)
#include <assert.h>
#include <unistd.h>

int main(void) {
  assert(sysconf(_SC_THREAD_THREADS_MAX) != -1);
  return 0;
}
