// expect: false(unreach-call)
#include <assert.h>

int main(void) {
  char b[4];
  __builtin_strcpy(b, "abc");
  assert(__builtin_strncmp(b, "abd", 3) == 0);
  return 0;
}
