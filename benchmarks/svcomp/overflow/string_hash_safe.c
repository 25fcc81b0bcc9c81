/* Threads hash words in unsigned arithmetic, which wraps. */
#include <pthread.h>

struct word {
    const char *text;
    unsigned hash;
};

static void *compute(void *arg)
{
    struct word *word = arg;
    const char *at;

    word->hash = 7;
    for (at = word->text; *at; at++)
        word->hash = word->hash * 31 + *at;
    return 0;
}

int main(void)
{
    static struct word words[2] = {{"mut", 0}, {"barrier", 0}};
    pthread_t a, b;

    pthread_create(&a, 0, compute, &words[0]);
    pthread_create(&b, 0, compute, &words[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return words[0].hash == words[1].hash;
}
