// expect: false(unreach-call)
/* An element of a large local object that the initialiser does not leave out. */
#include <assert.h>

int main(void) {
  char buffer[4200] = {[4190] = 7};
  int i = 4180;
  while (i < 4200) {
    assert(buffer[i] == 0);
    i++;
  }
  return 0;
}
