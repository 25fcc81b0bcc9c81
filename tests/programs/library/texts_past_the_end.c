// expect: false(valid-deref) args: --property valid-deref
/* Nothing says where the search for a byte ends. */
#define _GNU_SOURCE
#include <string.h>

int main(void) {
  char text[4] = {'a', 'b', 'c', 'd'};
  return rawmemchr(text, 'e') == 0;
}
