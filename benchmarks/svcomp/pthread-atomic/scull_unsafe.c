/* A small character-device driver (after scull), broken: read takes no lock. */
#include <pthread.h>

#define CAPACITY 4
#define RECORD 2

#define EBUSY 16
#define EINVAL 22

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

struct device {
    pthread_mutex_t lock;
    int users;
    int size;
    char data[CAPACITY];
};

struct file {
    struct device *dev;
    int pos;
    int writable;
};

static struct device scull;

static int scull_open(struct file *f, struct device *dev, int writable)
{
    f->dev = dev;
    f->pos = 0;
    f->writable = writable;
    pthread_mutex_lock(&dev->lock);
    if (dev->users == 2) {
        pthread_mutex_unlock(&dev->lock);
        return -EBUSY;
    }
    dev->users++;
    if (writable)
        dev->size = 0;
    pthread_mutex_unlock(&dev->lock);
    return 0;
}

static void scull_release(struct file *f)
{
    pthread_mutex_lock(&f->dev->lock);
    f->dev->users--;
    __VERIFIER_assert(f->dev->users >= 0);
    pthread_mutex_unlock(&f->dev->lock);
}

static int scull_read(struct file *f, char *to, int count)
{
    struct device *dev = f->dev;
    int i, n = 0;

    if (f->pos < dev->size) {
        n = dev->size - f->pos;
        if (n > count)
            n = count;
        for (i = 0; i < n; i++)
            to[i] = dev->data[f->pos + i];
        f->pos += n;
    }
    return n;
}

static int scull_write(struct file *f, const char *from, int count)
{
    struct device *dev = f->dev;
    int i;

    if (!f->writable)
        return -EINVAL;
    pthread_mutex_lock(&dev->lock);
    if (count > CAPACITY - f->pos)
        count = CAPACITY - f->pos;
    for (i = 0; i < count; i++)
        dev->data[f->pos + i] = from[i];
    f->pos += count;
    if (dev->size < f->pos)
        dev->size = f->pos;
    __VERIFIER_assert(dev->size <= CAPACITY);
    pthread_mutex_unlock(&dev->lock);
    return count;
}

static void write_record(char value)
{
    struct file f;
    char record[RECORD];
    int i;

    for (i = 0; i < RECORD; i++)
        record[i] = value;
    if (scull_open(&f, &scull, 1) != 0)
        return;
    scull_write(&f, record, RECORD);
    scull_release(&f);
}

static void *writer_a(void *arg)
{
    write_record('a');
    return arg;
}

static void *writer_b(void *arg)
{
    write_record('b');
    return arg;
}

static void *reader(void *arg)
{
    struct file f;
    char record[RECORD];
    int n;

    if (scull_open(&f, &scull, 0) != 0)
        return arg;
    n = scull_read(&f, record, RECORD);
    __VERIFIER_assert(n == 0 || n == RECORD);
    if (n == RECORD)
        __VERIFIER_assert(record[0] == record[1]);
    scull_release(&f);
    return arg;
}

int main(void)
{
    pthread_t a, b, r;

    pthread_mutex_init(&scull.lock, 0);
    pthread_create(&a, 0, writer_a, 0);
    pthread_create(&b, 0, writer_b, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(r, 0);
    __VERIFIER_assert(scull.users == 0);
    pthread_mutex_destroy(&scull.lock);
    return 0;
}
