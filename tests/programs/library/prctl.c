// expect: true
#include <assert.h>
#include <sys/prctl.h>

int main(void) {
  int result = prctl(PR_SET_NAME, "main");
  assert(result == 0);
  return 0;
}
