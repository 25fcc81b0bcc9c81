#ifndef ABPRESS_WCHAR_H
#define ABPRESS_WCHAR_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef unsigned int wint_t;
typedef struct {
  int __abp_state;
} mbstate_t;
#define WEOF 0xffffffffU

size_t wcslen(const wchar_t *text);
int wcscmp(const wchar_t *a, const wchar_t *b);
int wcsncmp(const wchar_t *a, const wchar_t *b, size_t size);
wchar_t *wcscpy(wchar_t *target, const wchar_t *source);
wchar_t *wcsncpy(wchar_t *target, const wchar_t *source, size_t size);
wchar_t *wcscat(wchar_t *target, const wchar_t *source);
wchar_t *wcschr(const wchar_t *text, wchar_t wide);
wchar_t *wcsrchr(const wchar_t *text, wchar_t wide);
wchar_t *wcsstr(const wchar_t *text, const wchar_t *part);
wchar_t *wmemcpy(wchar_t *target, const wchar_t *source, size_t size);
wchar_t *wmemset(wchar_t *target, wchar_t wide, size_t size);
size_t mbrtowc(wchar_t *wide, const char *text, size_t size, mbstate_t *state);
size_t wcrtomb(char *text, wchar_t wide, mbstate_t *state);
size_t mbsrtowcs(wchar_t *wide, const char **text, size_t size, mbstate_t *state);
int mbsinit(const mbstate_t *state);
int wcwidth(wchar_t wide);
wint_t btowc(int byte);
int wctob(wint_t wide);
int wprintf(const wchar_t *format, ...);

#endif
