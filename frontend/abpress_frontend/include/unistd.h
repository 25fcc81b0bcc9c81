#ifndef ABPRESS_UNISTD_H
#define ABPRESS_UNISTD_H
#include <stdint.h>
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define _SC_ARG_MAX 0
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _POSIX_VERSION 200809L
#define _POSIX_THREADS 200809L
#define _POSIX_BARRIERS 200809L
#define _POSIX_SPIN_LOCKS 200809L
#define _POSIX_TIMEOUTS 200809L

extern char **environ;
extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
int getopt(int count, char *const arguments[], const char *options);

unsigned int sleep(unsigned int seconds);
int usleep(useconds_t microseconds);
unsigned int alarm(unsigned int seconds);
int pause(void);

_Noreturn void _exit(int status);
pid_t fork(void);
pid_t vfork(void);
pid_t getpid(void);
pid_t getppid(void);
pid_t gettid(void);
pid_t setsid(void);
pid_t getpgrp(void);
int setpgid(pid_t process, pid_t group);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int setuid(uid_t user);
int setgid(gid_t group);
int seteuid(uid_t user);
int setegid(gid_t group);
int nice(int increment);
int daemon(int keep_directory, int keep_files);
int execl(const char *path, const char *argument, ...);
int execlp(const char *file, const char *argument, ...);
int execv(const char *path, char *const arguments[]);
int execve(const char *path, char *const arguments[], char *const environment[]);
int execvp(const char *file, char *const arguments[]);
long syscall(long number, ...);
long sysconf(int name);
int getpagesize(void);

ssize_t read(int descriptor, void *target, size_t size);
ssize_t write(int descriptor, const void *source, size_t size);
ssize_t pread(int descriptor, void *target, size_t size, off_t offset);
ssize_t pwrite(int descriptor, const void *source, size_t size, off_t offset);
off_t lseek(int descriptor, off_t offset, int origin);
int close(int descriptor);
int dup(int descriptor);
int dup2(int descriptor, int target);
int pipe(int descriptors[2]);
int pipe2(int descriptors[2], int flags);
int getdtablesize(void);
int fsync(int descriptor);
int fdatasync(int descriptor);
void sync(void);
int ftruncate(int descriptor, off_t size);
int truncate(const char *path, off_t size);
int isatty(int descriptor);
int access(const char *path, int mode);
int unlink(const char *path);
int rmdir(const char *path);
int link(const char *old, const char *new);
int symlink(const char *target, const char *path);
ssize_t readlink(const char *path, char *target, size_t size);
int chdir(const char *path);
int fchdir(int descriptor);
int chroot(const char *path);
int chown(const char *path, uid_t user, gid_t group);
char *getcwd(char *text, size_t size);
char *getlogin(void);
int gethostname(char *name, size_t size);
void *sbrk(intptr_t increment);
char *crypt(const char *key, const char *salt);
void swab(const void *source, void *target, ssize_t size);

#endif
