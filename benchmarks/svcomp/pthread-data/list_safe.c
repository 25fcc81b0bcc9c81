/* Two threads push heap cells onto a linked list under a lock. */
#include <pthread.h>
#include <stdlib.h>

#define PER_THREAD 2

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

struct node {
    int value;
    struct node *next;
};

static struct node *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void push(int value)
{
    struct node *n = malloc(sizeof(struct node));

    n->value = value;
    pthread_mutex_lock(&m);
    n->next = head;
    head = n;
    pthread_mutex_unlock(&m);
}

static void *worker(void *arg)
{
    int i;

    for (i = 0; i < PER_THREAD; i++)
        push(*(int *)arg);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, ten = 10, sum = 0;
    struct node *n;

    pthread_create(&a, 0, worker, &one);
    pthread_create(&b, 0, worker, &ten);
    pthread_join(a, 0);
    pthread_join(b, 0);
    while (head != NULL) {
        n = head;
        head = n->next;
        sum += n->value;
        free(n);
    }
    __VERIFIER_assert(sum == PER_THREAD * 11);
    return 0;
}
