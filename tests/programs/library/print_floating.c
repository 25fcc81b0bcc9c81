// expect: unknown
#include <stdio.h>

int main(void) {
  char text[8];
  snprintf(text, sizeof text, "%p", (void *)text);
  return 0;
}
