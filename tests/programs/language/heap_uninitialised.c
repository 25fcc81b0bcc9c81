// expect: false(unreach-call)
// malloc gives arbitrary contents.
#include <assert.h>
#include <stdlib.h>

struct s {
  _Bool flag;
};

int main(void) {
  struct s *p = malloc(sizeof *p);
  assert(!p->flag);
  return 0;
}
