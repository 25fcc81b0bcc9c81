/* A loop that polls a pipe with a time-out. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <poll.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused) {
  char byte = 'x';
  if (write(ends[1], &byte, 1) != 1) perror("write");
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pipe(ends) != 0) return EXIT_FAILURE;
  pthread_create(&thread, NULL, writer, NULL);
  for (int rounds = 0; rounds < 3; rounds++) {
    struct pollfd one = {ends[0], POLLIN, 0};
    int count = poll(&one, 1, 100);
    if (count < 0) break;
    if (count == 1 && (one.revents & POLLIN)) {
      char byte;
      if (read(ends[0], &byte, 1) == 1) break;
    }
  }
  pthread_join(thread, NULL);
  close(ends[0]);
  close(ends[1]);
  return 0;
}
