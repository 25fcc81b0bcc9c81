// expect: true args: --property valid-deref
#include <stdio.h>
int main(void) {
  char word[3] = {'a', 'b', 0};
  printf("%s\n", word);
  return 0;
}
