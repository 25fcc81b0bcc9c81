"""The macros that are defined before the first line of a program, as a GNU C compiler has them.

`__GNUC__` is defined: real programs choose between attributes and builtins, which this frontend
understands, and fall-backs for unknown compilers, which are often `#error`.
"""

from __future__ import annotations

import re

_COMMON = """
__STDC__ 1
__STDC_HOSTED__ 1
__STDC_VERSION__ 201710L
__STDC_UTF_16__ 1
__STDC_UTF_32__ 1
__STDC_NO_COMPLEX__ 1
__ABPRESS__ 1
__GNUC__ 12
__GNUC_MINOR__ 0
__GNUC_PATCHLEVEL__ 0
__GNUC_STDC_INLINE__ 1
__VERSION__ "12.0.0"
__linux__ 1
__linux 1
__gnu_linux__ 1
__unix__ 1
__unix 1
__ELF__ 1
_REENTRANT 1
__DATE__ "Jan  1 1970"
__TIME__ "00:00:00"
__TIMESTAMP__ "Thu Jan  1 00:00:00 1970"
__INCLUDE_LEVEL__ 0
__CHAR_BIT__ 8
__SCHAR_MAX__ 127
__SHRT_MAX__ 32767
__INT_MAX__ 2147483647
__LONG_LONG_MAX__ 9223372036854775807LL
__INTMAX_MAX__ 9223372036854775807LL
__UINTMAX_MAX__ 18446744073709551615ULL
__INT8_MAX__ 127
__INT16_MAX__ 32767
__INT32_MAX__ 2147483647
__INT64_MAX__ 9223372036854775807LL
__UINT8_MAX__ 255
__UINT16_MAX__ 65535
__UINT32_MAX__ 4294967295U
__UINT64_MAX__ 18446744073709551615ULL
__WCHAR_MAX__ 2147483647
__SIZEOF_SHORT__ 2
__SIZEOF_INT__ 4
__SIZEOF_LONG_LONG__ 8
__SIZEOF_FLOAT__ 4
__SIZEOF_DOUBLE__ 8
__SIZEOF_WCHAR_T__ 4
__INT8_TYPE__ signed char
__INT16_TYPE__ short int
__INT32_TYPE__ int
__INT64_TYPE__ long long int
__UINT8_TYPE__ unsigned char
__UINT16_TYPE__ short unsigned int
__UINT32_TYPE__ unsigned int
__UINT64_TYPE__ long long unsigned int
__INTMAX_TYPE__ long long int
__UINTMAX_TYPE__ long long unsigned int
__WCHAR_TYPE__ int
__WINT_TYPE__ unsigned int
__CHAR16_TYPE__ short unsigned int
__CHAR32_TYPE__ unsigned int
__ORDER_LITTLE_ENDIAN__ 1234
__ORDER_BIG_ENDIAN__ 4321
__ORDER_PDP_ENDIAN__ 3412
__BYTE_ORDER__ 1234
__FLOAT_WORD_ORDER__ 1234
__BIGGEST_ALIGNMENT__ 16
__ATOMIC_RELAXED 0
__ATOMIC_CONSUME 1
__ATOMIC_ACQUIRE 2
__ATOMIC_RELEASE 3
__ATOMIC_ACQ_REL 4
__ATOMIC_SEQ_CST 5
__GCC_ATOMIC_TEST_AND_SET_TRUEVAL 1
__GCC_ATOMIC_BOOL_LOCK_FREE 2
__GCC_ATOMIC_CHAR_LOCK_FREE 2
__GCC_ATOMIC_SHORT_LOCK_FREE 2
__GCC_ATOMIC_INT_LOCK_FREE 2
__GCC_ATOMIC_LONG_LOCK_FREE 2
__GCC_ATOMIC_LLONG_LOCK_FREE 2
__GCC_ATOMIC_POINTER_LOCK_FREE 2
"""

_BY_MODEL = {
    "ILP32": """
__ILP32__ 1
_ILP32 1
__i386__ 1
__i386 1
__i686__ 1
__LONG_MAX__ 2147483647L
__SIZEOF_LONG__ 4
__SIZEOF_POINTER__ 4
__SIZEOF_SIZE_T__ 4
__SIZEOF_PTRDIFF_T__ 4
__SIZEOF_LONG_DOUBLE__ 12
__SIZE_TYPE__ unsigned int
__PTRDIFF_TYPE__ int
__INTPTR_TYPE__ int
__UINTPTR_TYPE__ unsigned int
__SIZE_MAX__ 4294967295U
__PTRDIFF_MAX__ 2147483647
__INTPTR_MAX__ 2147483647
__UINTPTR_MAX__ 4294967295U
""",
    "LP64": """
__LP64__ 1
_LP64 1
__x86_64__ 1
__x86_64 1
__amd64__ 1
__LONG_MAX__ 9223372036854775807L
__SIZEOF_LONG__ 8
__SIZEOF_POINTER__ 8
__SIZEOF_SIZE_T__ 8
__SIZEOF_PTRDIFF_T__ 8
__SIZEOF_LONG_DOUBLE__ 16
__SIZEOF_INT128__ 16
__SIZE_TYPE__ long unsigned int
__PTRDIFF_TYPE__ long int
__INTPTR_TYPE__ long int
__UINTPTR_TYPE__ long unsigned int
__SIZE_MAX__ 18446744073709551615UL
__PTRDIFF_MAX__ 9223372036854775807L
__INTPTR_MAX__ 9223372036854775807L
__UINTPTR_MAX__ 18446744073709551615UL
""",
}

_C_ATTRIBUTES = "fallthrough|maybe_unused|nodiscard|deprecated|noreturn"
_GNU_ATTRIBUTES = (
    f"{_C_ATTRIBUTES}|aligned|alloc_size|always_inline|assume_aligned|cleanup|cold|const|"
    "constructor|destructor|error|flatten|format|gnu_inline|hot|leaf|malloc|may_alias|"
    "no_instrument_function|noclone|noinline|nonnull|nonstring|nothrow|packed|pure|"
    "returns_nonnull|returns_twice|section|sentinel|tls_model|transparent_union|unused|used|"
    "vector_size|visibility|warn_unused_result|warning|weak"
)
KNOWN_NAMES = {
    "__has_builtin": re.compile(r"__(builtin|sync|atomic)_\w+$"),
    "__has_attribute": re.compile(rf"(__)?({_GNU_ATTRIBUTES})(__)?$"),
    "__has_c_attribute": re.compile(rf"(__)?({_C_ATTRIBUTES})(__)?$"),
}
"""The tests of conditions that ask for names, and the names that they know."""

DATA_MODELS = tuple(_BY_MODEL)


def predefined(data_model: str) -> list[str]:
    """The predefined macros as `NAME VALUE` lines; `data_model` is one of DATA_MODELS."""
    return (_COMMON + _BY_MODEL[data_model]).split("\n")
