// expect: false(valid-deref) args: --property valid-deref --engine hunt
// Without a width a word may be longer than its place.
#include <stdio.h>

int main(void) {
  char word[4];
  scanf("%s", word);
  return 0;
}
