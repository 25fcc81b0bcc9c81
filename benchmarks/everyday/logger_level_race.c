/* The level is read without the lock: a logger with levels, a time and a lock; a user-written function with a format. */
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include <time.h>

enum level { DEBUG, INFO, ERROR };

static const char *names[] = {"debug", "info", "error"};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum level least = INFO;
static unsigned written;

static void log_message(enum level level, const char *format, ...) {
  if (level >= least) {
    pthread_mutex_lock(&lock);
    va_list arguments;
    char when[16];
    time_t now = time(NULL);
    struct tm parts;
    localtime_r(&now, &parts);
    when[strftime(when, sizeof when, "%H:%M:%S", &parts)] = '\0';
    fprintf(stderr, "%s %-5s ", when, names[level]);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    fflush(stderr);
    written++;
    pthread_mutex_unlock(&lock);
  }
}

static void *work(void *argument) {
  int number = *(int *)argument;
  log_message(DEBUG, "begin %d", number);
  log_message(INFO, "work %d of %s", number, "all");
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &numbers[i]);
  least = DEBUG;
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  log_message(ERROR, "%u lines", written);
  assert(written == 3);
  return 0;
}
