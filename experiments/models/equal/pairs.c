/* Writers keep two cells the same, readers look at both. */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int a, b;
void *writer(void *p) {
  pthread_mutex_lock(&m); a++; b++; pthread_mutex_unlock(&m);
  return 0;
}
void *reader(void *p) {
  pthread_mutex_lock(&m); int x = a; int y = b; pthread_mutex_unlock(&m);
  assert(x == y);
  return 0;
}
int main(void) {
  pthread_t w[N], r[N];
  for (int i = 0; i < N; i++) pthread_create(&w[i], 0, writer, 0);
  for (int i = 0; i < N; i++) pthread_create(&r[i], 0, reader, 0);
  for (int i = 0; i < N; i++) pthread_join(w[i], 0);
  for (int i = 0; i < N; i++) pthread_join(r[i], 0);
  return 0;
}
