/* Bounded stack under one mutex, broken: emptiness is tested in an earlier critical section. */
#include <pthread.h>

#define SIZE 3

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

static int stack[SIZE];
static int top;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void push(int item)
{
    pthread_mutex_lock(&m);
    __VERIFIER_assert(top < SIZE);
    stack[top] = item;
    top++;
    pthread_mutex_unlock(&m);
}

static int empty(void)
{
    int result;

    pthread_mutex_lock(&m);
    result = top == 0;
    pthread_mutex_unlock(&m);
    return result;
}

static int pop(void)
{
    int item = 0;

    if (empty())
        return 0;
    pthread_mutex_lock(&m);
    __VERIFIER_assert(top > 0);
    top--;
    item = stack[top];
    pthread_mutex_unlock(&m);
    return item;
}

static void *pusher(void *arg)
{
    int i;

    for (i = 1; i <= SIZE; i++)
        push(i);
    return arg;
}

static void *popper(void *arg)
{
    pop();
    pop();
    return arg;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, 0, pusher, 0);
    pthread_create(&b, 0, popper, 0);
    pthread_create(&c, 0, popper, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
