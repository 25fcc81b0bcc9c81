// expect: true args: --property unreach-call --property valid-deref --engine abpress
// No more characters are stored than the width says, and a null character behind them.
#include <assert.h>
#include <stdio.h>

int main(void) {
  char letter[2] = "x";
  if (scanf("%1[ab]", letter) == 1)
    assert((letter[0] == 'a' || letter[0] == 'b') && letter[1] == 0);
  else
    assert(letter[0] == 'x');
  return 0;
}
