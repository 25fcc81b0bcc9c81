/* Load buffering (LB) under total store order, explicit store buffers. */
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
static int r0, r1;

/* Moves the oldest store of a thread to memory, in one step. */
static void flush_one(struct buffer *b)
{
    __VERIFIER_atomic_begin();
    memory[b->var[0]] = b->val[0];
    b->n--;
    for (int i = 0; i < b->n; i++) {
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

static int buffered_read(struct buffer *b, int var)
{
    flush_some(b);
    for (int i = b->n - 1; i >= 0; i--)
        if (b->var[i] == var)
            return b->val[i];
    return memory[var];
}

static void *thread0(void *arg)
{
    struct buffer *b = &buffers[0];

    r0 = buffered_read(b, X);
    buffered_write(b, Y, 1);
    fence(b);
    return arg;
}

static void *thread1(void *arg)
{
    struct buffer *b = &buffers[1];

    r1 = buffered_read(b, Y);
    buffered_write(b, X, 1);
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
    __VERIFIER_assert(!(r0 == 1 && r1 == 1));
    return 0;
}
