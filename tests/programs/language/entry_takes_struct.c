// expect: true args: --property unreach-call --property valid-memsafety --entry middle
#include <assert.h>
struct range { int from, to; char name[2]; };
int middle(struct range r) {
  struct range kept = r;
  r.from = 0;
  if (kept.from > 0 && kept.from < kept.to) {
    int found = kept.from + (kept.to - kept.from) / 2;
    assert(kept.from <= found && found < kept.to && r.from == 0 && r.to == kept.to);
    return found;
  }
  return 0; }
