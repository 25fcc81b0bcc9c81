// expect: unknown "a key is used that was not created or was deleted"
#include <assert.h>
#include <pthread.h>

pthread_key_t key;

int main(void) {
  assert(pthread_getspecific(key) == 0);
  return 0;
}
