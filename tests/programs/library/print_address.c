// expect: true args: --property unreach-call --property valid-memsafety
// Where something lies is a number of up to 12 digits; a null pointer is (nil), as glibc shows it.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[15], none[8];
  int length = sprintf(text, "%p", (void *)text);
  assert(length > 2 && length == (int)strlen(text) && text[0] == '0' && text[1] == 'x');
  sprintf(none, "%7p", (void *)0);
  assert(strcmp(none, "  (nil)") == 0);
  return 0;
}
