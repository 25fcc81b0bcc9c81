/* Sorting and searching (ISO C 7.22.5), for elements of the type that the call shows. What compares
   equal is left in any order. */
#include <abpress.h>
#include <stdlib.h>

typedef char __abp_element; /* each call has its own */

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  __abp_element *elements = base;
  __abp_element moved;
  size_t i, place;
  int order;
  for (i = 1; i < count; i++) {
    moved = elements[i];
    for (place = i; place > 0; place--) {
      order = compare(&elements[place - 1], &moved);
      if (order < 0 || (order == 0 && __abp_nondet_bool()))
        break;
      elements[place] = elements[place - 1];
    }
    elements[place] = moved;
  }
}

/* Any of the elements that compare equal may be found: the search may go on behind one, or before
   it, to another. */
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  const __abp_element *elements = base;
  const __abp_element *found = 0;
  size_t low = 0, high = count, middle;
  int order;
  while (low < high) {
    middle = low + (high - low) / 2;
    order = compare(key, &elements[middle]);
    if (order == 0) {
      found = &elements[middle];
      if (__abp_nondet_bool())
        break;
      if (__abp_nondet_bool())
        low = middle + 1;
      else
        high = middle;
    } else if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return (void *)found;
}
