/* Mixed test 2+2W under partial store order, explicit store buffers. */
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

enum { X, Y, VARS };

#define DEPTH 2

struct buffer {
    int n;
    int var[DEPTH];
    int val[DEPTH];
};

static int memory[VARS];
static struct buffer buffers[2];

/* Moves the oldest (of any variable: partial store order) store of a thread to memory, in one step. */
static void flush_one(struct buffer *b)
{
    int k = 0;

    if (b->n == 2 && b->var[0] != b->var[1] && __VERIFIER_nondet_bool())
        k = 1;
    __VERIFIER_atomic_begin();
    memory[b->var[k]] = b->val[k];
    b->n--;
    for (int i = k; i < b->n; i++) {
        b->var[i] = b->var[i + 1];
        b->val[i] = b->val[i + 1];
    }
    __VERIFIER_atomic_end();
}

static void flush_some(struct buffer *b)
{
    while (b->n > 0 && __VERIFIER_nondet_bool())
        flush_one(b);
}

static void fence(struct buffer *b)
{
    while (b->n > 0)
        flush_one(b);
}

static void buffered_write(struct buffer *b, int var, int val)
{
    flush_some(b);
    if (b->n == DEPTH)
        flush_one(b);
    b->var[b->n] = var;
    b->val[b->n] = val;
    b->n++;
}

static void *thread0(void *arg)
{
    struct buffer *b = &buffers[0];

    buffered_write(b, X, 1);
    buffered_write(b, Y, 2);
    fence(b);
    return arg;
}

static void *thread1(void *arg)
{
    struct buffer *b = &buffers[1];

    buffered_write(b, Y, 1);
    buffered_write(b, X, 2);
    fence(b);
    return arg;
}

int main(void)
{
    pthread_t t0, t1;

    pthread_create(&t0, 0, thread0, 0);
    pthread_create(&t1, 0, thread1, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    __VERIFIER_assert(!(memory[X] == 1 && memory[Y] == 1));
    return 0;
}
