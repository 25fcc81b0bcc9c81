/* Options of a command line (POSIX getopt). GNU's sorts options before operands: where there is
   something to sort, that is a bound of the tool. It is for one thread at a time, as
   abpress_frontend.assumed says. Long options are GNU's; to abbreviate them is a bound of the tool. */
#include <abpress.h>
#include <getopt.h>
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

static void __abp_check_options(const char *options) {
  if (options[0] == '+' || options[0] == '-' || options[0] == ':' || optind == 0)
    __abp_cut("getopt is asked for a behaviour of its own");
}

int getopt(int count, char *const arguments[], const char *options) {
  const char *word;
  int option;
  int i = 0;
  optarg = 0;
  __abp_check_options(options);
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

/* Whether a word is a name so far. */
static int __abp_begins(const char *word, size_t length, const char *name) {
  size_t i = 0;
  while (i < length && word[i] == name[i])
    i++;
  return i == length;
}

static int __abp_long_option(int count, char *const arguments[], const struct option *option,
                             const char *value) {
  if (value != 0 && option->has_arg == no_argument) {
    optopt = option->val;
    return 0;
  }
  optarg = (char *)value;
  if (value == 0 && option->has_arg == required_argument) {
    if (optind >= count) {
      optopt = option->val;
      return 0;
    }
    optarg = arguments[optind];
    optind++;
  }
  return 1;
}

int getopt_long(int count, char *const arguments[], const char *options,
                const struct option *long_options, int *index) {
  const char *word;
  size_t length = 0;
  int k, abbreviated = 0;
  if (__abp_option_at != 0 || optind >= count)
    return getopt(count, arguments, options);
  word = arguments[optind];
  if (word[0] != '-' || word[1] != '-' || word[2] == 0)
    return getopt(count, arguments, options);
  __abp_check_options(options);
  optarg = 0;
  word += 2;
  while (word[length] != 0 && word[length] != '=')
    length++;
  optind++;
  for (k = 0; long_options[k].name != 0; k++) {
    const struct option *option = &long_options[k];
    if (!__abp_begins(word, length, option->name))
      continue;
    if (option->name[length] != 0) {
      abbreviated = 1;
      continue;
    }
    if (!__abp_long_option(count, arguments, option, word[length] ? word + length + 1 : 0))
      return '?';
    if (index != 0)
      *index = k;
    if (option->flag == 0)
      return option->val;
    *option->flag = option->val;
    return 0;
  }
  if (abbreviated)
    __abp_cut("a long option is abbreviated");
  optopt = 0;
  return '?';
}
