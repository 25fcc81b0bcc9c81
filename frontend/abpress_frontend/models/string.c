/* Strings and blocks of bytes (ISO C 7.24, POSIX strings.h). Each access is a step of its own where
   others can reach the memory, as in the library. */
#include <abpress.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int memcmp(const void *a, const void *b, size_t size) {
  const unsigned char *left = a;
  const unsigned char *right = b;
  int result = 0;
  size_t i;
  for (i = 0; i < size; i++) { /* to the end: both have to be there */
    unsigned char x = left[i];
    unsigned char y = right[i];
    if (result == 0 && x != y)
      result = x < y ? -1 : 1;
  }
  return result;
}

void *memchr(const void *block, int byte, size_t size) {
  const unsigned char *at = block;
  size_t i;
  for (i = 0; i < size; i++)
    if (at[i] == (unsigned char)byte)
      return (void *)(at + i);
  return 0;
}

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length] != 0)
    length++;
  return length;
}

size_t strnlen(const char *text, size_t size) {
  size_t length = 0;
  while (length < size && text[length] != 0)
    length++;
  return length;
}

/* The sign is all that ISO C fixes. */
int strcmp(const char *a, const char *b) {
  size_t i = 0;
  for (;;) {
    unsigned char x = (unsigned char)a[i];
    unsigned char y = (unsigned char)b[i];
    if (x != y)
      return x < y ? -1 : 1;
    if (x == 0)
      return 0;
    i++;
  }
}

int strncmp(const char *a, const char *b, size_t size) {
  size_t i;
  for (i = 0; i < size; i++) {
    unsigned char x = (unsigned char)a[i];
    unsigned char y = (unsigned char)b[i];
    if (x != y)
      return x < y ? -1 : 1;
    if (x == 0)
      return 0;
  }
  return 0;
}

static unsigned char __abp_lower(unsigned char c) {
  return c >= 'A' && c <= 'Z' ? (unsigned char)(c + ('a' - 'A')) : c;
}

int strcasecmp(const char *a, const char *b) {
  size_t i = 0;
  for (;;) {
    unsigned char x = __abp_lower((unsigned char)a[i]);
    unsigned char y = __abp_lower((unsigned char)b[i]);
    if (x != y)
      return x < y ? -1 : 1;
    if (x == 0)
      return 0;
    i++;
  }
}

int strncasecmp(const char *a, const char *b, size_t size) {
  size_t i;
  for (i = 0; i < size; i++) {
    unsigned char x = __abp_lower((unsigned char)a[i]);
    unsigned char y = __abp_lower((unsigned char)b[i]);
    if (x != y)
      return x < y ? -1 : 1;
    if (x == 0)
      return 0;
  }
  return 0;
}

char *strcpy(char *target, const char *source) {
  size_t i = 0;
  char c;
  do {
    c = source[i];
    target[i] = c;
    i++;
  } while (c != 0);
  return target;
}

char *strncpy(char *target, const char *source, size_t size) {
  size_t i = 0;
  char c = 1;
  while (i < size && c != 0) {
    c = source[i];
    target[i] = c;
    i++;
  }
  while (i < size) {
    target[i] = 0;
    i++;
  }
  return target;
}

char *strcat(char *target, const char *source) {
  strcpy(target + strlen(target), source);
  return target;
}

char *strncat(char *target, const char *source, size_t size) {
  char *end = target + strlen(target);
  size_t i = 0;
  char c = 1;
  while (i < size && c != 0) {
    c = source[i];
    end[i] = c;
    i++;
  }
  if (c != 0)
    end[i] = 0;
  return target;
}

char *strchr(const char *text, int byte) {
  size_t i = 0;
  for (;;) {
    char c = text[i];
    if (c == (char)byte)
      return (char *)(text + i);
    if (c == 0)
      return 0;
    i++;
  }
}

char *strrchr(const char *text, int byte) {
  const char *found = 0;
  size_t i = 0;
  for (;;) {
    char c = text[i];
    if (c == (char)byte)
      found = text + i;
    if (c == 0)
      return (char *)found;
    i++;
  }
}

char *strstr(const char *text, const char *part) {
  size_t length = strlen(part);
  size_t i = 0;
  for (;;) {
    if (strncmp(text + i, part, length) == 0)
      return (char *)(text + i);
    if (text[i] == 0)
      return 0;
    i++;
  }
}

char *strdup(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  size_t i;
  if (copy != 0)
    for (i = 0; i < size; i++)
      copy[i] = text[i];
  return copy;
}

char *__strdup(const char *text) { return strdup(text); }

void bzero(void *target, size_t size) { memset(target, 0, size); }

/* The text is implementation-defined; here it is the same for all numbers. */
char *strerror(int number) { return "error"; }

/* One more than the place of the lowest set bit. */
int ffs(int value) {
  unsigned int bits = (unsigned int)value;
  int place = 1;
  if (bits == 0)
    return 0;
  while ((bits & 1) == 0) {
    bits = bits >> 1;
    place++;
  }
  return place;
}
