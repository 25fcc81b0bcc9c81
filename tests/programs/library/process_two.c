// expect: unknown "call of fork: processes are not supported"
/* Nothing is known of what two processes do. */
#include <assert.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int status = 0;
  (void)argv;
  if (argc < -1 && argc > 3)
    status = (int)pow(argc, 2);
  assert(status == 0);
  pid_t child = fork();
  if (child == 0)
    execvp(argv[0], argv);
  wait(&status);
  return status;
}
