#ifndef ABPRESS_STDINT_H
#define ABPRESS_STDINT_H
#include <stddef.h>
#include <sys/cdefs.h>

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
#ifdef __LP64__
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef long int_fast16_t;
typedef unsigned long uint_fast16_t;
typedef long int_fast32_t;
typedef unsigned long uint_fast32_t;
#else
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef int intptr_t;
typedef unsigned int uintptr_t;
typedef long long intmax_t;
typedef unsigned long long uintmax_t;
typedef int int_fast16_t;
typedef unsigned int uint_fast16_t;
typedef int int_fast32_t;
typedef unsigned int uint_fast32_t;
#endif
typedef int8_t int_least8_t;
typedef uint8_t uint_least8_t;
typedef int16_t int_least16_t;
typedef uint16_t uint_least16_t;
typedef int32_t int_least32_t;
typedef uint32_t uint_least32_t;
typedef int64_t int_least64_t;
typedef uint64_t uint_least64_t;
typedef signed char int_fast8_t;
typedef unsigned char uint_fast8_t;
typedef int64_t int_fast64_t;
typedef uint64_t uint_fast64_t;

#ifdef __LP64__
#define __ABP_64(n) n##L
#define __ABP_U64(n) n##UL
#else
#define __ABP_64(n) n##LL
#define __ABP_U64(n) n##ULL
#endif

#define INT8_C(n) n
#define INT16_C(n) n
#define INT32_C(n) n
#define INT64_C(n) __ABP_64(n)
#define UINT8_C(n) n
#define UINT16_C(n) n
#define UINT32_C(n) n##U
#define UINT64_C(n) __ABP_U64(n)
#define INTMAX_C(n) __ABP_64(n)
#define UINTMAX_C(n) __ABP_U64(n)

#define INT8_MAX 127
#define INT8_MIN (-127 - 1)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32767 - 1)
#define UINT16_MAX 65535
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define UINT32_MAX 4294967295U
#define INT64_MAX __ABP_64(9223372036854775807)
#define INT64_MIN (-__ABP_64(9223372036854775807) - 1)
#define UINT64_MAX __ABP_U64(18446744073709551615)
#define INT_LEAST8_MAX 127
#define INT_LEAST8_MIN (-127 - 1)
#define UINT_LEAST8_MAX 255
#define INT_LEAST16_MAX 32767
#define INT_LEAST16_MIN (-32767 - 1)
#define UINT_LEAST16_MAX 65535
#define INT_LEAST32_MAX 2147483647
#define INT_LEAST32_MIN (-2147483647 - 1)
#define UINT_LEAST32_MAX 4294967295U
#define INT_LEAST64_MAX __ABP_64(9223372036854775807)
#define INT_LEAST64_MIN (-__ABP_64(9223372036854775807) - 1)
#define UINT_LEAST64_MAX __ABP_U64(18446744073709551615)
#define INT_FAST8_MAX INT8_MAX
#define INT_FAST8_MIN INT8_MIN
#define UINT_FAST8_MAX UINT8_MAX
#define INT_FAST16_MAX INTPTR_MAX
#define INT_FAST16_MIN INTPTR_MIN
#define UINT_FAST16_MAX UINTPTR_MAX
#define INT_FAST32_MAX INTPTR_MAX
#define INT_FAST32_MIN INTPTR_MIN
#define UINT_FAST32_MAX UINTPTR_MAX
#define INT_FAST64_MAX INT64_MAX
#define INT_FAST64_MIN INT64_MIN
#define UINT_FAST64_MAX UINT64_MAX
#define INTMAX_MAX INT64_MAX
#define INTMAX_MIN INT64_MIN
#define UINTMAX_MAX UINT64_MAX
#ifdef __LP64__
#define INTPTR_MAX INT64_MAX
#define INTPTR_MIN INT64_MIN
#define UINTPTR_MAX UINT64_MAX
#define SIZE_MAX UINT64_MAX
#else
#define INTPTR_MAX INT32_MAX
#define INTPTR_MIN INT32_MIN
#define UINTPTR_MAX UINT32_MAX
#define SIZE_MAX UINT32_MAX
#endif
#define PTRDIFF_MAX INTPTR_MAX
#define PTRDIFF_MIN INTPTR_MIN
#define WCHAR_MAX INT32_MAX
#define WCHAR_MIN INT32_MIN
#define WINT_MAX UINT32_MAX
#define WINT_MIN 0U
#define SIG_ATOMIC_MAX INT32_MAX
#define SIG_ATOMIC_MIN INT32_MIN

#endif
