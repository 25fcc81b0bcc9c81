#ifndef ABPRESS_STRINGS_H
#define ABPRESS_STRINGS_H
#include <stddef.h>

void bzero(void *target, size_t size);
void bcopy(const void *source, void *target, size_t size);
int bcmp(const void *a, const void *b, size_t size);
char *index(const char *text, int byte);
char *rindex(const char *text, int byte);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t size);
int ffs(int value);
int ffsl(long value);
int ffsll(long long value);

#endif
