/* Checks the set of rows (`abpress/core/native/rows.c`) against a list: each row is told by its number, so that
 * it is known which are there. `tests/core/test_rows.py` compiles and runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

#define CHECK(holds) \
    do { \
        if (!(holds)) fprintf(stderr, "%d: %s, k = %d\n", __LINE__, #holds, at_row), exit(1); \
    } while (0)

enum { ROWS = 7000, MOST = 9, LATER = 97 };

static table t;
static size_t width = 3;
static int at_row; /* rows up to there were added */
static enum met expected[2 * ROWS];
static size_t place[ROWS], moves[ROWS];
static uint32_t widest[MOST];

/* Its numbers tell k; they become large one after the other, and none but the first three columns is there
 * from the beginning. */
static void make(int k, uint32_t *row) {
    uint32_t many = (uint32_t)k * 2654435761u;
    uint32_t its[MOST] = {(uint32_t)k % 60, (uint32_t)k / 60, k < 500 ? 0 : many >> 17,
                          k < 900 ? 0 : 1, k < 1000 ? 0 : many, 0, k < 4000 ? 0 : many >> 5,
                          k < 4000 ? 0 : ~many, k < 5000 ? 0 : (uint32_t)k & 3};
    memcpy(row, its, sizeof its);
}

static enum met found(int k) {
    uint32_t row[MOST];
    make(k, row);
    return table_find(&t, row);
}

static enum added add(int k) {
    uint32_t row[MOST];
    make(k, row);
    return table_add(&t, row);
}

static void widen(size_t to) {
    table_widen(&t, width = to);
    for (int k = 0; k < at_row; k += 11) CHECK(found(k) == expected[k]);
}

/* Rows are no wider than they have to be, and neither fewer nor more of them have room. */
static void check_size(void) {
    size_t bits = 2;
    for (size_t j = 0; j < width; j++) {
        CHECK((uint64_t)widest[j] >> t.bits[j] == 0 && t.bits[j] <= 32);
        CHECK(t.bits[j] < 3 || widest[j] >> (t.bits[j] - 3) != 0);
        bits += t.bits[j];
    }
    CHECK(t.size == (bits + 31) / 32);
    CHECK(table_bytes(&t) == 4 * t.size * t.room && t.count == (size_t)at_row);
    CHECK(5 * t.count <= 3 * t.room && (t.room == 1 << 12 || 5 * t.count > 2 * t.room - 5));
}

/* Several are looked up together: some that were added, and some that were not. */
static void ask(int k) {
    int asked[6], count = 0;
    uint32_t row[MOST];
    table_begin(&t);
    for (int j = 0; j < 6; j++) {
        int its = k - 3 * LATER + j * LATER;
        if (its < 0) continue;
        make(its, row);
        if (table_ask(&t, row)) asked[count++] = its;
        else CHECK(expected[its] == NEVER);
    }
    CHECK(t.asked_count == (size_t)count);
    for (int j = 0; j < count; j++) CHECK(table_answer(&t, (size_t)j) == expected[asked[j]]);
}

/* A row is made of the newest one, by what differs, and looked up. Returns whether it may be there. */
static int alter(int k, int to) {
    uint32_t before[MOST], after[MOST];
    make(k, before), make(to, after);
    uint32_t *packed = table_alter(&t);
    for (size_t j = 0; j < width; j++)
        if (before[j] != after[j] && !table_change(&t, packed, j, before[j], after[j])) return 0;
    table_ask_altered(&t);
    return 1;
}

static void alter_some(int k) {
    table_begin(&t);
    int count = 0, others[] = {k, k / 2, k > 60 ? k - 60 : 0, k + 1, 0};
    for (int j = 0; j < 5; j++) {
        if (!alter(k, others[j])) CHECK(expected[others[j]] == NEVER);
        else CHECK(table_answer(&t, (size_t)count++) == expected[others[j]]);
    }
}

/* Adds the row in one of the ways that there are. */
static enum added add_somehow(int k) {
    uint32_t row[MOST], other[MOST];
    make(k, row), make(k / 3, other);
    table_begin(&t);
    switch (k % 4) {
    case 0: return table_add(&t, row);
    case 1: table_ask(&t, row); return table_add_asked(&t, row);
    case 2: table_ask(&t, other), table_ask(&t, other); return table_add_asked(&t, row);
    default: return table_add_asked(&t, row);
    }
}

static void add_new(int k) {
    uint32_t row[MOST];
    make(k, row);
    CHECK(found(k) == NEVER);
    CHECK(add_somehow(k) == ADDED);
    expected[k] = ON_PATH, at_row = k + 1;
    place[k] = t.last, moves[k] = t.moves;
    for (size_t j = 0; j < MOST; j++)
        if (row[j] > widest[j]) widest[j] = row[j];
    CHECK(found(k) == ON_PATH);
    CHECK(add(k / 2) == KNOWN && add_somehow(k) == KNOWN); /* the newest is still this one */
}

static void leave(int k) {
    uint32_t row[MOST];
    make(k, row);
    table_leave(&t, row, place[k], moves[k]);
    expected[k] = BEFORE;
}

int main(void) {
    if (!table_new(&t, width, MOST)) return 2;
    for (int k = 0; k < ROWS; k++) {
        if (k == 900) widen(5);
        if (k == 4000) widen(MOST);
        add_new(k);
        check_size();
        ask(k);
        alter_some(k);
        if (k % 2) leave(k);
        if (k >= 700 && k % 4 == 0) leave(k - 700);
    }
    for (int k = 0; k < ROWS + LATER; k++) CHECK(found(k) == expected[k]);
    table_free(&t);
    return 0;
}
