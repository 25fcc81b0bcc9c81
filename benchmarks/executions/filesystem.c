/* N threads ask for blocks of a disk, each under the lock of an inode and those of the blocks that
   it tries. After [DPOR05]. */
#include <pthread.h>
#ifndef N
#define N 16
#endif

pthread_mutex_t inode_lock[32], block_lock[26];
int inode[32], busy[26];

void *thread(void *p) {
  int k = (int)(long)p % 32;
  pthread_mutex_lock(&inode_lock[k]);
  if (inode[k] == 0) {
    for (int b = (k * 2) % 26, found = 0; !found; b = (b + 1) % 26) {
      pthread_mutex_lock(&block_lock[b]);
      if (!busy[b]) {
        busy[b] = 1;
        inode[k] = b + 1;
        found = 1;
      }
      pthread_mutex_unlock(&block_lock[b]);
    }
  }
  pthread_mutex_unlock(&inode_lock[k]);
  return 0;
}

int main(void) {
  pthread_t t;
  for (long i = 0; i < N; i++) pthread_create(&t, 0, thread, (void *)i);
  pthread_exit(0);
}
