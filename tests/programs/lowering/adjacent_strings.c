// expect: true
#include <assert.h>
#include <string.h>

const char joined[] = "ab" "c" "";

int main(void) {
  /* An escape sequence ends with its literal. */
  const char *p = "\x41" "1\"" "\060" "1";
  assert(p[0] == 'A' && p[1] == '1' && p[2] == '"' && p[3] == '0' && p[4] == '1' && p[5] == 0);
  assert(sizeof joined == 4 && strcmp(joined, "abc") == 0);
  return 0;
}
