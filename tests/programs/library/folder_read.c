// expect: true args: --property unreach-call,valid-memtrack
#include <assert.h>
#include <dirent.h>
#include <syslog.h>

int main(void) {
  DIR *folder = opendir(".");
  struct dirent *entry;
  openlog("a", LOG_PID, LOG_USER);
  if (folder == 0)
    return 1;
  entry = readdir(folder);
  if (entry != 0) {
    assert(entry->d_name[0] != 0);
    rewinddir(folder);
  }
  return closedir(folder) == 0;
}
