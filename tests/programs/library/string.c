// expect: true
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(void) {
  char a[12] = "hello", b[12];
  assert(strlen(a) == 5 && strlen("") == 0 && strnlen(a, 3) == 3 && strnlen(a, 9) == 5);
  assert(strcmp(a, "hello") == 0 && strcmp("a", "b") < 0 && strcmp("ab", "a") > 0);
  assert(strcmp("\xff", "a") > 0);
  assert(strncmp("abc", "abd", 2) == 0 && strncmp("abc", "abd", 3) < 0);
  assert(strncmp("a", "a", 9) == 0);
  assert(strcasecmp("HeLLo", a) == 0 && strncasecmp("HELP", a, 3) == 0);
  assert(strcpy(b, a) == b && strcmp(a, b) == 0);
  assert(strcat(b, " you") == b && strcmp(b, "hello you") == 0);
  assert(strchr(a, 'l') == a + 2 && strrchr(a, 'l') == a + 3 && strchr(a, 'z') == 0);
  assert(strchr(a, 0) == a + 5 && strrchr(a, 0) == a + 5);
  assert(strstr(b, "lo y") == b + 3 && strstr(b, "lox") == 0 && strstr(b, "") == b);
  assert(memcmp(a, b, 5) == 0 && memcmp("a", "b", 1) < 0 && memchr(a, 'o', 5) == a + 4);
  strncpy(b, "xy", 4);
  assert(b[0] == 'x' && b[1] == 'y' && b[2] == 0 && b[3] == 0 && b[4] == 'o');
  strncpy(b, "12345", 2);
  assert(b[1] == '2' && b[2] == 0);
  strncat(b, "abc", 2);
  assert(strcmp(b, "12ab") == 0);
  bzero(b, 3);
  assert(b[2] == 0 && b[3] == 'b');
  char *copy = strdup(a);
  assert(copy != a && strcmp(copy, a) == 0);
  free(copy);
  return 0;
}
