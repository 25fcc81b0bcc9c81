/* Two queues, each with a lock and a condition of its own. */
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

struct queue {
    pthread_mutex_t lock;
    int length;
};

static pthread_cond_t arrived[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static struct queue queues[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};

static void *consumer(void *arg)
{
    int which = *(int *)arg;
    struct queue *queue = &queues[which];

    pthread_mutex_lock(&queue->lock);
    while (queue->length == 0)
        pthread_cond_wait(&arrived[which], &queue->lock);
    queue->length--;
    pthread_mutex_unlock(&queue->lock);
    return 0;
}

int main(void)
{
    static int index[2] = {0, 1};
    pthread_t threads[2];
    int i;

    for (i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, consumer, &index[i]);
    for (i = 0; i < 2; i++) {
        pthread_mutex_lock(&queues[i].lock);
        queues[i].length++;
        pthread_cond_signal(&arrived[i]);
        pthread_mutex_unlock(&queues[i].lock);
    }
    for (i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    __VERIFIER_assert(queues[0].length + queues[1].length == 0);
    return 0;
}
