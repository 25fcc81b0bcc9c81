// expect: true
// A pointer to const can be changed, and a pointer that is const itself can be written through.
#include <assert.h>
static const int table[2] = {1, 2};
static int number = 1;
static int *const fixed = &number;
static const char *text = "x";
static const char *const names[] = {"a", "b"};

int main(void) {
  static const int four = 4;
  *fixed = table[1];
  text = names[1];
  assert(number == 2 && text[0] == 'b' && four == 4);
  return 0;
}
