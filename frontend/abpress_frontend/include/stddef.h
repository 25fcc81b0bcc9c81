#ifndef ABPRESS_STDDEF_H
#define ABPRESS_STDDEF_H

#ifdef __LP64__
typedef unsigned long size_t;
typedef long ptrdiff_t;
#else
typedef unsigned int size_t;
typedef int ptrdiff_t;
#endif
typedef int wchar_t;
typedef struct {
  long long __abp_integer __attribute__((aligned(8)));
  long double __abp_number __attribute__((aligned(16)));
#ifndef __LP64__
  char __abp_wide[16] __attribute__((aligned(16)));
#endif
} max_align_t;

#undef NULL
#define NULL ((void *)0)
#undef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
