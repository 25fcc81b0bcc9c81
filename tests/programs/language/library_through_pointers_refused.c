// expect: unknown
// What a format does needs its text: printf is called by name only.
#include <stdio.h>

int main(void) {
  int (*show)(const char *, ...) = printf;
  return show("%d", 1);
}
