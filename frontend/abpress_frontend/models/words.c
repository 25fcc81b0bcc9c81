/* Parts of strings (ISO C 7.24.5, POSIX). Each access is a step of its own where others can reach the
   memory, as in the library. */
#include <abpress.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
