// expect: true
#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int result = printf("100%%\n");
  assert(result == 5 || result < 0);
  result = printf("%d\n", argc);
  assert(result >= -1);
  result = putchar(argc);
  assert(result == (unsigned char)argc || result == EOF);
  result = fflush(stdout);
  assert(result == 0 || result == EOF);
  return 0;
}
