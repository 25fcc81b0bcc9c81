// expect: false(valid-deref) args: --property valid-deref
#include <unistd.h>

int main(void) {
  int ends[2];
  char text[2];
  if (pipe(ends) == 0 && write(ends[1], "abc", 3) == 3)
    read(ends[0], text, sizeof text + 1);
  return 0;
}
