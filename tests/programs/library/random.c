// expect: false(unreach-call)
#include <assert.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
  srand(time(0));
  int value = rand();
  assert(value >= 0);
  assert(value % 3 != 2);
  return 0;
}
