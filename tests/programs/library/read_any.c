// expect: false(unreach-call)
#include <assert.h>
#include <unistd.h>

int main(void) {
  char text[2] = {'x', 'x'};
  ssize_t got = read(0, text, sizeof text);
  assert(got >= -1 && got <= 2);
  assert(got != 1 || text[0] == 'a');
  return 0;
}
