/* Primitives that the lowering gives to the models; a program may use them too. */
#ifndef ABPRESS_H
#define ABPRESS_H
#include <stddef.h>
#include <abpress_types.h>

/* An atomic block: one indivisible step. A block that cannot be finished cannot be begun. */
void __abp_atomic_begin(void);
void __abp_atomic_end(void);
/* Blocks until `condition`; waiting here can be a deadlock. */
void __abp_await(int condition);
/* Restricts executions; waiting here is no deadlock. */
void __abp_assume(int condition);

/* Threads: ids start at 1 (main); 0 is never an id. */
__abp_id_t __abp_self(void);
__abp_id_t __abp_spawn(void *(*function)(void *), void *argument);
void *__abp_join(__abp_id_t thread);
void __abp_finish(void *result);

/* What stands for its owner in an object that was destroyed. */
#define __ABP_DESTROYED (~(__abp_id_t)0)

/* Ends the program; violates a property; undefined behaviour, of the thread library (no-misuse); a
   bound of the tool. */
void __abp_exit(const char *how);
void __abp_fail(const char *property, const char *message);
void __abp_fault(const char *kind);
void __abp_misuse(const char *kind);
void __abp_cut(const char *reason);

/* An arbitrary element of a set of threads, as a one-element set; 0 if there is none. */
__abp_set_t __abp_choose_bit(__abp_set_t set);

int __abp_nondet_int(void);
unsigned __abp_nondet_uint(void);
_Bool __abp_nondet_bool(void);
/* Between two constants, both included. */
long __abp_nondet_between(long low, long high);

/* The last second that a clock shows: Linux counts nanoseconds in 64 bits, so that is in the year 2262;
   a time_t of 32 bits ends before. */
#if __SIZEOF_LONG__ == 8
#define __ABP_LAST_SECOND 9223372035
#else
#define __ABP_LAST_SECOND 2147483647
#endif

/* Built in, without declaration, are the constants 0 or 1 of lower/features.py: options, and what a
   program needs. */

/* Called where a thread finishes (not where the program ends), in this order. */
void __abp_thread_exit_cancel(void);
void __abp_thread_exit_cleanup(void);
void __abp_thread_exit_keys(void);
void __abp_thread_exit_robust(void);
void __abp_thread_exit_ended(void);

/* Calls that fail for whatever reason (errno.c): sets errno to any number, and returns -1; whether a call
   fails, which is so at any time, and errno is set then. */
int __abp_any_error(void);
int __abp_fails(void);
void __abp_no_memory(void);

/* Pushes that the thread is in a routine of pthread_once, and pops that (cleanup.c). */
void __abp_cleanup_push_once(pthread_once_t *once);
void __abp_cleanup_pop_once(void);

/* Cancellation (cancel.c), in programs that ask for it (__abp_cancels). */
void __abp_request_cancellation(__abp_id_t thread);
int __abp_is_cancelled(void);
void __abp_act_on_cancellation(void);
void __abp_cancellation_point(void);
void __abp_possible_cancellation_point(void);

/* Whether the lifetime of an id has ended; inside the caller's atomic block (thread.c). */
int __abp_is_over(__abp_id_t thread);
/* A new thread blocks the signals that its creator blocks (signal.c). */
void __abp_inherit_signals(__abp_id_t created);

/* Inline assembler (processor.c). */
unsigned long __abp_flags(void);
void __abp_set_flags(unsigned long flags);
void __abp_of_processor(void);

/* Mutexes, in programs with robust ones (__abp_robust), whose kind has this bit. */
#define __ABP_ROBUST 8
int __abp_take(pthread_mutex_t *mutex);
void __abp_release(pthread_mutex_t *mutex);

/* Called where the program ends by exit or a return from main, or by quick_exit. */
void __abp_run_at_exit(void);
void __abp_run_at_abort(void);
void __abp_run_at_quick_exit(void);

/* What the system only reads (shown.c), where that counts; whether a deadline is valid, and a clock has
   some. */
struct timespec;
void __abp_read_text(const char *text);
void __abp_read_text_if_any(const char *text);
void __abp_use_stream(const void *stream);
int __abp_is_time(const struct timespec *deadline);
int __abp_is_duration(const struct timespec *duration);
int __abp_has_deadlines(int clock);
void __abp_read_printed(const char *format, __builtin_va_list list);

/* Formats of sscanf, fscanf and scanf that are not known before (scan.c), and what directives read of the
   others: each yields what is left to read, or why there is nothing. */
long __abp_scan_spaces(int is_text, const char *text, long place);
long __abp_scan_character(int is_text, const char *text, long place, int wanted);
long __abp_scan_characters(int is_text, const char *text, long place, int letter, const char *set,
                           size_t length, int inverted, unsigned width, char *target);
long __abp_scan_integer(int is_text, const char *text, long place, int letter, unsigned width, int longs,
                        int shorts, void *target);
long __abp_scan_real(int is_text, const char *text, long place, int longs, void *target);
int __abp_sscanf(const char *text, const char *format, ...);
int __abp_fscanf(void *file, const char *format, ...);
int __abp_stdin_scanf(const char *format, ...);

/* Descriptors (files.c): whether one is open, and of no pipe; a new one of a file, or -1; what poll tells
   of one, in an atomic block. */
int __abp_is_open(int descriptor);
int __abp_is_file(int descriptor);
int __abp_open_file(void);
int __abp_ready(int descriptor, int events);
/* Descriptors of epoll (epoll.c), in programs with it (__abp_polls): whether one is; one is closed. */
int __abp_watches(int descriptor);
void __abp_watch_no_more(int descriptor);

/* Mappings (mman.c): zeroed memory, which is noted; its end. */
void *__abp_map(size_t length);
void __abp_unmap(void *address);
void __abp_note_map(void *address, size_t length);

/* Builtins of GNU C that have a model. */
int __builtin_popcountll(unsigned long long bits);
int __builtin_popcountl(unsigned long bits);
int __builtin_popcount(unsigned int bits);
int __builtin_parityll(unsigned long long bits);
int __builtin_parityl(unsigned long bits);
int __builtin_parity(unsigned int bits);
int __builtin_ctzll(unsigned long long bits);
int __builtin_ctzl(unsigned long bits);
int __builtin_ctz(unsigned int bits);
int __builtin_ffsll(long long bits);
int __builtin_ffsl(long bits);
int __builtin_ffs(int bits);
int __builtin_clzll(unsigned long long bits);
int __builtin_clzl(unsigned long bits);
int __builtin_clz(unsigned int bits);
int __builtin_clrsbll(long long bits);
int __builtin_clrsbl(long bits);
int __builtin_clrsb(int bits);
unsigned short __builtin_bswap16(unsigned short bytes);
unsigned int __builtin_bswap32(unsigned int bytes);
unsigned long long __builtin_bswap64(unsigned long long bytes);
int __builtin_memcmp(const void *a, const void *b, size_t size);
void *__builtin_memchr(const void *block, int byte, size_t size);
size_t __builtin_strlen(const char *text);
int __builtin_strcmp(const char *a, const char *b);
int __builtin_strncmp(const char *a, const char *b, size_t size);
char *__builtin_strcpy(char *target, const char *source);
char *__builtin_strncpy(char *target, const char *source, size_t size);
char *__builtin_strcat(char *target, const char *source);
char *__builtin_strncat(char *target, const char *source, size_t size);
char *__builtin_strchr(const char *text, int byte);
char *__builtin_strrchr(const char *text, int byte);
char *__builtin_strstr(const char *text, const char *part);
char *__builtin_strdup(const char *text);
int __builtin_abs(int value);
long __builtin_labs(long value);
long long __builtin_llabs(long long value);

#endif
