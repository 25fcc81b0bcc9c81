/* Streams (ISO C 7.21): what is read is arbitrary, and every call may fail. All streams that are
   opened are one object, as abpress_frontend.assumed says. */
#include <abpress.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>

static char __abp_stream;

static int __abp_fails(void) {
  int fails = __abp_nondet_bool();
  if (fails)
    errno = (int)__abp_nondet_between(1, 133);
  return fails;
}

FILE *fopen(const char *path, const char *mode) {
  return __abp_fails() ? 0 : (FILE *)&__abp_stream;
}

FILE *fdopen(int descriptor, const char *mode) {
  return __abp_fails() ? 0 : (FILE *)&__abp_stream;
}

FILE *tmpfile(void) { return __abp_fails() ? 0 : (FILE *)&__abp_stream; }

int fclose(FILE *file) { return __abp_fails() ? EOF : 0; }

int feof(FILE *file) { return __abp_nondet_bool(); }

int ferror(FILE *file) { return __abp_nondet_bool(); }

void clearerr(FILE *file) {}

int fseek(FILE *file, long offset, int origin) { return __abp_fails() ? -1 : 0; }

long ftell(FILE *file) { return __abp_fails() ? -1 : __abp_nondet_between(0, LONG_MAX); }

void rewind(FILE *file) {}

void setlinebuf(FILE *file) {}

int fileno(FILE *file) { return (int)__abp_nondet_between(0, INT_MAX); }

/* At the end of the file the text stays as it is; after an error it may have changed. */
char *fgets(char *text, int size, FILE *file) {
  int i = 0;
  char c = 0;
  if (size < 1 || (size > 1 && __abp_nondet_bool()))
    return 0;
  while (i < size - 1 && c != '\n' && (i == 0 || __abp_nondet_bool())) {
    c = (char)__abp_nondet_between(-128, 127);
    text[i] = c;
    i++;
  }
  if (__abp_fails())
    return 0;
  text[i] = 0;
  return text;
}
