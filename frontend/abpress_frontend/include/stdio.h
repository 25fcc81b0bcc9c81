#ifndef ABPRESS_STDIO_H
#define ABPRESS_STDIO_H
#include <abpress_base.h>
#include <stdarg.h>
#include <stddef.h>

typedef struct _IO_FILE FILE;
typedef struct {
  long long __abp_position;
} fpos_t;

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr

#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define TMP_MAX 238328
#define L_tmpnam 20
#define P_tmpdir "/tmp"
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2

int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int dprintf(int descriptor, const char *format, ...);
int sprintf(char *text, const char *format, ...);
int snprintf(char *text, size_t size, const char *format, ...);
int asprintf(char **text, const char *format, ...);
int vprintf(const char *format, va_list list);
int vfprintf(FILE *file, const char *format, va_list list);
int vdprintf(int descriptor, const char *format, va_list list);
int vsprintf(char *text, const char *format, va_list list);
int vsnprintf(char *text, size_t size, const char *format, va_list list);
int vasprintf(char **text, const char *format, va_list list);
int scanf(const char *format, ...);
int fscanf(FILE *file, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
int vscanf(const char *format, va_list list);
int vfscanf(FILE *file, const char *format, va_list list);
int vsscanf(const char *text, const char *format, va_list list);

int getchar(void);
int getc(FILE *file);
int fgetc(FILE *file);
int ungetc(int byte, FILE *file);
int getchar_unlocked(void);
int getc_unlocked(FILE *file);
char *gets(char *text);
char *fgets(char *text, int size, FILE *file);
ssize_t getline(char **line, size_t *size, FILE *file);
ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *file);
int putchar(int byte);
int putc(int byte, FILE *file);
int fputc(int byte, FILE *file);
int putchar_unlocked(int byte);
int putc_unlocked(int byte, FILE *file);
int puts(const char *text);
int fputs(const char *text, FILE *file);
size_t fread(void *target, size_t size, size_t count, FILE *file);
size_t fwrite(const void *source, size_t size, size_t count, FILE *file);
void perror(const char *text);

FILE *fopen(const char *path, const char *mode);
FILE *fdopen(int descriptor, const char *mode);
FILE *freopen(const char *path, const char *mode, FILE *file);
FILE *popen(const char *command, const char *mode);
FILE *tmpfile(void);
char *tmpnam(char *name);
int fclose(FILE *file);
int pclose(FILE *file);
int fflush(FILE *file);
int feof(FILE *file);
int ferror(FILE *file);
void clearerr(FILE *file);
int fileno(FILE *file);
int fseek(FILE *file, long offset, int origin);
int fseeko(FILE *file, off_t offset, int origin);
long ftell(FILE *file);
off_t ftello(FILE *file);
void rewind(FILE *file);
int fgetpos(FILE *file, fpos_t *position);
int fsetpos(FILE *file, const fpos_t *position);
void setbuf(FILE *file, char *buffer);
void setbuffer(FILE *file, char *buffer, size_t size);
void setlinebuf(FILE *file);
int setvbuf(FILE *file, char *buffer, int mode, size_t size);
void flockfile(FILE *file);
int ftrylockfile(FILE *file);
void funlockfile(FILE *file);
int remove(const char *path);
int rename(const char *old, const char *new);

#endif
