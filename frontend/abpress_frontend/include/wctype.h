#ifndef ABPRESS_WCTYPE_H
#define ABPRESS_WCTYPE_H
#include <wchar.h>

typedef unsigned long wctype_t;

int iswalnum(wint_t wide);
int iswalpha(wint_t wide);
int iswdigit(wint_t wide);
int iswlower(wint_t wide);
int iswprint(wint_t wide);
int iswpunct(wint_t wide);
int iswspace(wint_t wide);
int iswupper(wint_t wide);
wint_t towlower(wint_t wide);
wint_t towupper(wint_t wide);

#endif
