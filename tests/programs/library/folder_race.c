// expect: false(no-data-race) args: --property no-data-race
#include <dirent.h>
#include <pthread.h>

static DIR *folder;

static void *work(void *unused) {
  rewinddir(folder);
  return unused;
}

int main(void) {
  pthread_t thread;
  folder = opendir(".");
  if (folder == 0)
    return 1;
  pthread_create(&thread, 0, work, 0);
  rewinddir(folder);
  return 0;
}
