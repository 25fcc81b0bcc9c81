// expect: false(unreach-call)
/* The same through a function pointer. */
#include <string.h>
void reach_error(void);
int main(void) {
  int (*compare)(const char *, const char *) = strcmp;
  if (compare("b", "a") == 7)
    reach_error();
  return 0;
}
