// expect: true
/* What ISO C fixes of the results of comparisons and of classes of characters. */
#include <assert.h>
#include <ctype.h>
#include <string.h>
int main(void) {
  int less = strncmp("a", "b", 1), more = memcmp("b", "a", 1), same = strcmp("a", "a");
  int digit = isdigit('4'), none = isdigit('a'), n = 0;
  assert(less < 0 && more > 0 && same == 0 && digit != 0 && none == 0);
  for (char c = 'Y'; c <= 'b'; c++)
    if (isalpha(c))
      n++;
  assert(n == 4);
  return 0;
}
