// expect: false(unreach-call) args: --property unreach-call --entry middle
#include <assert.h>
struct range { int from, to; char name[2]; };
int middle(struct range r) {
  int found = r.from / 2 + r.to / 2;
  if (r.from < r.to) assert(r.from <= found && found < r.to && r.name[1] != 'x');
  return found; }
