// expect: true args: --property no-data-race
#include <dirent.h>
#include <pthread.h>

static void *work(void *unused) {
  DIR *folder = opendir(".");
  if (folder != 0) {
    readdir(folder);
    closedir(folder);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  work(0);
  pthread_join(thread, 0);
  return 0;
}
