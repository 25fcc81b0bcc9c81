// expect: false(unreach-call)
// The value of the option is missing.
#include <assert.h>
#include <getopt.h>

static const struct option known[] = {{"name", required_argument, 0, 'n'}, {0, 0, 0, 0}};
static char *words[] = {"program", "--name", 0};

int main(void) {
  assert(getopt_long(2, words, "", known, 0) == 'n');
  return 0;
}
