/* A busy bit guards a block, broken: the allocator sets it without the lock. */
#include <pthread.h>

void reach_error(void) {}

static int inode, busy, block;
static pthread_mutex_t m_inode = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m_busy = PTHREAD_MUTEX_INITIALIZER;

static void *allocator(void *arg)
{
    pthread_mutex_lock(&m_inode);
    if (inode == 0) {
        busy = 1;
        inode = 1;
    }
    block = 1;
    if (block != 1)
        reach_error();
    pthread_mutex_unlock(&m_inode);
    return arg;
}

static void *deallocator(void *arg)
{
    pthread_mutex_lock(&m_busy);
    if (busy == 0) {
        block = 0;
        if (block != 0)
            reach_error();
    }
    pthread_mutex_unlock(&m_busy);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, allocator, 0);
    pthread_create(&b, 0, deallocator, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
