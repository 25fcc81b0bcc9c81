/* Loops that only wait for other threads count as waiting, NOTE(useless-rounds): as
 * `abpress/search/awaits.py`. What a thread remembers stands behind its registers: the number of a
 * list of local states, the latest at its head; nothing is 0 or less. */
#include "executions.h"

enum { MOST_REMEMBERED = 32 };

static size_t memory_of(const core *c, int thread) {
    return (size_t)(thread_of(c, thread) - c->s) + 1 + (size_t)c->p.frame;
}

static const location *location_of(const core *c, int thread) {
    word pc = thread_of(c, thread)[0];
    return pc < 0 ? NULL : &c->p.locations[pc];
}

uint32_t local_number(core *c, int thread) {
    size_t length = 1 + (size_t)location_of(c, thread)->length;
    uint32_t number = interner_number(&c->executions->locals, thread_of(c, thread), length);
    if (number == 0) refuse(c, "memory is used up");
    return number;
}

local_state state_before(core *c, int thread) {
    const location *l = location_of(c, thread);
    local_state its = {0};
    if (l->cycle == 0) return its;
    its.number = local_number(c, thread);
    its.cycle = l->cycle, its.is_long = l->is_long, its.pc = thread_of(c, thread)[0];
    return its;
}

static int stays_on(const core *c, int thread, word cycle) {
    const location *l = location_of(c, thread);
    return cycle != 0 && l != NULL && l->cycle == cycle;
}

int comes_back(core *c, int thread, local_state before) {
    executions *x = c->executions;
    if (!stays_on(c, thread, before.cycle)) return 0;
    uint32_t after = state_before(c, thread).number;
    if (after == before.number) return 1;
    word list = c->s[memory_of(c, thread)];
    for (int k = 0; k < MOST_REMEMBERED && list > 0; k++, list = x->remembered[list].rest)
        if (x->remembered[list].state == after) return 1;
    return 0;
}

void remember(core *c, int thread, local_state before, int quiet) {
    executions *x = c->executions;
    word list = c->s[memory_of(c, thread)], next = 0;
    if (quiet && before.is_long && stays_on(c, thread, before.cycle)) {
        const word name[] = {list > 0 ? list : 0, before.number};
        next = interner_number(&x->lists, name, 2);
        if (next == 0 || !room_for((void **)&x->remembered, &x->remembered_room, (size_t)next + 1,
                                   sizeof *x->remembered)) {
            refuse(c, "memory is used up");
            return;
        }
        x->remembered[next].rest = name[0], x->remembered[next].state = before.number;
    }
    if (list > 0 || next > 0) machine_put(c, memory_of(c, thread), next);
}
