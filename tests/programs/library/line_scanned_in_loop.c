// expect: true args: --property no-data-race --property no-overflow
// A file of options, read before the threads begin.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int workers = 1, port;

static void *serve(void *unused) { return (void *)(long)(workers > port); }

int main(int argc, char **argv) {
  char line[128], key[32];
  int value;
  pthread_t thread;
  FILE *file = fopen("options", "r");
  if (!file)
    return 1;
  while (fgets(line, sizeof line, file)) {
    if (line[0] == '#' || sscanf(line, "%31[^=]=%d", key, &value) != 2)
      continue;
    if (strcmp(key, "port") == 0)
      port = value;
    else if (strcmp(key, "workers") == 0 && value > 0 && value < 64)
      workers = value;
  }
  fclose(file);
  pthread_create(&thread, 0, serve, 0);
  pthread_join(thread, 0);
  return 0;
}
