/* What is told of files (POSIX stat): of one that is there, anything. */
#include <abpress.h>
#include <limits.h>
#include <sys/stat.h>

static int __abp_status(struct stat *result) {
  struct stat any;
  if (__abp_fails())
    return -1;
  *result = any;
  result->st_size = __abp_nondet_between(0, LONG_MAX);
  return 0;
}

int stat(const char *path, struct stat *result) {
  __abp_read_text(path);
  return __abp_status(result);
}

int lstat(const char *path, struct stat *result) { return stat(path, result); }

int fstat(int descriptor, struct stat *result) { return __abp_status(result); }

int fstatat(int folder, const char *path, struct stat *result, int flags) {
  return stat(path, result);
}

int __xstat(int version, const char *path, struct stat *result) { return stat(path, result); }

int __lxstat(int version, const char *path, struct stat *result) { return stat(path, result); }

int __fxstat(int version, int descriptor, struct stat *result) { return __abp_status(result); }

int __fxstatat(int version, int folder, const char *path, struct stat *result, int flags) {
  return stat(path, result);
}

static int __abp_status64(struct stat64 *result) {
  struct stat64 any;
  if (__abp_fails())
    return -1;
  *result = any;
  result->st_size = __abp_nondet_between(0, LONG_MAX);
  return 0;
}

int stat64(const char *path, struct stat64 *result) {
  __abp_read_text(path);
  return __abp_status64(result);
}

int lstat64(const char *path, struct stat64 *result) { return stat64(path, result); }

int fstat64(int descriptor, struct stat64 *result) { return __abp_status64(result); }

int fstatat64(int folder, const char *path, struct stat64 *result, int flags) {
  return stat64(path, result);
}

int __xstat64(int version, const char *path, struct stat64 *result) { return stat64(path, result); }

int __lxstat64(int version, const char *path, struct stat64 *result) { return stat64(path, result); }

int __fxstat64(int version, int descriptor, struct stat64 *result) { return __abp_status64(result); }

int __fxstatat64(int version, int folder, const char *path, struct stat64 *result, int flags) {
  return stat64(path, result);
}
