// expect: true args: --property unreach-call -- -v -j3 -x -o out -- -v
#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  assert(getopt(argc, argv, "vj:o:") == 'v' && optarg == 0);
  assert(getopt(argc, argv, "vj:o:") == 'j' && strcmp(optarg, "3") == 0);
  assert(getopt(argc, argv, "vj:o:") == '?' && optopt == 'x');
  assert(getopt(argc, argv, "vj:o:") == 'o' && strcmp(optarg, "out") == 0);
  assert(getopt(argc, argv, "vj:o:") == -1);
  assert(optind == argc - 1 && strcmp(argv[optind], "-v") == 0);
  return 0;
}
