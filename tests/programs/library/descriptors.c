// expect: true
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  int first = open("a", O_RDONLY), second;
  if (first < 0)
    return 1;
  assert(first == 3);
  close(first);
  second = open("b", O_WRONLY | O_CREAT, 0644);
  assert(second == 3 || second == -1);
  assert(write(second == 3 ? 4 : 3, "x", 1) == -1);
  return 0;
}
