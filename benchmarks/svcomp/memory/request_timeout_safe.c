/* A client waits for an answer with a time-out; who comes last, client or server, frees the request. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct request {
    int question, answer, answered;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static int holders = 2;

static void *server(void *arg)
{
    struct request *request = arg;
    int last;

    pthread_mutex_lock(&lock);
    request->answer = request->question + 1;
    request->answered = 1;
    pthread_cond_signal(&answered);
    last = --holders == 0;
    pthread_mutex_unlock(&lock);
    if (last)
        free(request);
    return 0;
}

int main(void)
{
    struct request *request = malloc(sizeof(*request));
    struct timespec deadline = {0, 0};
    pthread_t t;
    int last;
    int failed = 0;

    if (!request)
        abort();
    request->question = 41;
    request->answered = 0;
    pthread_create(&t, 0, server, request);
    pthread_mutex_lock(&lock);
    while (!request->answered && !failed)
        failed = pthread_cond_timedwait(&answered, &lock, &deadline);
    last = --holders == 0;
    pthread_mutex_unlock(&lock);
    if (last)
        free(request);
    pthread_join(t, 0);
    return 0;
}
