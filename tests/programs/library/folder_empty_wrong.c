// expect: false(unreach-call) args: --property unreach-call
#include <assert.h>
#include <dirent.h>

int main(void) {
  DIR *folder = opendir(".");
  if (folder == 0)
    return 1;
  assert(readdir(folder) != 0);
  return 0;
}
