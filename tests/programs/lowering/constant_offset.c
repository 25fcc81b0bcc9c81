// expect: true
#include <assert.h>

struct s {
  char a[3];
  char b;
};

int offset = (int)((char *)&((struct s *)0)->b - (char *)0);

int main(void) {
  assert(offset == 3);
  return 0;
}
