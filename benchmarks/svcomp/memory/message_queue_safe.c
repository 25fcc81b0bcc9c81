/* A queue of allocated messages; the consumer frees each of them, also the one that ends it. */
#include <pthread.h>
#include <stdlib.h>

enum kind { WORK, QUIT };

struct message {
    struct message *next;
    enum kind kind;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static struct message *first, **last = &first;

static void post(enum kind kind)
{
    struct message *message = malloc(sizeof(*message));

    if (!message)
        abort();
    message->next = 0;
    message->kind = kind;
    pthread_mutex_lock(&lock);
    *last = message;
    last = &message->next;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
}

static struct message *fetch(void)
{
    struct message *message;

    pthread_mutex_lock(&lock);
    while (!first)
        pthread_cond_wait(&arrived, &lock);
    message = first;
    first = message->next;
    if (!first)
        last = &first;
    pthread_mutex_unlock(&lock);
    return message;
}

static void *consumer(void *arg)
{
    enum kind kind;

    do {
        struct message *message = fetch();

        kind = message->kind;
        free(message);
    } while (kind != QUIT);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, consumer, 0);
    post(WORK);
    post(QUIT);
    pthread_join(t, 0);
    return 0;
}
