#ifndef ABPRESS_STDLIB_H
#define ABPRESS_STDLIB_H
#include <alloca.h>
#include <stddef.h>
#include <sys/types.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX 1

typedef struct {
  int quot;
  int rem;
} div_t;
typedef struct {
  long quot;
  long rem;
} ldiv_t;
typedef struct {
  long long quot;
  long long rem;
} lldiv_t;

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void *reallocarray(void *block, size_t count, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **block, size_t alignment, size_t size);
void free(void *block);

_Noreturn void abort(void);
_Noreturn void exit(int status);
_Noreturn void _Exit(int status);
_Noreturn void quick_exit(int status);
int atexit(void (*function)(void));
int at_quick_exit(void (*function)(void));
int on_exit(void (*function)(int, void *), void *argument);
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
int putenv(char *text);
int system(const char *command);

int abs(int value);
long labs(long value);
long long llabs(long long value);
div_t div(int dividend, int divisor);
ldiv_t ldiv(long dividend, long divisor);
lldiv_t lldiv(long long dividend, long long divisor);

int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);

/* The names that glibc gives them for C23. */
long __isoc23_strtol(const char *text, char **end, int base);
unsigned long __isoc23_strtoul(const char *text, char **end, int base);
long long __isoc23_strtoll(const char *text, char **end, int base);
unsigned long long __isoc23_strtoull(const char *text, char **end, int base);

/* What older headers of glibc make of them; `group` is 0. */
long __strtol_internal(const char *text, char **end, int base, int group);
unsigned long __strtoul_internal(const char *text, char **end, int base, int group);
long long __strtoll_internal(const char *text, char **end, int base, int group);
unsigned long long __strtoull_internal(const char *text, char **end, int base, int group);

double strtod(const char *text, char **end);
float strtof(const char *text, char **end);
long double strtold(const char *text, char **end);

int rand(void);
void srand(unsigned int seed);
int rand_r(unsigned int *seed);
long random(void);
void srandom(unsigned int seed);
char *initstate(unsigned int seed, char *state, size_t size);
char *setstate(char *state);
double drand48(void);
long lrand48(void);
long mrand48(void);
void srand48(long seed);
double erand48(unsigned short state[3]);
long nrand48(unsigned short state[3]);
long jrand48(unsigned short state[3]);

struct drand48_data {
  unsigned short __x[3];
  unsigned short __old_x[3];
  unsigned short __c;
  unsigned short __init;
  unsigned long long __a;
};
int srand48_r(long seed, struct drand48_data *buffer);
int drand48_r(struct drand48_data *buffer, double *result);
int lrand48_r(struct drand48_data *buffer, long *result);
int mrand48_r(struct drand48_data *buffer, long *result);
int erand48_r(unsigned short state[3], struct drand48_data *buffer, double *result);
int nrand48_r(unsigned short state[3], struct drand48_data *buffer, long *result);
int jrand48_r(unsigned short state[3], struct drand48_data *buffer, long *result);

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *));

char *mktemp(char *pattern);
int mkstemp(char *pattern);
char *mkdtemp(char *pattern);
char *realpath(const char *path, char *resolved);
int getloadavg(double averages[], int count);

int mblen(const char *text, size_t size);
int mbtowc(wchar_t *wide, const char *text, size_t size);
int wctomb(char *text, wchar_t wide);
size_t mbstowcs(wchar_t *wide, const char *text, size_t size);
size_t wcstombs(char *text, const wchar_t *wide, size_t size);

#endif
