#ifndef ABPRESS_STRING_H
#define ABPRESS_STRING_H
#include <stddef.h>
#include <sys/cdefs.h>
#include <strings.h>

void *memset(void *target, int value, size_t size);
void *memcpy(void *target, const void *source, size_t size);
void *memmove(void *target, const void *source, size_t size);
void *mempcpy(void *target, const void *source, size_t size);
void *memccpy(void *target, const void *source, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
void *memchr(const void *block, int byte, size_t size);
void *rawmemchr(const void *block, int byte);
void *memrchr(const void *block, int byte, size_t size);
void *memmem(const void *block, size_t size, const void *part, size_t part_size);

size_t strlen(const char *text);
size_t strnlen(const char *text, size_t size);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t size);
int strcoll(const char *a, const char *b);
size_t strxfrm(char *target, const char *source, size_t size);
char *strcpy(char *target, const char *source);
char *strncpy(char *target, const char *source, size_t size);
char *stpcpy(char *target, const char *source);
char *strcat(char *target, const char *source);
char *strncat(char *target, const char *source, size_t size);
char *strchr(const char *text, int byte);
char *strrchr(const char *text, int byte);
char *strchrnul(const char *text, int byte);
char *strstr(const char *text, const char *part);
char *strcasestr(const char *text, const char *part);
size_t strspn(const char *text, const char *accept);
size_t strcspn(const char *text, const char *reject);
char *strpbrk(const char *text, const char *accept);
char *strtok(char *text, const char *separators);
char *strtok_r(char *text, const char *separators, char **state);
char *strsep(char **text, const char *separators);
char *strdup(const char *text);
char *__strdup(const char *text);
char *strndup(const char *text, size_t size);
char *strerror(int number);
char *strerror_r(int number, char *text, size_t size);
#ifndef basename
char *basename(const char *path);
#endif
size_t strlcpy(char *target, const char *source, size_t size);
size_t strlcat(char *target, const char *source, size_t size);
#ifndef _GNU_SOURCE
#define strerror_r __xpg_strerror_r
#endif
int __xpg_strerror_r(int number, char *text, size_t size);
char *strsignal(int number);
char *stpncpy(char *target, const char *source, size_t size);
void explicit_bzero(void *target, size_t size);

#endif
