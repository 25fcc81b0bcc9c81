#ifndef ABPRESS_SYS_STAT_H
#define ABPRESS_SYS_STAT_H
#include <sys/types.h>
#include <time.h>

/* As glibc has it, so that preprocessed programs mean the same members. */
struct stat {
  dev_t st_dev;
#ifdef __LP64__
  ino_t st_ino;
  nlink_t st_nlink;
  mode_t st_mode;
#else
  unsigned short __abp_unused;
  ino_t st_ino;
  mode_t st_mode;
  nlink_t st_nlink;
#endif
  uid_t st_uid;
  gid_t st_gid;
#ifdef __LP64__
  int __abp_unused;
#endif
  dev_t st_rdev;
#ifndef __LP64__
  unsigned short __abp_unused_too;
#endif
  off_t st_size;
  blksize_t st_blksize;
  blkcnt_t st_blocks;
  struct timespec st_atim;
  struct timespec st_mtim;
  struct timespec st_ctim;
#ifdef __LP64__
  long __abp_reserved[3];
#else
  unsigned long __abp_reserved[2];
#endif
};
struct stat64 {
  dev_t st_dev;
#ifdef __LP64__
  ino_t st_ino;
  nlink_t st_nlink;
  mode_t st_mode;
#else
  unsigned int __abp_unused;
  ino_t __abp_ino;
  mode_t st_mode;
  nlink_t st_nlink;
#endif
  uid_t st_uid;
  gid_t st_gid;
#ifdef __LP64__
  int __abp_unused;
#endif
  dev_t st_rdev;
#ifdef __LP64__
  off_t st_size;
#else
  unsigned int __abp_unused_too;
  off64_t st_size;
#endif
  blksize_t st_blksize;
#ifdef __LP64__
  blkcnt_t st_blocks;
#else
  long long st_blocks;
#endif
  struct timespec st_atim;
  struct timespec st_mtim;
  struct timespec st_ctim;
#ifdef __LP64__
  long __abp_reserved[3];
#else
  unsigned long long st_ino;
#endif
};
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec

#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFBLK 0060000
#define S_IFREG 0100000
#define S_IFIFO 0010000
#define S_IFLNK 0120000
#define S_IFSOCK 0140000
#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXU 0700
#define S_IRGRP 0040
#define S_IWGRP 0020
#define S_IXGRP 0010
#define S_IRWXG 0070
#define S_IROTH 0004
#define S_IWOTH 0002
#define S_IXOTH 0001
#define S_IRWXO 0007
#define S_IREAD S_IRUSR
#define S_IWRITE S_IWUSR
#define S_IEXEC S_IXUSR
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISBLK(mode) (((mode) & S_IFMT) == S_IFBLK)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) (((mode) & S_IFMT) == S_IFSOCK)

int stat(const char *path, struct stat *result);
int fstat(int descriptor, struct stat *result);
int lstat(const char *path, struct stat *result);
int fstatat(int folder, const char *path, struct stat *result, int flags);
int stat64(const char *path, struct stat64 *result);
int fstat64(int descriptor, struct stat64 *result);
int lstat64(const char *path, struct stat64 *result);
int fstatat64(int folder, const char *path, struct stat64 *result, int flags);
/* What these were in glibc before 2.33. */
int __xstat(int version, const char *path, struct stat *result);
int __fxstat(int version, int descriptor, struct stat *result);
int __lxstat(int version, const char *path, struct stat *result);
int __fxstatat(int version, int folder, const char *path, struct stat *result, int flags);
int __xstat64(int version, const char *path, struct stat64 *result);
int __fxstat64(int version, int descriptor, struct stat64 *result);
int __lxstat64(int version, const char *path, struct stat64 *result);
int __fxstatat64(int version, int folder, const char *path, struct stat64 *result, int flags);
int chmod(const char *path, mode_t mode);
int fchmod(int descriptor, mode_t mode);
int mkdir(const char *path, mode_t mode);
int mkfifo(const char *path, mode_t mode);
int mknod(const char *path, mode_t mode, dev_t device);
mode_t umask(mode_t mask);

#endif
