// expect: false(valid-deref) args: --property valid-deref
#include <stdio.h>
int main(void) {
  char word[3] = {'a', 'b', 'c'};
  printf("%s\n", word);
  return 0;
}
