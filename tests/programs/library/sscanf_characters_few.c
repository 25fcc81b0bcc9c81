// expect: true
// Fewer characters than %5c asks for are none (ISO C 7.21.6.2p12), or those that there are (glibc).
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[8], read[8] = ".......";
  int n = 0;
  strcpy(text, "7 ab");
  int done = sscanf(text, "%d %5c", &n, read);
  assert(done == 1 || done == 2);
  assert(n == 7 && read[0] == 'a' && read[1] == 'b' && read[2] == '.');
  return 0;
}
