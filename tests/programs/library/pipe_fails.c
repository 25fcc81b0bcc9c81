// expect: false(unreach-call)
#include <assert.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  int result = pipe(ends);
  assert(result == 0);
  return 0;
}
