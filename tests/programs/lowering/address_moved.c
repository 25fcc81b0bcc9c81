// expect: true args: --property unreach-call --property valid-deref
// expect: true args: --property unreach-call --property valid-deref -m32
// An address as a number, moved and converted back, points where the moved pointer does.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

struct entry {
  struct entry *next;
};

struct object {
  int number;
  struct entry entry;
};

static struct object object = {7, {0}};
static unsigned offset = offsetof(struct object, entry);

int main(void) {
  void *whole = &object;
  struct entry *entry = (void *)((uintptr_t)whole + offset);
  assert(entry == &object.entry);
  entry->next = (struct entry *)(offset + (uintptr_t)whole);
  assert(object.entry.next == entry);
  struct object *back = (void *)((uintptr_t)entry - offset);
  assert(back == whole && back->number == 7);
  assert((int *)((uintptr_t)entry + (uintptr_t)0 - offset) == &object.number);
  assert((void *)((uintptr_t)entry + -(uintptr_t)offset) == whole);
  whole = 0;
  assert((uintptr_t)(void *)((uintptr_t)whole + 4) == 4);
  return 0;
}
