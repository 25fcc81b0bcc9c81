// expect: false(valid-deref) args: --property valid-deref
#include <dirent.h>

int main(void) {
  DIR *folder = opendir(".");
  if (folder == 0)
    return 1;
  closedir(folder);
  rewinddir(folder);
  return 0;
}
