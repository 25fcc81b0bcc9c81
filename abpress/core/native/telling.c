/* What the listener is told of executions, and what of it is told once. */
#include "core.h"

void tell_end(core *c, uint64_t threads, int all) {
    int *first = threads == 0 ? &c->told_complete : all ? &c->told_deadlock : &c->told_blocked;
    int event = threads == 0 ? EVENT_COMPLETE : all ? EVENT_DEADLOCK : EVENT_BLOCKED;
    int unseen = 0;
    for (uint64_t rest = threads; rest != 0; rest &= rest - 1)
        unseen |= !c->ended_at[thread_of(c, __builtin_ctzll(rest) + 1)[0]];
    if (threads == 0) c->complete++;
    else if (all) c->deadlocked++;
    else c->blocked++;
    if (*first && (c->told_complete || !unseen)) return;
    *first = 1;
    for (uint64_t rest = threads; rest != 0; rest &= rest - 1)
        c->ended_at[thread_of(c, __builtin_ctzll(rest) + 1)[0]] = 1;
    if (c->tell(event, 0, 0)) c->over = 1;
}

void tell_violation(core *c, int thread) {
    const word key[] = {c->violation, thread};
    size_t before = c->told.count;
    c->violating++;
    if (interner_number(&c->told, key, 2) == 0) refuse(c, "memory is used up");
    else if (c->told.count > before && c->tell(EVENT_VIOLATION, thread, 0)) c->over = 1;
}
