// expect: true args: --property valid-deref
// A stream that was opened is looked at before it is used; fflush takes none for all.
#include <stdarg.h>
#include <stdio.h>

static void told(FILE *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(to, format, list);
  va_end(list);
}

int main(void) {
  char line[4];
  int x;
  FILE *file = fopen("a", "r+");
  fflush(0);
  told(stderr, "%d", 3);
  fscanf(stdin, "%d", &x);
  if (file == NULL)
    return 1;
  fputs("a", file);
  fprintf(file, "%s", "b");
  fputc('c', file);
  fgets(line, 4, file);
  fwrite(line, 1, 0, 0);
  return fclose(file);
}
