/* Options of a command line (POSIX getopt). GNU's sorts options before operands: where there is
   something to sort, that is a bound of the tool. It is for one thread at a time, as
   abpress_frontend.assumed says. */
#include <abpress.h>
#include <unistd.h>

char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';

/* Of the word at optind, what has been read; 0 at its begin. */
static int __abp_option_at;

/* Ends with the word. */
static void __abp_next_word(void) {
  optind++;
  __abp_option_at = 0;
}

/* Whether a word is one of options. */
static int __abp_is_option(const char *word) { return word[0] == '-' && word[1] != 0; }

int getopt(int count, char *const arguments[], const char *options) {
  const char *word;
  int option;
  int i = 0;
  optarg = 0;
  if (options[0] == '+' || options[0] == '-' || options[0] == ':' || optind == 0)
    __abp_cut("getopt is asked for a behaviour of its own");
  if (optind >= count)
    return -1;
  word = arguments[optind];
  if (__abp_option_at == 0) {
    if (!__abp_is_option(word)) {
      for (i = optind + 1; i < count; i++) {
        if (__abp_is_option(arguments[i]))
          __abp_cut("getopt sorts options before operands");
      }
      return -1;
    }
    if (word[1] == '-' && word[2] == 0) {
      optind++;
      return -1;
    }
    __abp_option_at = 1;
  }
  option = word[__abp_option_at];
  __abp_option_at++;
  while (options[i] != 0 && (options[i] != option || option == ':'))
    i++;
  if (options[i] == 0) {
    optopt = option;
    if (word[__abp_option_at] == 0)
      __abp_next_word();
    return '?';
  }
  if (options[i + 1] != ':') {
    if (word[__abp_option_at] == 0)
      __abp_next_word();
    return option;
  }
  if (word[__abp_option_at] != 0) {
    optarg = (char *)(word + __abp_option_at);
    __abp_next_word();
    return option;
  }
  __abp_next_word();
  if (options[i + 2] == ':')
    return option;
  if (optind >= count) {
    optopt = option;
    return '?';
  }
  optarg = arguments[optind];
  optind++;
  return option;
}
