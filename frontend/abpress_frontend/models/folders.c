/* Folders (POSIX readdir): what is in them is arbitrary, and may be without end. A name is kept in the
   object that stands for the open folder. */
#include <abpress.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>

struct __abp_directory {
  struct dirent entry;
};

DIR *opendir(const char *path) {
  __abp_read_text(path);
  return __abp_fails() ? 0 : malloc(sizeof(DIR));
}

struct dirent *readdir(DIR *directory) {
  struct dirent *entry = &directory->entry;
  int i = 0;
  char c;
  entry->d_type = (unsigned char)__abp_nondet_between(0, 255);
  if (__abp_nondet_bool()) {
    if (__abp_nondet_bool())
      __abp_fails();
    return 0;
  }
  entry->d_ino = (ino_t)__abp_nondet_between(0, LONG_MAX);
  entry->d_off = (off_t)__abp_nondet_between(0, LONG_MAX);
  entry->d_reclen = (unsigned short)__abp_nondet_between(24, 280);
  do {
    c = (char)__abp_nondet_between(-128, 127);
    __abp_assume(c != 0 && c != '/');
    entry->d_name[i] = c;
    i++;
  } while (i < 15 && __abp_nondet_bool());
  entry->d_name[i] = 0;
  return entry;
}

void rewinddir(DIR *directory) { directory->entry.d_type = 0; }

int dirfd(DIR *directory) {
  (void)directory->entry.d_type;
  return __abp_fails() ? -1 : (int)__abp_nondet_between(0, INT_MAX);
}

int closedir(DIR *directory) {
  free(directory);
  return __abp_fails() ? -1 : 0;
}
