// expect: true
// The space behind a struct belongs to its last member, also where a whole struct would fit in.
#include <assert.h>
#include <stdlib.h>

struct item {
  int value;
};

struct ring {
  long head;
  long tail;
  struct item *items[0];
};

struct text {
  short length;
  char bytes[];
};

int main(void) {
  struct ring *ring = malloc(sizeof(struct ring) + 2 * sizeof(struct item *));
  struct text *text = malloc(sizeof(struct text) + 6);
  struct item item = {4};
  ring->head = 1;
  ring->items[0] = &item;
  ring->items[1] = 0;
  assert(ring->items[ring->head - 1]->value == 4);
  text->bytes[5] = 'x';
  assert(text->bytes[5] == 'x');
  free(ring);
  free(text);
  return 0;
}
