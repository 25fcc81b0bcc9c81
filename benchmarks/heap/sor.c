/* SOR: successive over-relaxation of a grid of 2 * N rows by N threads, in ROUNDS rounds of two
   colours: all even rows, then all odd rows, with a barrier between. A row is a heap object. */
#include "monitor.h"

#ifndef N
#define N 2
#endif
#ifndef COLUMNS
#define COLUMNS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#define ROWS (2 * N)

struct grid {
  int *rows[ROWS];
  pthread_barrier_t barrier;
};

struct relaxer {
  struct grid *grid;
  int number;
};

static void relax(struct grid *grid, int r) {
  int *row = grid->rows[r];
  int *above = grid->rows[r > 0 ? r - 1 : r + 1];
  int *below = grid->rows[r < ROWS - 1 ? r + 1 : r - 1];
  for (int c = 0; c < COLUMNS; c++)
    row[c] = (row[c] + above[c] + below[c]) & 255;
}

static void *run(void *argument) {
  struct relaxer *relaxer = argument;
  for (int i = 0; i < 2 * ROUNDS; i++) {
    relax(relaxer->grid, 2 * relaxer->number + i % 2);
    pthread_barrier_wait(&relaxer->grid->barrier);
  }
  return 0;
}

int main(void) {
  struct grid *grid = calloc(1, sizeof *grid);
  struct relaxer *relaxers[N];
  pthread_t threads[N];
  pthread_barrier_init(&grid->barrier, 0, N);
  for (int r = 0; r < ROWS; r++) {
    grid->rows[r] = calloc(COLUMNS, sizeof(int));
    for (int c = 0; c < COLUMNS; c++)
      grid->rows[r][c] = r + c;
  }
  for (int i = 0; i < N; i++) {
    relaxers[i] = calloc(1, sizeof *relaxers[i]);
    relaxers[i]->grid = grid;
    relaxers[i]->number = i;
    pthread_create(&threads[i], 0, run, relaxers[i]);
  }
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  for (int r = 0; r < ROWS; r++)
    assert(grid->rows[r][0] >= 0);
  return 0;
}
