/* Elevator: N lifts serve FLOORS floors; on each floor one person has pressed the button. A lift goes
   over all floors, claims those with a pressed button, and carries the persons.
   Bug: a lift looks at the button before it enters the floor's monitor, and trusts that. */
#include "monitor.h"

#ifndef N
#define N 2
#endif
#ifndef FLOORS
#define FLOORS 2
#endif

struct floor {
  struct monitor monitor;
  int pressed, carried;
};

struct building {
  struct floor *floors[FLOORS];
};

struct lift {
  struct building *building;
  int first, people;
};

static int claim(struct floor *floor) {
  int mine = 0;
#ifdef BUG
  int pressed = floor->pressed;
  enter(&floor->monitor);
#else
  enter(&floor->monitor);
  int pressed = floor->pressed;
#endif
  if (pressed) {
    floor->pressed = 0;
    mine = 1;
  }
  leave(&floor->monitor);
  return mine;
}

static void *serve(void *argument) {
  struct lift *lift = argument;
  for (int i = 0; i < FLOORS; i++) {
    struct floor *floor = lift->building->floors[(lift->first + i) % FLOORS];
    if (claim(floor)) {
      lift->people++;
      floor->carried++;
      assert(floor->carried == 1);
    }
  }
  return 0;
}

int main(void) {
  struct building *building = calloc(1, sizeof *building);
  struct lift *lifts[N];
  pthread_t threads[N];
  for (int i = 0; i < FLOORS; i++) {
    building->floors[i] = calloc(1, sizeof(struct floor));
    init(&building->floors[i]->monitor);
    building->floors[i]->pressed = 1;
  }
  for (int i = 0; i < N; i++) {
    lifts[i] = calloc(1, sizeof *lifts[i]);
    lifts[i]->building = building;
    lifts[i]->first = i % FLOORS;
    pthread_create(&threads[i], 0, serve, lifts[i]);
  }
  int people = 0;
  for (int i = 0; i < N; i++) {
    pthread_join(threads[i], 0);
    people += lifts[i]->people;
  }
  assert(people == FLOORS);
  return 0;
}
