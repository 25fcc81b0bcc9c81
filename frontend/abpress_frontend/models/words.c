/* Parts of strings (ISO C 7.24.5, POSIX). Each access is a step of its own where others can reach the
   memory, as in the library. */
#define _GNU_SOURCE
#include <abpress.h>
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#undef basename

size_t strspn(const char *text, const char *accept) {
  size_t i = 0;
  while (text[i] != 0 && strchr(accept, text[i]) != 0)
    i++;
  return i;
}

size_t strcspn(const char *text, const char *reject) {
  size_t i = 0;
  while (text[i] != 0 && strchr(reject, text[i]) == 0)
    i++;
  return i;
}

char *strpbrk(const char *text, const char *accept) {
  size_t i = strcspn(text, accept);
  return text[i] == 0 ? 0 : (char *)(text + i);
}

char *strchrnul(const char *text, int byte) {
  size_t i = 0;
  while (text[i] != 0 && text[i] != (char)byte)
    i++;
  return (char *)(text + i);
}

char *index(const char *text, int byte) { return strchr(text, byte); }

char *rindex(const char *text, int byte) { return strrchr(text, byte); }

char *strtok_r(char *text, const char *separators, char **state) {
  char *word = text != 0 ? text : *state;
  size_t length;
  word = word + strspn(word, separators);
  if (word[0] == 0) {
    *state = word;
    return 0;
  }
  length = strcspn(word, separators);
  if (word[length] == 0) {
    *state = word + length;
  } else {
    word[length] = 0;
    *state = word + length + 1;
  }
  return word;
}

/* Not for several threads: the place in the text is one for all, as abpress_frontend.assumed says. */
static char *__abp_words;

char *strtok(char *text, const char *separators) {
  return strtok_r(text, separators, &__abp_words);
}

char *strsep(char **text, const char *separators) {
  char *word = *text;
  size_t length;
  if (word == 0)
    return 0;
  length = strcspn(word, separators);
  if (word[length] == 0) {
    *text = 0;
  } else {
    word[length] = 0;
    *text = word + length + 1;
  }
  return word;
}

char *strndup(const char *text, size_t size) {
  size_t length = strnlen(text, size);
  char *copy = malloc(length + 1);
  size_t i;
  if (copy != 0) {
    for (i = 0; i < length; i++)
      copy[i] = text[i];
    copy[length] = 0;
  }
  return copy;
}

char *stpcpy(char *target, const char *source) {
  size_t i = 0;
  char c;
  do {
    c = source[i];
    target[i] = c;
    i++;
  } while (c != 0);
  return target + (i - 1);
}

void *memrchr(const void *block, int byte, size_t size) {
  const unsigned char *at = block;
  while (size > 0) {
    size--;
    if (at[size] == (unsigned char)byte)
      return (void *)(at + size);
  }
  return 0;
}

void *mempcpy(void *target, const void *source, size_t size) {
  memcpy(target, source, size);
  return (char *)target + size;
}

void *memccpy(void *target, const void *source, int byte, size_t size) {
  char *to = target;
  const char *from = source;
  size_t i;
  for (i = 0; i < size; i++) {
    to[i] = from[i];
    if (to[i] == (char)byte)
      return to + i + 1;
  }
  return 0;
}

void *rawmemchr(const void *block, int byte) {
  const char *bytes = block;
  size_t i = 0;
  while (bytes[i] != (char)byte)
    i++;
  return (void *)(bytes + i);
}

void *memmem(const void *block, size_t size, const void *part, size_t part_size) {
  const char *bytes = block;
  size_t i;
  if (part_size > size)
    return 0;
  for (i = 0; i <= size - part_size; i++)
    if (memcmp(bytes + i, part, part_size) == 0)
      return (void *)(bytes + i);
  return 0;
}

char *stpncpy(char *target, const char *source, size_t size) {
  size_t length = strnlen(source, size);
  strncpy(target, source, size);
  return target + length;
}

char *strcasestr(const char *text, const char *part) {
  size_t length = strlen(part);
  size_t i = 0;
  for (;;) {
    if (strncasecmp(text + i, part, length) == 0)
      return (char *)(text + i);
    if (text[i] == 0)
      return 0;
    i++;
  }
}

size_t strlcpy(char *target, const char *source, size_t size) {
  size_t length = strlen(source);
  size_t i;
  if (size != 0) {
    for (i = 0; i < size - 1 && i < length; i++)
      target[i] = source[i];
    target[i] = 0;
  }
  return length;
}

size_t strlcat(char *target, const char *source, size_t size) {
  size_t length = strnlen(target, size);
  return length + strlcpy(target + length, source, size - length);
}

/* In the C locale texts are ordered by their bytes. */
int strcoll(const char *a, const char *b) { return strcmp(a, b); }

size_t strxfrm(char *target, const char *source, size_t size) {
  return strlcpy(target, source, size);
}

int bcmp(const void *a, const void *b, size_t size) { return memcmp(a, b, size); }

void bcopy(const void *source, void *target, size_t size) { memmove(target, source, size); }

void explicit_bzero(void *target, size_t size) { memset(target, 0, size); }

int ffsll(long long value) { return __builtin_ffsll(value); }

int ffsl(long value) { return __builtin_ffsl(value); }

/* That of GNU, which changes nothing. */
char *basename(const char *path) {
  char *slash = strrchr(path, '/');
  return slash != 0 ? slash + 1 : (char *)path;
}

/* Those of POSIX, which shorten the text (glibc). */
char *__xpg_basename(char *path) {
  char *at;
  if (path == 0 || *path == 0)
    return ".";
  at = strrchr(path, '/');
  if (at == 0)
    return path;
  if (at[1] != 0)
    return at + 1;
  while (at > path && at[-1] == '/')
    at--;
  if (at == path) {
    while (at[1] != 0)
      at++;
    return at;
  }
  *at = 0;
  at--;
  while (at > path && at[-1] != '/')
    at--;
  return at;
}

static char *__abp_before_slashes(char *path, char *at) {
  while (at != path && at[-1] == '/')
    at--;
  return at;
}

char *dirname(char *path) {
  char *slash = path == 0 ? 0 : strrchr(path, '/');
  char *end;
  if (slash != 0 && slash != path && slash[1] == 0) {
    end = __abp_before_slashes(path, slash);
    if (end != path)
      slash = memrchr(path, '/', (size_t)(end - path));
  }
  if (slash == 0)
    return ".";
  end = __abp_before_slashes(path, slash);
  if (end == path)
    end = slash == path + 1 ? slash + 1 : path + 1;
  *end = 0;
  return path;
}

char *strsignal(int number) { return "signal"; }

/* That of GNU, which may leave the text alone. */
char *strerror_r(int number, char *text, size_t size) { return strerror(number); }

int __xpg_strerror_r(int number, char *text, size_t size) {
  return strlcpy(text, strerror(number), size) < size ? 0 : ERANGE;
}
