// expect: false(unreach-call)
/* What happens before there is a second process is looked at, and what is not reached does no harm. */
#include <assert.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int status = 0;
  (void)argv;
  if (argc < 0)
    status = (int)pow(argc, 2);
  assert(argc != 3 || status);
  pid_t child = fork();
  if (child == 0)
    execvp(argv[0], argv);
  wait(&status);
  return status;
}
