// expect: true
// Texts, characters and sets, read from texts in memory.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char name[8], rest[8], two[2], source[16];
  int number = 0, where = 0;
  strcpy(source, " width = 0x1f");
  assert(sscanf(source, "%7s = %i%n", name, &number, &where) == 2);
  assert(strcmp(name, "width") == 0 && number == 31 && where == 13);
  assert(sscanf("key:ab c", "%[^:]:%2c%*c%1[]f]", name, two, rest) == 2);
  assert(strcmp(name, "key") == 0 && two[0] == 'a' && two[1] == 'b');
  return 0;
}
