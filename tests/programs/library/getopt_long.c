// expect: true args: --data-model LP64 --engine explicit
#include <assert.h>
#include <getopt.h>

static int quiet;

static const struct option known[] = {
    {"name", required_argument, 0, 'n'},
    {"names", no_argument, 0, 'N'},
    {"level", optional_argument, 0, 'l'},
    {"quiet", no_argument, &quiet, 7},
    {0, 0, 0, 0},
};

static char *words[] = {"program", "--name=x", "-v", "--name", "y", "--level", "--level=3",
                        "--quiet", "--quiet=1", "--other", "--names", "--", "rest", 0};

static const char results[] = {'n', 'v', 'n', 'l', 'l', 0, '?', '?', 'N'};
static const int indices[] = {0, 0, 0, 2, 2, 3, 3, 3, 1};

int main(void) {
  int index = -1, result, k = 0;
  while ((result = getopt_long(13, words, "vn:", known, &index)) != -1) {
    assert(result == results[k] && index == indices[k]);
    if (k == 0)
      assert(optarg == words[1] + 7);
    if (k == 2)
      assert(optarg == words[4] && optind == 5);
    if (k == 3)
      assert(optarg == 0);
    if (k == 4)
      assert(*optarg == '3');
    if (k == 5)
      assert(quiet == 7);
    if (k == 6)
      assert(optopt == 7);
    if (k == 7)
      assert(optopt == 0);
    k++;
  }
  assert(k == 9 && optind == 12);
  return 0;
}
