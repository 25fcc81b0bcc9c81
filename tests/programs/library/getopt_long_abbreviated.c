// expect: unknown "a long option is abbreviated"
#include <getopt.h>

static const struct option known[] = {{"name", no_argument, 0, 'n'}, {0, 0, 0, 0}};
static char *words[] = {"program", "--na", 0};

int main(void) { return getopt_long(2, words, "", known, 0); }
