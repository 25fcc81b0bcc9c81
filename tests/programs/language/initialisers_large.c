// expect: true
/* What the initialiser of a large local object leaves out is zero. */
#include <assert.h>

struct page {
  int number;
  char text[4100];
  struct page *next;
};

int main(void) {
  struct page first = {1, "first", .next = &first};
  assert(first.next->number == 1 && first.text[4] == 't' && first.text[5] == 0 && first.text[4099] == 0);
  return 0;
}
