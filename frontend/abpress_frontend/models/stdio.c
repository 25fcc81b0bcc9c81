/* Streams (ISO C 7.21): what is read is arbitrary, and every call may fail. All streams that are
   opened are one object, as abpress_frontend.assumed says. */
#include <abpress.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static char __abp_stream;

FILE *fopen(const char *path, const char *mode) {
  __abp_read_text(path);
  __abp_read_text(mode);
  return __abp_fails() ? 0 : (FILE *)&__abp_stream;
}

FILE *fdopen(int descriptor, const char *mode) {
  __abp_read_text(mode);
  return __abp_fails() ? 0 : (FILE *)&__abp_stream;
}

FILE *tmpfile(void) { return __abp_fails() ? 0 : (FILE *)&__abp_stream; }

int fclose(FILE *file) {
  __abp_use_stream(file);
  return __abp_fails() ? EOF : 0;
}

int feof(FILE *file) {
  __abp_use_stream(file);
  return __abp_nondet_bool();
}

int ferror(FILE *file) {
  __abp_use_stream(file);
  return __abp_nondet_bool();
}

void clearerr(FILE *file) {
  __abp_use_stream(file);
}

int fseek(FILE *file, long offset, int origin) {
  __abp_use_stream(file);
  return __abp_fails() ? -1 : 0;
}

long ftell(FILE *file) {
  __abp_use_stream(file);
  return __abp_fails() ? -1 : __abp_nondet_between(0, LONG_MAX);
}

void rewind(FILE *file) {
  __abp_use_stream(file);
}

void setlinebuf(FILE *file) {
  __abp_use_stream(file);
}

int fileno(FILE *file) {
  __abp_use_stream(file);
  return (int)__abp_nondet_between(0, INT_MAX);
}

/* At the end of the file the text stays as it is; after an error it may have changed. */
char *fgets(char *text, int size, FILE *file) {
  int i = 0;
  char c = 0;
  __abp_use_stream(file);
  if (size < 1 || (size > 1 && __abp_nondet_bool()))
    return 0;
  while (i < size - 1 && c != '\n' && (i == 0 || __abp_nondet_bool())) {
    c = (char)__abp_nondet_between(-128, 127);
    text[i] = c;
    i++;
  }
  if (__abp_fails())
    return 0;
  text[i] = 0;
  return text;
}

/* Less than all is an error or the end of the file; of an element that has come in part, too. No object
   has room for more than the sizes say. */
size_t fread(void *target, size_t size, size_t count, FILE *file) {
  char *bytes = target;
  size_t i = 0;
  size_t all;
  if (size == 0 || count == 0)
    return 0;
  __abp_use_stream(file);
  if (count > (size_t)-1 / size)
    __abp_fault("a size that does not fit its type");
  all = size * count;
  while (i < all && __abp_nondet_bool()) {
    bytes[i] = (char)__abp_nondet_between(-128, 127);
    i++;
  }
  if (i < all)
    __abp_fails();
  return i / size;
}

size_t fwrite(const void *source, size_t size, size_t count, FILE *file) {
  const char *bytes = source;
  char byte;
  size_t i;
  size_t done = count;
  if (size == 0 || count == 0)
    return 0;
  __abp_use_stream(file);
  if (count > (size_t)-1 / size)
    __abp_fault("a size that does not fit its type");
  for (i = 0; i < size * count; i++)
    byte = bytes[i];
  if (__abp_fails()) {
    do
      done--;
    while (done > 0 && __abp_nondet_bool());
  }
  return done;
}

/* Begins with 120 bytes and doubles them (glibc); the buffer is there whatever becomes of the line. */
ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *file) {
  size_t i = 0;
  size_t room;
  char c = 0;
  char *text;
  __abp_use_stream(file);
  if (line == 0 || size == 0) {
    errno = EINVAL;
    return -1;
  }
  text = *line;
  room = *size;
  if (text == 0 || room == 0) {
    text = realloc(text, 120);
    if (text == 0)
      return -1;
    room = 120;
    *line = text;
    *size = room;
  }
  if (__abp_nondet_bool()) {
    __abp_fails();
    return -1;
  }
  while (i == 0 || (c != (char)delimiter && __abp_nondet_bool())) {
    c = (char)__abp_nondet_between(-128, 127);
    if (room - i < 2) {
      text = realloc(text, 2 * room);
      if (text == 0)
        return -1;
      room = 2 * room;
      *line = text;
      *size = room;
    }
    text[i] = c;
    i++;
  }
  text[i] = 0;
  return (ssize_t)i;
}

ssize_t getline(char **line, size_t *size, FILE *file) { return getdelim(line, size, '\n', file); }

/* Streams are locked as by recursive mutexes (POSIX flockfile); those that are opened are one object here,
   so that who holds which is not known. Input and output, which take the lock as well, do not wait
   for it: an assumption that these waits end. */
static unsigned long __abp_stream_owner[3];
static unsigned __abp_stream_count[3];

static int __abp_standard(FILE *file) {
  __abp_use_stream(file);
  if (file != stdin && file != stdout && file != stderr)
    __abp_cut("a stream is locked that is none of the standard ones");
  return file == stdin ? 0 : file == stdout ? 1 : 2;
}

void flockfile(FILE *file) {
  int which = __abp_standard(file);
  __abp_atomic_begin();
  __abp_await(__abp_stream_count[which] == 0 || __abp_stream_owner[which] == __abp_self());
  __abp_stream_owner[which] = __abp_self();
  __abp_stream_count[which]++;
  __abp_atomic_end();
}

int ftrylockfile(FILE *file) {
  int which = __abp_standard(file), result = 0;
  __abp_atomic_begin();
  if (__abp_stream_count[which] == 0 || __abp_stream_owner[which] == __abp_self()) {
    __abp_stream_owner[which] = __abp_self();
    __abp_stream_count[which]++;
  } else {
    result = -1;
  }
  __abp_atomic_end();
  return result;
}

void funlockfile(FILE *file) {
  int which = __abp_standard(file);
  __abp_atomic_begin();
  if (__abp_stream_count[which] == 0 || __abp_stream_owner[which] != __abp_self())
    __abp_misuse("a stream is unlocked that the thread has not locked");
  __abp_stream_count[which]--;
  __abp_atomic_end();
}

/* Files and folders by their names, and what is done to those that are open. */
static int __abp_done_or_not(void) { return __abp_fails() ? -1 : 0; }

static int __abp_with_file(const char *path) {
  __abp_read_text(path);
  return __abp_done_or_not();
}

int remove(const char *path) { return __abp_with_file(path); }

int rename(const char *old, const char *new) {
  __abp_read_text(old);
  return __abp_with_file(new);
}

int unlink(const char *path) { return __abp_with_file(path); }

int mkdir(const char *path, mode_t mode) { return __abp_with_file(path); }

int rmdir(const char *path) { return __abp_with_file(path); }

int chdir(const char *path) { return __abp_with_file(path); }

int access(const char *path, int mode) { return __abp_with_file(path); }

int truncate(const char *path, off_t size) { return __abp_with_file(path); }

int ftruncate(int descriptor, off_t size) { return __abp_done_or_not(); }

int fsync(int descriptor) { return __abp_done_or_not(); }

int fdatasync(int descriptor) { return __abp_done_or_not(); }

int isatty(int descriptor) { return __abp_fails() ? 0 : 1; }

/* A buffer that is given is not used: what is written there is nobody's to read (ISO C 7.21.5.6). */
int setvbuf(FILE *file, char *buffer, int mode, size_t size) {
  __abp_use_stream(file);
  return __abp_fails() ? EOF : 0;
}

/* What is put back would be read next, and is not kept. */
int ungetc(int byte, FILE *file) {
  __abp_use_stream(file);
  if (byte != EOF)
    __abp_cut("a character is put back");
  return EOF;
}

FILE *freopen(const char *path, const char *mode, FILE *file) {
  __abp_read_text_if_any(path);
  __abp_read_text(mode);
  __abp_use_stream(file);
  return __abp_fails() ? 0 : file;
}

int fseeko(FILE *file, off_t offset, int origin) { return fseek(file, 0, origin); }

off_t ftello(FILE *file) { return ftell(file); }

int fgetpos(FILE *file, fpos_t *position) {
  fpos_t any;
  __abp_use_stream(file);
  if (__abp_fails())
    return 1;
  *position = any;
  return 0;
}

int fsetpos(FILE *file, const fpos_t *position) {
  fpos_t read = *position;
  __abp_use_stream(file);
  return __abp_fails() ? 1 : 0;
}

void setbuf(FILE *file, char *buffer) {
  __abp_use_stream(file);
}

void setbuffer(FILE *file, char *buffer, size_t size) {
  __abp_use_stream(file);
}

int chmod(const char *path, mode_t mode) { return __abp_with_file(path); }

int fchmod(int descriptor, mode_t mode) { return __abp_done_or_not(); }

int mkfifo(const char *path, mode_t mode) { return __abp_with_file(path); }

int link(const char *old, const char *new) { return rename(old, new); }

int symlink(const char *target, const char *path) { return rename(target, path); }

int flock(int descriptor, int operation) { return __abp_done_or_not(); }

mode_t umask(mode_t mode) { return (mode_t)__abp_nondet_between(0, 0777); }

/* A command and what it does are not looked at: they may do nothing, an assumption. */
FILE *popen(const char *command, const char *mode) { return fopen(command, mode); }

int pclose(FILE *file) {
  __abp_use_stream(file);
  return __abp_fails() ? -1 : (int)__abp_nondet_between(0, 65535);
}

int system(const char *command) {
  __abp_read_text_if_any(command);
  return __abp_fails() ? -1 : (int)__abp_nondet_between(0, 65535);
}
