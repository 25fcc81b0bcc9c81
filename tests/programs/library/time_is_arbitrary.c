// expect: false(unreach-call)
#include <assert.h>
#include <time.h>

int main(void) {
  assert(time(0) != 12345);
  return 0;
}
