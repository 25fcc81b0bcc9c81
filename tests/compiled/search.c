/* The state of a program that runs step by step, its threads as coroutines, and the search. */

int program_main(void);                /* the program's main, renamed */
void outcome(char *text, size_t size); /* the program's: the values of its variables */

/* ---- the state ------------------------------------------------------------------------------ */

static int count;         /* threads created */
static int only = -1;     /* who alone may go on; -1: everyone */
static int atomic;        /* depth of atomic sections */
static const char *ended; /* how the execution ended */

/* What is not part of the state lies outside of the static data. */
static struct search {
  jmp_buf context;
  char (*stacks)[STACK];
  char *local, *fresh; /* the _Thread_local variables of the program: now, and as they begin */
  size_t local_size;
  uint64_t *known;
  long states, most_states;
  char *copies, *free; /* copies of states, as a stack */
  int wakeups, failures; /* see runtime.c */
  int error;
} *search;

enum { KNOWN = 1 << 21, COPIES = 1 << 29 };

extern char __data_start[], _end[];

/* ---- stopping and going on ------------------------------------------------------------------ */

static void give_up(const char *why) {
  fprintf(stderr, "gave up: %s\n", why);
  _exit(2);
}

/* Hands over to the search; returns when this thread goes on. */
static __attribute__((noinline)) void stop(void) {
  threads[self].lowest = memset(alloca(16), 0, 16);
  if (_setjmp(threads[self].context) == 0)
    _longjmp(search->context, 1);
}

static void end(const char *how) {
  ended = how;
  stop();
  __builtin_unreachable();
}

/* An atomic section goes on at once, if it can. */
static void wait_until(condition *ready, const void *object) {
  if (self < 0 || (atomic && (ready == 0 || ready(object, self))))
    return;
  threads[self].ready = ready;
  threads[self].object = object;
  stop();
  threads[self].ready = 0;
  threads[self].object = 0;
}

static void step(void) { wait_until(0, 0); }

static void touch(enum access how, const void *object, size_t size) { step(); }

static void atomic_begin(void) {
  step();
  atomic++;
  only = self;
}

static void atomic_end(void) {
  if (--atomic == 0)
    only = -1;
}

static int choose(int answers) {
  int before = only, answer;
  if (answers == 1)
    return 0;
  only = self;
  threads[self].answers = answers;
  stop();
  threads[self].answers = 1;
  answer = threads[self].answer;
  threads[self].answer = 0;
  only = before;
  return answer;
}

static int choose_of(const void *object) {
  int waiting[THREADS], n = 0;
  for (int i = 0; i < count; i++)
    if (waits_at(object, i))
      waiting[n++] = i;
  return n == 0 ? -1 : waiting[choose(n)];
}

static bool woken(const void *cond, int thread) {
  return search->wakeups || !waits_at(cond, thread);
}

static bool is_undefined(void) { return false; }

static bool is_told(void) { return choose(2); }

static bool never(const void *object, int thread) { return false; }

static int wakeups(void) { return search->wakeups; }

static int failures(void) { return search->failures; }

int *__errno_location(void) { return self < 0 ? &search->error : &threads[self].error; }

static int create(void *(*start)(void *), void *argument, bool joinable) {
  if (count == THREADS)
    give_up("too many threads");
  struct thread *new = &threads[count];
  new->life = NEW;
  new->start = start;
  new->argument = argument;
  new->joinable = joinable;
  new->answers = 1;
  memcpy(new->local, search->fresh, search->local_size);
  return count++;
}

static void finish(void *result) {
  threads[self].result = result;
  threads[self].life = FINISHED;
  stop();
  __builtin_unreachable();
}

static void body(void) { pthread_exit(threads[self].start(threads[self].argument)); }

static void *main_body(void *unused) {
  exit(program_main());
  return unused;
}

/* ---- the search ----------------------------------------------------------------------------- */

/* Lets a thread go on to its next stop. */
static void run(int thread, int answer) {
  struct thread *t = &threads[thread];
  self = thread;
  t->answer = answer;
  memcpy(search->local, t->local, search->local_size);
  if (_setjmp(search->context) == 0) {
    if (t->life == STARTED)
      _longjmp(t->context, 1);
    t->life = STARTED;
    ucontext_t fresh;
    getcontext(&fresh);
    fresh.uc_stack.ss_sp = search->stacks[thread];
    fresh.uc_stack.ss_size = STACK;
    makecontext(&fresh, body, 0);
    setcontext(&fresh);
  }
  memcpy(threads[self].local, search->local, search->local_size);
  self = -1;
}

struct part {
  char *begin;
  size_t size;
};

/* The parts of memory that are the state: the static data, and the stacks in use. */
static int parts(struct part *part) {
  int n = 0;
  part[n++] = (struct part){__data_start, _end - __data_start};
  for (int i = 0; i < count; i++)
    if (threads[i].life == STARTED)
      part[n++] = (struct part){threads[i].lowest, search->stacks[i] + STACK - threads[i].lowest};
  return n;
}

static uint64_t hash(uint64_t h, const char *begin, size_t size) {
  for (; size >= 8; begin += 8, size -= 8) {
    uint64_t word;
    memcpy(&word, begin, 8);
    h = (h ^ word) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
  }
  for (; size > 0; begin++, size--)
    h = (h ^ (unsigned char)*begin) * 0x100000001B3u;
  return h ^ h >> 32;
}

/* Whether a hash was never asked for; from now on it was. */
static bool is_new(uint64_t h) {
  h += h == 0;
  uint64_t i = h % KNOWN;
  while (search->known[i] != 0 && search->known[i] != h)
    i = (i + 1) % KNOWN;
  if (search->known[i] == h)
    return false;
  search->known[i] = h;
  return true;
}

/* Prints an outcome, if it is new. */
static void report(const char *how) {
  char line[400];
  int n = snprintf(line, sizeof line, "%s", how);
  if (strcmp(how, "complete") == 0 || strcmp(how, "deadlock") == 0)
    outcome(line + n, sizeof line - n);
  n = strlen(line);
  line[n++] = '\n';
  if (is_new(hash(1, line, n)) && write(1, line, n) != n)
    _exit(1);
}

static bool may_run(int thread) {
  struct thread *t = &threads[thread];
  return (t->life == NEW || t->life == STARTED) && (only < 0 || only == thread) &&
         may_go_on(thread);
}

/* Copies the parts of the state; returns where to. */
static char *save(const struct part *part, int n) {
  char *copy = search->free;
  for (int i = 0; i < n; i++) {
    if (search->free + part[i].size > search->copies + COPIES)
      give_up("executions are too long");
    memcpy(search->free, part[i].begin, part[i].size);
    search->free += part[i].size;
  }
  return copy;
}

static void restore(const struct part *part, int n, const char *copy) {
  for (int i = 0; i < n; i++) {
    memcpy(part[i].begin, copy, part[i].size);
    copy += part[i].size;
  }
}

/* Whether a thread waits for a signal that has not come. */
static bool unsignalled(int thread) {
  const struct thread *t = &threads[thread];
  return t->ready == woken && waits_at(t->object, thread) && !is_cancelled(thread);
}

/* Everything that follows from the state, which is the same again afterwards. */
static void explore(void) {
  struct part part[THREADS + 1];
  uint64_t h = 0;
  int n = parts(part);
  for (int i = 0; i < n; i++)
    h = hash(h, part[i].begin, part[i].size);
  if (!is_new(h))
    return;
  if (++search->states > search->most_states)
    give_up("too many states");
  char *copy = save(part, n);
  bool moves = false, alive = false, judged = true;
  for (int thread = 0; thread < count; thread++) {
    alive |= threads[thread].life != FINISHED;
    judged &= threads[thread].ready != never;
    if (!may_run(thread))
      continue;
    moves |= search->wakeups != 2 || !unsignalled(thread);
    for (int answer = 0, answers = threads[thread].answers; answer < answers; answer++) {
      run(thread, answer);
      if (ended)
        report(ended);
      else
        explore();
      restore(part, n, copy);
    }
  }
  search->free = copy;
  if (!moves && judged)
    report(alive ? "deadlock" : "complete");
}

/* Finds the _Thread_local variables of the program, which is the first object that is visited. */
static int own_local(struct dl_phdr_info *info, size_t size, void *unused) {
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS) {
      search->local = info->dlpi_tls_data;
      search->local_size = info->dlpi_phdr[i].p_memsz;
    }
  return 1;
}

/* Memory outside of the state. */
static void *memory(size_t size) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *result = mmap(0, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (result == MAP_FAILED)
    give_up("no memory");
  return result;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 1;
  self = -1;
  search = memory(sizeof *search);
  search->stacks = memory(sizeof(char[THREADS][STACK]));
  search->known = memory(KNOWN * sizeof *search->known);
  search->free = search->copies = memory(COPIES);
  search->fresh = memory(LOCAL);
  search->most_states = atol(argv[1]);
  search->wakeups = atoi(argv[2]);
  search->failures = atoi(argv[3]);
  if (search->most_states > KNOWN / 2)
    give_up("more states than there is place for");
  dl_iterate_phdr(own_local, 0);
  if (search->local_size > LOCAL)
    give_up("too many thread-local variables");
  memcpy(search->fresh, search->local, search->local_size);
  create(main_body, 0, true);
  explore();
  _exit(0);
}
