/* A mailbox with one slot; the letter is copied after the lock was released. */
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

#define LETTERS 2

struct letter {
    int number, answer;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct letter slot;
static int full;

static void *sender(void *arg)
{
    int i;

    for (i = 1; i <= LETTERS; i++) {
        pthread_mutex_lock(&lock);
        while (full)
            pthread_cond_wait(&changed, &lock);
        slot.number = i;
        slot.answer = 2 * i;
        full = 1;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void receive(struct letter *to)
{
    pthread_mutex_lock(&lock);
    while (!full)
        pthread_cond_wait(&changed, &lock);
    full = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    *to = slot;
}

int main(void)
{
    pthread_t t;
    struct letter letter;
    int i;

    pthread_create(&t, 0, sender, 0);
    for (i = 1; i <= LETTERS; i++) {
        receive(&letter);
        __VERIFIER_assert(letter.answer == 2 * letter.number);
    }
    pthread_join(t, 0);
    return 0;
}
