/* Which cells threads wait for, NOTE(waiting): a search that knows this of one which is written blindly begins again; one
 * of leaves rests, and who gives leaves out begins again, NOTE(native-leaves) (g). */
#include <string.h>

#include "executions.h"

void waits_for(footprints *f, uint32_t access) {
    const footprint *its = &f->all[access];
    if (!f->observes) return;
    for (uint32_t k = its->reads; k < its->reads + its->recorded; k++) {
        key *waited = &f->keys[f->lists[k]];
        if (!waited->waited) waited->waited = WAITED;
        if (waited->blind_by != 0) f->stale = 1;
    }
}

void recall_wait(core *c, uint32_t k) {
    footprints *f = footprints_of(c);
    word name[KEY_WORDS];
    name_key(c, k, name);
    if (interner_find(&f->awaited, name, KEY_WORDS) == 0) return;
    f->keys[k].waited = WAIT_IS_KNOWN;
    if (f->keys[k].blind_by != 0) f->stale = 1;
}

/* A thread was seen to wait for what has that name. */
void core_awaited(core *c, const word *name) {
    footprints *f = &c->executions->footprints;
    if (interner_number(&f->awaited, name, KEY_WORDS) == 0) refuse(c, "memory is used up");
    for (uint32_t k = 1; k <= f->key_count && !c->over; k++) recall_wait(c, k);
}

/* Names a cell for which a thread was seen to wait, as others do not know yet; 0: there is none. */
int core_waited_for(core *c, word *name) {
    footprints *f = &c->executions->footprints;
    for (uint32_t k = 1; k <= f->key_count; k++) {
        if (f->keys[k].waited != WAITED || f->keys[k].of_thread) continue;
        f->keys[k].waited = WAIT_IS_KNOWN;
        name_key(c, k, name);
        return 1;
    }
    return 0;
}

/* Whether what was found is of no use, as one is written blindly. */
int core_stale(const core *c) { return c->executions->footprints.stale; }
