/* Functions of the C library that access memory and do nothing else. They go from begin to end, and
   stop before each access of some first ones; then others can see what is half done. */

enum { STOPS = 64 };

/* Before the access with a number, from 0 on. */
static void passes(enum access how, const void *object, size_t size, size_t number) {
  if (number < STOPS)
    touch(how, object, size);
  else
    check(how, object, size);
}

/* How many bytes are accessed at once: as many as these addresses and this size are multiples of. */
static size_t unit_of(uintptr_t addresses, size_t size) {
  return (addresses | size) % 8 == 0 ? 8 : (addresses | size) % 4 == 0 ? 4 : 1;
}

static char byte_of(const char *text, size_t i) {
  passes(READ, text + i, 1, i);
  return text[i];
}

static void set_byte(char *text, size_t i, char byte) {
  passes(WRITE, text + i, 1, i);
  text[i] = byte;
}

static void *moved(void *target, const void *source, size_t size, bool back) {
  size_t unit = unit_of((uintptr_t)target | (uintptr_t)source, size);
  for (size_t done = 0; done < size; done += unit) {
    size_t at = back ? size - unit - done : done;
    uint64_t value = 0;
    passes(READ, (const char *)source + at, unit, done / unit);
    memcpy(&value, (const char *)source + at, unit);
    passes(WRITE, (char *)target + at, unit, done / unit);
    memcpy((char *)target + at, &value, unit);
  }
  return target;
}

void *abp_memmove(void *target, const void *source, size_t size) {
  return moved(target, source, size, (uintptr_t)source < (uintptr_t)target);
}

void *abp_memcpy(void *target, const void *source, size_t size) {
  return moved(target, source, size, false);
}

void *abp_memset(void *target, int byte, size_t size) {
  size_t unit = unit_of((uintptr_t)target, size);
  for (size_t at = 0; at < size; at += unit) {
    passes(WRITE, (char *)target + at, unit, at / unit);
    memset((char *)target + at, byte, unit);
  }
  return target;
}

int abp_memcmp(const void *a, const void *b, size_t size) {
  for (size_t i = 0; i < size; i++) {
    unsigned char x = byte_of(a, i), y = byte_of(b, i);
    if (x != y)
      return x < y ? -1 : 1;
  }
  return 0;
}

void *abp_memchr(const void *block, int byte, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (byte_of(block, i) == (char)byte)
      return (char *)block + i;
  return 0;
}

size_t abp_strnlen(const char *text, size_t size) {
  size_t length = 0;
  while (length < size && byte_of(text, length))
    length++;
  return length;
}

size_t abp_strlen(const char *text) { return abp_strnlen(text, SIZE_MAX); }

int abp_strncmp(const char *a, const char *b, size_t size) {
  for (size_t i = 0; i < size; i++) {
    unsigned char x = byte_of(a, i), y = byte_of(b, i);
    if (x != y)
      return x < y ? -1 : 1;
    if (x == 0)
      break;
  }
  return 0;
}

int abp_strcmp(const char *a, const char *b) { return abp_strncmp(a, b, SIZE_MAX); }

char *abp_strcpy(char *target, const char *source) {
  char byte;
  size_t i = 0;
  do {
    byte = byte_of(source, i);
    set_byte(target, i++, byte);
  } while (byte);
  return target;
}

char *abp_strncpy(char *target, const char *source, size_t size) {
  char byte = 1;
  for (size_t i = 0; i < size; i++) {
    byte = byte ? byte_of(source, i) : 0;
    set_byte(target, i, byte);
  }
  return target;
}

char *abp_strncat(char *target, const char *source, size_t size) {
  size_t at = abp_strlen(target), i = 0;
  for (; i < size; i++) {
    char byte = byte_of(source, i);
    if (byte == 0)
      break;
    set_byte(target, at + i, byte);
  }
  set_byte(target, at + i, 0);
  return target;
}

char *abp_strcat(char *target, const char *source) {
  abp_strcpy(target + abp_strlen(target), source);
  return target;
}

char *abp_strchr(const char *text, int byte) {
  for (size_t i = 0;; i++) {
    char here = byte_of(text, i);
    if (here == (char)byte)
      return (char *)text + i;
    if (here == 0)
      return 0;
  }
}

char *abp_strrchr(const char *text, int byte) {
  char *last = 0;
  for (size_t i = 0;; i++) {
    char here = byte_of(text, i);
    if (here == (char)byte)
      last = (char *)text + i;
    if (here == 0)
      return last;
  }
}
