// expect: true args: --property unreach-call -- -vo
#include <assert.h>
#include <unistd.h>

int main(int argc, char **argv) {
  assert(getopt(argc, argv, "vo:") == 'v');
  assert(getopt(argc, argv, "vo:") == '?' && optopt == 'o' && optarg == 0);
  assert(getopt(argc, argv, "vo:") == -1 && optind == argc);
  return 0;
}
