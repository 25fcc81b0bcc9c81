/* Treiber's stack with reused cells: the ABA problem. */
#include <pthread.h>
#include <stddef.h>

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
    int taken;
    struct node *next;
};

static struct node a, b;
static struct node *head;

static void push(struct node *n)
{
    struct node *h;

    do {
        h = head;
        n->next = h;
    } while (!__sync_bool_compare_and_swap(&head, h, n));
}

static struct node *pop(void)
{
    struct node *h, *next;

    do {
        h = head;
        if (h == NULL)
            return NULL;
        next = h->next;
    } while (!__sync_bool_compare_and_swap(&head, h, next));
    return h;
}

static void use(struct node *n)
{
    if (n != NULL)
        __VERIFIER_assert(__sync_add_and_fetch(&n->taken, 1) == 1);
}

static void *once(void *arg)
{
    use(pop());
    return arg;
}

static void *twice(void *arg)
{
    struct node *first = pop();

    use(pop());
    if (first != NULL)
        push(first);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    push(&b);
    push(&a);
    pthread_create(&t, 0, once, 0);
    pthread_create(&u, 0, twice, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    use(pop());
    return 0;
}
