/* Included again, it follows NDEBUG anew. */
#undef assert
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) __abp_assert((__VA_ARGS__), #__VA_ARGS__)
#endif

#undef static_assert
#define static_assert _Static_assert

#ifndef ABPRESS_ASSERT_H
#define ABPRESS_ASSERT_H
void __abp_assert(_Bool condition, const char *text);
void __assert_fail(const char *text, const char *file, unsigned int line, const char *function);
void __assert_perror_fail(int number, const char *file, unsigned int line, const char *function);
void __assert(const char *text, const char *file, int line);
#endif
