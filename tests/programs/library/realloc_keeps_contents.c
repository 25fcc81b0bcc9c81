// expect: true args: --property unreach-call,valid-deref,valid-free,valid-memtrack
// The contents are kept up to the smaller size; NULL is allocated anew, size 0 frees.
#include <assert.h>
#include <stdlib.h>

struct pair {
  int key;
  char *text;
};

int main(void) {
  int *numbers = realloc(NULL, 2 * sizeof(int));
  numbers[0] = 1;
  numbers[1] = 2;
  numbers = realloc(numbers, 4 * sizeof(int));
  numbers[3] = 4;
  assert(numbers[0] == 1 && numbers[1] == 2 && numbers[3] == 4);
  numbers = realloc(numbers, sizeof(int));
  assert(numbers[0] == 1);
  free(numbers);
  struct pair *pairs = malloc(sizeof *pairs);
  pairs->key = 7;
  pairs->text = malloc(3);
  pairs->text[2] = 'x';
  pairs = reallocarray(pairs, 2, sizeof *pairs);
  assert(pairs[0].key == 7 && pairs[0].text[2] == 'x');
  free(pairs[0].text);
  pairs = realloc(pairs, 0);
  assert(pairs == NULL);
  return 0;
}
