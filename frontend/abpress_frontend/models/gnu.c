/* Library functions by the names of their builtins in GNU C. */
#include <abpress.h>
#include <stdlib.h>
#include <string.h>

int __builtin_memcmp(const void *a, const void *b, size_t size) { return memcmp(a, b, size); }
void *__builtin_memchr(const void *block, int byte, size_t size) {
  return memchr(block, byte, size);
}
size_t __builtin_strlen(const char *text) { return strlen(text); }
int __builtin_strcmp(const char *a, const char *b) { return strcmp(a, b); }
int __builtin_strncmp(const char *a, const char *b, size_t size) { return strncmp(a, b, size); }
char *__builtin_strcpy(char *target, const char *source) { return strcpy(target, source); }
char *__builtin_strncpy(char *target, const char *source, size_t size) {
  return strncpy(target, source, size);
}
char *__builtin_strcat(char *target, const char *source) { return strcat(target, source); }
char *__builtin_strncat(char *target, const char *source, size_t size) {
  return strncat(target, source, size);
}
char *__builtin_strchr(const char *text, int byte) { return strchr(text, byte); }
char *__builtin_strrchr(const char *text, int byte) { return strrchr(text, byte); }
char *__builtin_strstr(const char *text, const char *part) { return strstr(text, part); }
char *__builtin_strdup(const char *text) { return strdup(text); }
int __builtin_abs(int value) { return abs(value); }
long __builtin_labs(long value) { return labs(value); }
long long __builtin_llabs(long long value) { return llabs(value); }
