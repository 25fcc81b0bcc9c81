/* TSP: N threads look for the shortest round trip through CITIES cities; each takes the first steps
   of tours from a shared counter, goes on alone, and improves a shared minimum under a monitor.
   Bug: the minimum is improved without it. */
#include "monitor.h"

#ifndef N
#define N 2
#endif
#ifndef CITIES
#define CITIES 4
#endif

struct problem {
  int distances[CITIES][CITIES];
};

struct search {
  struct monitor monitor;
  struct problem *problem;
  int next, best;
};

struct tour {
  int visited[CITIES];
  int length, last, count;
};

static void improve(struct search *search, int length) {
#ifdef BUG
  if (length < search->best)
    search->best = length;
#else
  enter(&search->monitor);
  if (length < search->best)
    search->best = length;
  leave(&search->monitor);
#endif
}

static void visit(struct problem *problem, struct tour *tour, int city) {
  tour->visited[city] = 1;
  tour->length += problem->distances[tour->last][city];
  tour->last = city;
  tour->count++;
}

/* The nearest city next, as long as there is one. */
static void finish(struct problem *problem, struct tour *tour) {
  while (tour->count < CITIES) {
    int nearest = -1;
    for (int city = 1; city < CITIES; city++)
      if (!tour->visited[city] &&
          (nearest < 0 ||
           problem->distances[tour->last][city] < problem->distances[tour->last][nearest]))
        nearest = city;
    visit(problem, tour, nearest);
  }
  tour->length += problem->distances[tour->last][0];
}

static void *solve(void *argument) {
  struct search *search = argument;
  for (;;) {
    enter(&search->monitor);
    int first = search->next++;
    leave(&search->monitor);
    if (first >= CITIES)
      return 0;
    struct tour *tour = calloc(1, sizeof *tour);
    visit(search->problem, tour, 0);
    visit(search->problem, tour, first);
    finish(search->problem, tour);
    improve(search, tour->length);
  }
}

int main(void) {
  struct search *search = calloc(1, sizeof *search);
  pthread_t threads[N];
  init(&search->monitor);
  search->problem = calloc(1, sizeof *search->problem);
  for (int i = 0; i < CITIES; i++)
    for (int j = 0; j < CITIES; j++)
      search->problem->distances[i][j] = i == j ? 0 : 1 + (3 * i * j + i + j) % 7;
  search->next = 1;
  search->best = 1000;
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, solve, search);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  int best = 1000;
  for (int first = 1; first < CITIES; first++) {
    struct tour *tour = calloc(1, sizeof *tour);
    visit(search->problem, tour, 0);
    visit(search->problem, tour, first);
    finish(search->problem, tour);
    if (tour->length < best)
      best = tour->length;
  }
  assert(search->best == best);
  return 0;
}
