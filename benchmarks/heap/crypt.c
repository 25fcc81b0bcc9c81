/* Crypt: N threads encrypt a text of SIZE bytes each by a key, and N threads decrypt it again; each
   works on its own part of the arrays. */
#include "monitor.h"

#ifndef N
#define N 2
#endif
#ifndef SIZE
#define SIZE 2
#endif

struct part {
  unsigned char *from, *to, *key;
  int begin, end;
};

static void *translate(void *argument) {
  struct part *part = argument;
  for (int i = part->begin; i < part->end; i++)
    part->to[i] = part->from[i] ^ part->key[i % 2];
  return 0;
}

static void translate_all(unsigned char *from, unsigned char *to, unsigned char *key) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) {
    struct part *part = calloc(1, sizeof *part);
    part->from = from;
    part->to = to;
    part->key = key;
    part->begin = i * SIZE;
    part->end = (i + 1) * SIZE;
    pthread_create(&threads[i], 0, translate, part);
  }
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
}

int main(void) {
  unsigned char *plain = calloc(1, N * SIZE);
  unsigned char *secret = calloc(1, N * SIZE), *again = calloc(1, N * SIZE);
  unsigned char *key = calloc(1, 2);
  key[0] = 90;
  key[1] = 165;
  for (int i = 0; i < N * SIZE; i++)
    plain[i] = i;
  translate_all(plain, secret, key);
  translate_all(secret, again, key);
  for (int i = 0; i < N * SIZE; i++)
    assert(again[i] == plain[i]);
  return 0;
}
