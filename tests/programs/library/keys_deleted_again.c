// expect: unknown "what is deleted is no key, or was deleted"
#include <pthread.h>

pthread_key_t key;

int main(void) {
  pthread_key_create(&key, 0);
  pthread_key_delete(key);
  pthread_key_delete(key);
  return 0;
}
