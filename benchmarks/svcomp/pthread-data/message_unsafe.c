/* A request struct on main's stack goes to a worker, which reports the answer before it is there. */
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

struct request {
    int operand;
    struct {
        int value;
        char valid;
    } answer;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg)
{
    struct request *r = arg;
    int square = r->operand * r->operand;

    pthread_mutex_lock(&m);
    r->answer.valid = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    r->answer.value = square;
    return 0;
}

int main(void)
{
    struct request r = {.operand = 7};
    pthread_t t;

    pthread_create(&t, 0, worker, &r);
    pthread_mutex_lock(&m);
    while (!r.answer.valid)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    __VERIFIER_assert(r.answer.value == 49);
    pthread_join(t, 0);
    return 0;
}
