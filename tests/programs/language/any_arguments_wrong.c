// expect: false(unreach-call) args: --property unreach-call --any-arguments 1
/* A word that somebody may write. */
#include <assert.h>

int main(int argc, char **argv) {
  assert(argc < 2 || argv[1][0] != '-' || argv[1][1] != 'x');
  return 0;
}
