/* Wakeup trees, as `abpress/reductions/stateless/wakeup.py`. A tree is its root. */
#include <stdlib.h>

#include "executions.h"

static uint32_t branch_new(core *c, item its) {
    wakeup_trees *w = &c->executions->wakeup;
    uint32_t b = w->unused;
    if (b != 0) {
        w->unused = w->all[b].next;
    } else {
        if (w->count + 1 >= w->room) {
            size_t room = 2 * w->room + 64;
            branch *more = realloc(w->all, room * sizeof *more);
            if (more == NULL || room > UINT32_MAX) return refuse(c, "memory is used up"), 0;
            w->all = more, w->room = room;
        }
        b = (uint32_t)++w->count;
    }
    w->all[b] = (branch){.its = its};
    return b;
}

uint32_t tree_new(core *c) { return branch_new(c, (item){0, 0}); }

uint32_t tree_add(core *c, uint32_t tree, item its) {
    uint32_t b = branch_new(c, its);
    branch *all = c->executions->wakeup.all;
    if (b == 0) return 0;
    if (all[tree].last != 0) all[all[tree].last].next = b;
    else all[tree].first = b;
    all[tree].last = b;
    return b;
}

uint32_t tree_copy(core *c, uint32_t tree, size_t *nodes) {
    wakeup_trees *w = &c->executions->wakeup;
    size_t count = 1; /* nodes in `copied`, each with its copy behind it */
    uint32_t root = tree_new(c);
    for (size_t k = 0; k < count && !c->over; k++) {
        if (!room_for((void **)&w->copied, &w->copied_room, 2, sizeof *w->copied)) break;
        if (k == 0) w->copied[0] = tree, w->copied[1] = root;
        uint32_t from = w->copied[2 * k], to = w->copied[2 * k + 1];
        w->all[to].uncertain = w->all[from].uncertain;
        for (uint32_t b = w->all[from].first; b != 0 && !c->over; b = w->all[b].next) {
            uint32_t its = tree_add(c, to, w->all[b].its);
            if (!room_for((void **)&w->copied, &w->copied_room, 2 * count + 2, sizeof *w->copied))
                refuse(c, "memory is used up");
            else
                w->copied[2 * count] = b, w->copied[2 * count + 1] = its, count++;
        }
    }
    *nodes = count - 1;
    return root;
}

void count_more(wakeup_trees *w, size_t nodes) {
    w->now += nodes;
    if (w->now > w->most) w->most = w->now;
}

uint32_t tree_take_first(core *c, uint32_t tree) {
    branch *all = c->executions->wakeup.all;
    uint32_t b = all[tree].first;
    all[tree].first = all[b].next;
    if (all[tree].first == 0) all[tree].last = 0;
    all[b].next = 0;
    return b;
}

/* Takes the first step of a branch out of v, if it is a weak initial of what is left of that. */
static int takes(core *c, scan *s, const branch *b, uint32_t certain) {
    return scan_take_out(&c->executions->footprints, s, b->its.thread, b->its.access & certain);
}

size_t tree_insert(core *c, uint32_t tree, item *v, size_t count) {
    wakeup_trees *w = &c->executions->wakeup;
    uint32_t at = tree;
    scan s;
    for (scan_begin(&c->executions->footprints, &s, v, count); s.count > 0;) {
        uint32_t b = w->all[at].first, certain = w->all[at].uncertain ? 0 : UINT32_MAX;
        while (b != 0 && !takes(c, &s, &w->all[b], certain)) b = w->all[b].next;
        if (b == 0) break;
        at = b;
    }
    count = s.count;
    if (at != tree && w->all[at].first == 0) return 0;
    for (size_t k = 0; k < count && at != 0; k++) {
        at = tree_add(c, at, s.v[k]);
        w->all[at].uncertain = c->executions->loose;
    }
    return count;
}

void tree_drop(core *c, uint32_t tree) {
    wakeup_trees *w = &c->executions->wakeup;
    if (tree == 0) return;
    uint32_t last = tree; /* of those that are to be freed, linked by `next` */
    w->all[tree].next = 0;
    for (uint32_t b = tree;; b = w->all[b].next) {
        if (w->all[b].first != 0) {
            w->all[last].next = w->all[b].first;
            last = w->all[b].last;
        }
        if (b != tree) w->now--;
        if (w->all[b].next == 0) break;
    }
    w->all[last].next = w->unused;
    w->unused = tree;
}
