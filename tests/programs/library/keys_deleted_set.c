// expect: unknown "a key is used that was not created or was deleted"
#include <pthread.h>

pthread_key_t key;

int main(void) {
  pthread_key_create(&key, 0);
  pthread_key_delete(key);
  pthread_setspecific(key, &key);
  return 0;
}
