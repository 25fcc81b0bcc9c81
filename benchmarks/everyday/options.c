/* Options of a command line, by getopt. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <getopt.h>

static int verbose, workers = 1;
static const char *output = "-";

int main(int argc, char **argv) {
  int option;
  while ((option = getopt(argc, argv, "vj:o:")) != -1) {
    switch (option) {
      case 'v': verbose++; break;
      case 'j': workers = atoi(optarg); break;
      case 'o': output = optarg; break;
      default: fprintf(stderr, "usage: %s [-v] [-j N] [-o FILE]\n", argv[0]); return EXIT_FAILURE;
    }
    if (verbose > 3) verbose = 3;
  }
  if (workers < 1 || workers > 4) workers = 4;
  printf("%d %d %s\n", verbose, workers, output);
  assert(workers >= 1 && workers <= 4);
  return 0;
}
