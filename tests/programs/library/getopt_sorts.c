// expect: unknown "sorts options" args: --property unreach-call -- file -v
#include <unistd.h>

int main(int argc, char **argv) {
  return getopt(argc, argv, "v") == 'v';
}
