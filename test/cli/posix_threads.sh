# gpuverify threads: what is refused, and what stays the same.
# shellcheck shell=sh

write() { cat >"$1"; }

write none.c <<'END'
int f(void) { return 1; }
END
write unknown.c <<'END'
int launch_rocket(int);
int main(void) { return launch_rocket(3); }
END
write handler.c <<'END'
#include <signal.h>
static void handle(int s) { (void)s; }
int main(void) { signal(2, handle); return 0; }
END
write forks.c <<'END'
#include <unistd.h>
int main(void) { return fork(); }
END
write many.c <<'END'
#include <pthread.h>
static void *f(void *a) { return a; }
int main(void) {
  pthread_t t;
  for (int i = 0; i < 100000; i++)
    pthread_create(&t, 0, f, 0);
}
END
write spin.c <<'END'
volatile int x;
int main(void) { while (!x); }
END
write broken.c <<'END'
int main(void) { return 0
END
write uses.c <<'END'
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static _Thread_local int local = 5;
static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
int main(int argc, char **argv) {
  FILE *in = fopen("uses.c", "r");
  char line[100], *text = strdup("hello");
  int lines = 0, values[] = {5, 3, 1, 4};
  while (fgets(line, sizeof line, in))
    lines++;
  fclose(in);
  qsort(values, 4, sizeof *values, compare);
  text[0] = (char)toupper(text[0]);
  printf("%d %d %d %s %s %d\n", lines, values[0], values[3], text,
         argv[argc - 1], local);
  free(text);
  return 0;
}
END

gives 4 'there is no main' threads none.c
gives 4 "unknown.c:2:25: 'launch_rocket' is called" threads unknown.c
gives 0 'verdict: passed' threads handler.c --schedules=5 -g -w -Wall
gives 4 'a program with processes of its own' threads forks.c
gives 4 'more than 1024 threads' threads many.c
gives 3 'does not compile' threads broken.c
gives 2 'No such file' threads nothere.c
gives 2 '--depth: give a number from 1 to 7' threads spin.c --depth=9
gives 2 'no file is given' threads
write ctor.c <<'END'
#include <assert.h>
static int set[2];
__attribute__((constructor(200))) static void second(void) { set[1] = set[0]; }
__attribute__((constructor(150))) static void first(void) { set[0] = 7; }
int main(void) { assert(set[1] == 7); return 0; }
END
write maps.c <<'END'
#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
  struct stat facts;
  char got[6] = "";
  int out = open("made", O_CREAT | O_RDWR, 0600);
  assert(write(out, "hello", 5) == 5 && !close(out));
  int in = open("made", O_RDONLY);
  assert(!fstat(in, &facts) && facts.st_size == 5);
  char *at = mmap(0, 6, PROT_READ | PROT_WRITE, MAP_PRIVATE, in, 0);
  at[0] = 'J';
  assert(read(in, got, 6) == 5 && !strcmp(got, "hello"));
  assert(!strcmp(at, "Jello") && !munmap(at, 6));
  assert(open("nothing", O_RDONLY) == -1);
  return sysconf(_SC_NPROCESSORS_ONLN) != 7;
}
END
write race.c <<'END'
#include <pthread.h>
static int shared;
static void *add(void *a) { shared++; return a; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return WORSE && shared == 1;
}
END
gives 0 'verdict: passed' threads ctor.c --schedules=2
gives 0 'verdict: passed' threads maps.c --schedules=80 --processors=7
check 'what a program writes stays with its schedule' [ ! -e made ]
gives 1 'schedules run: 64; nothing worse' threads race.c -DWORSE=0 --output=r
gives 1 'racy, too' threads race.c -DWORSE=1 --output=r
gives 2 '--lots: give a number from 1 to 64' threads race.c --lots=65
gives 2 '--processors: give a number' threads race.c --processors=0
gives 1 'endless, by thread 0' threads spin.c --schedules=10 --output=spin.s
gives 0 'verdict: passed' threads uses.c --schedules=100 -- last
gives 0 '22 1 5 Hello last 5' threads uses.c --schedules=100 --json -- last

account=$root/test/threads/account.c
gives 1 'stopped before it' threads "$account" -DBUG=1 --output=one
tells 'balance'
gives 1 'assertion' threads "$account" -DBUG=1 -j 3 --output=three
check 'the same schedule with three processes' cmp one three
gives 1 'verdict: assertion (this schedule' threads "$account" -DBUG=1 --replay=one
gives 2 'of another program' threads "$account" --replay=one
gives 2 'this is no schedule' threads "$account" --replay=spin.c
gives 0 'these are all' threads "$account" --scheduler=dfs
gives 0 'was missed with probability' threads "$account" --schedules=2000
gives 1 '"ruleId": "assertion-failure"' threads "$account" -DBUG=1 --sarif --output=s

interrupted() {
  "$gpuverify" threads "$account" --seconds=60 >told 2>&1 &
  process=$!
  sleep 2
  kill -INT $process
  wait $process
  grep -q 'interrupted: [0-9]* schedules' told
}
check 'an interrupt keeps what is known' interrupted

# A lock in memory that was freed; a schedule with other arguments; an instruction
# that stores in a way of its own.
cat >freed.c <<'CC'
#include <semaphore.h>
#include <stdlib.h>
int main(void) {
  sem_t *lock = malloc(sizeof *lock);
  sem_init(lock, 0, 1);
  free(lock);
  return sem_post(lock);
}
CC
gives 1 'verdict: use-after-free' threads freed.c
echo '#include <assert.h>
int main(int count, char **words) { assert(count < 2); return !words; }' >words.c
gives 1 'verdict: assertion' threads words.c --output=words.schedule -- more
gives 4 "which was 'assertion': are the program's arguments" threads words.c \
  --replay=words.schedule
gives 1 'verdict: assertion' threads words.c --replay=words.schedule -- more
echo '#include <immintrin.h>
int main(void) {
  char cells[16];
  __m128i all = _mm_set1_epi8(-1);
  _mm_maskmoveu_si128(all, all, cells);
  return cells[0] != -1;
}' >store.c
gives 4 'accesses memory in a way of its own is not executed' threads store.c

# Switches repeat a schedule also behind steps at which a thread that only looks has
# to wait; where that happens PCT promises nothing.
spin=$root/test/threads/spin_write.c
for scheduler in pct act delay pos ppct; do
  gives 1 'verdict: assertion' threads "$spin" -DBUG=1 -DN=520 --output=spun \
    --scheduler=$scheduler --schedules=20000
  gives 1 'verdict: assertion (this schedule' threads "$spin" -DBUG=1 -DN=520 \
    --replay=spun
done
gives 0 'PCT promises nothing' threads "$spin" -DN=2000 --schedules=200

# What a replay says is what the search said: of an exit status that dfs's own first
# schedule does not have, of a schedule that may be longer than the first ones, of a
# text with two lines.
write status.c <<'END_OF_C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static void *set(void *a) { flag = 1; return a; }
static void *none(void *a) { return a; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, none, 0);
  pthread_create(&b, 0, set, 0);
  pthread_join(a, 0);
  int seen = flag;
  pthread_join(b, 0);
  return seen;
}
END_OF_C
for scheduler in dfs pct; do
  gives 1 'verdict: failed' threads status.c --scheduler=$scheduler --output=s
  gives 1 'verdict: failed (this schedule' threads status.c --replay=s
done
write long.c <<'END_OF_C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int cell, flag;
static void *set(void *a) { flag = 1; return a; }
static void *work(void *a) {
  int times = flag ? 20000 : 290000;
  for (int i = 0; i < times; i++)
    cell++;
  assert(times == 20000);
  return a;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, set, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
END_OF_C
gives 1 'verdict: assertion' threads long.c --lots=1 --schedules=50 --output=s
sed 's/^steps .*/steps 1000/' s >short
gives 1 'verdict: assertion (this schedule' threads long.c --replay=s
gives 4 'more than 1000 steps' threads long.c --replay=short
# Functions have the same addresses in each process, those of the library, too.
write places.c <<'END_OF_C'
#include <stdio.h>
#include <stdlib.h>
void __assert_fail(const char *, const char *, unsigned, const char *);
static int zero(void) { return 0; }
int main(void) {
  char text[80];
  int (*volatile print)(char *, const char *, ...) = sprintf;
  void (*volatile give)(void *) = free;
  give(malloc(1));
  print(text, "%p %p %p %g", (void *)zero, (void *)print, (void *)give, 0.5);
  __assert_fail(text, "f", 1, "main");
}
END_OF_C
for i in 1 2 3; do
  "$gpuverify" threads places.c --output=s 2>&1 | grep 0.5 >>places
done
check 'functions have their places' test "$(sort -u places | wc -l)" -eq 1
check 'functions are there' test "$(wc -l <places)" -eq 3
# All that wait for a mutex wake whenever it is free.
write crowd.c <<'END_OF_C'
#include <pthread.h>
enum { THREADS = 1023 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *add(void *a) {
  pthread_mutex_lock(&lock);
  sum++;
  pthread_mutex_unlock(&lock);
  return a;
}
int main(void) {
  static pthread_t threads[THREADS];
  pthread_mutex_lock(&lock);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, add, 0);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  return sum != THREADS;
}
END_OF_C
gives 0 'verdict: passed' threads crowd.c --lots=3 --schedules=5
write lines.c <<'END_OF_C'
void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void) { __assert_fail("one\ntwo", "f", 1, "main"); }
END_OF_C
gives 1 'verdict: assertion' threads lines.c --output=s
gives 1 'verdict: assertion (this schedule' threads lines.c --replay=s

# Endless is what will never change: not what counts, asks for the time or prints.
write looks.c <<'END_OF_C'
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static volatile int zero;
static atomic_int flag;
static void *yields(void *a) { while (!flag) sched_yield(); return a; }
static void *sleeps(void *a) { while (!flag) usleep(1); return a; }
int main(void) {
  pthread_t a, b;
  int sum = 0;
  switch (HOW) {
  case 0:
    for (int i = 0; i < 300000; i++) sum += zero;
    return sum;
  case 1:
    while (time(0)) sum += zero;
    return sum;
  case 2:
    for (int i = 0; i < 300000; i++) puts("line");
    return 0;
  case 3:
    while (!zero) sum = 3;
    return sum;
  }
  pthread_create(&a, 0, yields, 0);
  pthread_create(&b, 0, sleeps, 0);
  for (int i = 0; HOW == 5 && i < 140000 + 150000; i++) sum += zero;
  if (HOW == 5) flag = 1;
  pthread_join(a, 0);
  pthread_join(b, 0);
  return sum;
}
END_OF_C
for how in 0 2 5; do
  gives 0 'verdict: passed' threads looks.c -DHOW=$how --schedules=3 --lots=1
done
gives 4 'endless, or far too long' threads looks.c -DHOW=1 --schedules=3 --lots=1
for how in 3 4; do
  gives 1 'verdict: endless' threads looks.c -DHOW=$how --schedules=3 --output=s
  gives 1 'verdict: endless (this' threads looks.c -DHOW=$how --replay=s
  gives 1 'verdict: endless' threads looks.c -DHOW=$how --scheduler=dfs --output=s
done

# Time that passes within one schedule: without a step, behind a race or not; in
# a few long ones; in a computation that ends, of which 64 would take 20 s.
write slow.c <<'END'
#include <pthread.h>
#include <string.h>
static char large[1 << 20];
static volatile int one = 1;
static int zero;
static void *f(void *a) {
  zero++;
  for (volatile int i = 0;; i++);
  return a;
}
int main(void) {
#if HOW == 1
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  zero++;
  pthread_join(t, 0);
#elif HOW == 2
  while (one) memset(large, 1, sizeof large);
#else
  for (volatile int i = 0; i < 100000000; i++);
#endif
}
END
gives 4 '(slow.c:7:7); ' \
  threads slow.c -DHOW=1 --scheduler=dfs --seconds=1
before=$(date +%s)
gives 1 'verdict: racy' threads slow.c -DHOW=1 --seconds=1 --output=s
check 'the race is told soon' test $(($(date +%s) - before)) -lt 20
gives 4 'no schedule comes to its end within 1 s' threads slow.c -DHOW=2 \
  --seconds=1
gives 0 'verdict: passed (' threads slow.c -DHOW=3 --seconds=1
says_not 'passed (64'

# The last thread to end after main has left runs what atexit was given, and has
# nothing of its own any more.
write left.c <<'END_OF_C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int *kept;
static void at_end(void) { free(kept); puts("the end"); }
static void *work(void *block) { if (LEAKS) kept = malloc(4); else kept = block; return 0; }
int main(void) {
  pthread_t thread;
  atexit(at_end);
  pthread_create(&thread, 0, work, malloc(4));
  pthread_exit(0);
}
END_OF_C
gives 0 'the end' threads left.c -DLEAKS=0 --schedules=100 --json
gives 1 'verdict: leak' threads left.c -DLEAKS=1 --schedules=100 --output=s

# A wait may end without a signal, if that is asked for, and so often only.
write awake.c <<'END_OF_C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full, woken;
static void *fill(void *a) {
  pthread_mutex_lock(&lock);
  full = 1;
  if (SIGNALS) pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return a;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, fill, 0);
  pthread_mutex_lock(&lock);
  AGAIN (!full) {
    pthread_cond_wait(&changed, &lock);
    woken++;
  }
  assert(full && woken < 4);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
}
END_OF_C
one="-DAGAIN=if -DSIGNALS=1" loop="-DAGAIN=while -DSIGNALS=1"
deaf="-DAGAIN=while -DSIGNALS=0"
# shellcheck disable=SC2086
{
  gives 0 'these are all' threads awake.c $one --scheduler=dfs
  gives 0 'these are all' threads awake.c $loop --scheduler=dfs --spurious=2
  gives 0 'verdict: passed' threads awake.c $loop --spurious=2 --schedules=2000
  gives 1 'verdict: assertion' threads awake.c $loop --scheduler=dfs --spurious=4 \
    --output=s
  for scheduler in pct random pos delay dfs; do
    gives 1 'verdict: assertion' threads awake.c $one --spurious=1 --output=s \
      --scheduler=$scheduler --schedules=2000
    gives 1 'verdict: assertion (this schedule' threads awake.c $one --replay=s
    gives 1 'verdict: deadlock' threads awake.c $deaf --spurious=2 --output=s \
      --scheduler=$scheduler --schedules=2000
  done
}

# A replay under a debugger is in the process that it looks at.
debug() {
  timeout 60 gdb -nx -batch -ex 'set breakpoint pending on' \
    -ex 'break account.c:14' -ex run -ex bt -ex delete -ex continue --args \
    "$gpuverify" threads "$account" -DBUG=1 --replay=one 2>&1
}
out='no gdb'
if command -v gdb >/dev/null; then out=$(debug); fi
case $out in
'no gdb') skip 'there is no gdb' ;;
*ptrace:*) skip 'gdb may not look at processes' ;;
*)
  tells '#0  deposit () at'
  tells 'verdict: assertion (this schedule'
  ;;
esac

# Behind all variables there is no memory, a clock is no loop without end, and
# what only says something to the processor is nothing.
cat >behind.c <<'END'
static int a[4];
int main(int argc, char **argv) {
  (void)argv;
#ifdef CLOCK
  for (unsigned long long start = __builtin_readcyclecounter();
       __builtin_readcyclecounter() - start < 1000;)
    ;
#elif defined PAUSE
  __asm__ volatile("pause");
  __asm__ volatile("mfence" ::: "memory");
  a[argc] = 1;
#else
  a[99999 + argc] = 1;
#endif
  return 0;
}
END
gives 1 'verdict: crash' threads behind.c
gives 4 "'llvm.readcyclecounter': the processor's own clock is not executed" \
  threads behind.c -DCLOCK
gives 0 'verdict: passed' threads behind.c -DPAUSE
gives 2 'on a device nobody wakes without a signal' threads behind.c \
  --spurious=1 --device=check

# A mistake that needs thousands of switches.
cat >many_switches.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int last, changes;
static void *run(void *own) {
  for (int i = 0; i < 4000; i++)
    if (atomic_exchange(&last, *(int *)own) != *(int *)own)
      changes++;
  return own;
}
int main(void) {
  pthread_t threads[2];
  int names[] = {1, 2};
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, run, &names[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  assert(changes < 3800);
}
END
gives 1 'verdict: assertion (schedule 2' threads many_switches.c \
  --scheduler=random --lots=2 --schedules=3 --output=s
gives 1 'verdict: assertion (this' threads many_switches.c --replay=s

# An atomic store is a change, unless it stores what is there: no thread waits for
# ever here, however long it goes on.
cat >rounds.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn;
static void *other(void *arg) {
  for (int i = 0; i < 600; i++) {
    while (turn != 1)
      ;
    turn = STORED;
  }
  return arg;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  for (int i = 0; i < 600; i++) {
    while (turn != 0)
      ;
    turn = 1;
  }
  return pthread_join(thread, NULL);
}
END
gives 0 'verdict: passed' threads rounds.c -DSTORED=0 --schedules=3
gives 1 'verdict: endless' threads rounds.c -DSTORED=1 --schedules=3 --output=s

# Where the first schedule has many steps the others may have them, too, and so
# may a replay.
cat >far.c <<'END'
#include <assert.h>
#include <pthread.h>
static int cells[1000];
static int sum;
static void *add(void *unused) {
  for (int i = 0; i < 200000; i++)
    sum += cells[i % 1000];
  return unused;
}
int main(void) {
  pthread_t thread;
  add(0);
  pthread_create(&thread, 0, add, 0);
  sum = 1;
  assert(!WRONG || sum == 2);
  pthread_join(thread, 0);
}
END
gives 1 'verdict: racy' threads far.c -DWRONG=0 --schedules=66 --output=s
gives 1 'verdict: assertion' threads far.c -DWRONG=1 --lots=2 --output=s
check 'its steps are allowed' grep -q '^steps [0-9]\{7\}' s
gives 1 'verdict: assertion' threads far.c -DWRONG=1 --replay=s

# A device keeps in attributes what the processor keeps there.
cat >attributes.c <<'END'
#include <pthread.h>
static pthread_attr_t attributes;
static void *run(void *unused) { return unused; }
int main(void) {
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_attr_setscope(&attributes, PTHREAD_SCOPE_SYSTEM);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
  pthread_create(&thread, &attributes, run, 0);
  return pthread_join(thread, 0);
}
END
gives 0 'verdict: passed' threads attributes.c --device=check --schedules=300

# Threads that have ended leave their place to others.
cat >succession.c <<'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static _Thread_local int own = 7;
static int count;
static void *run(void *argument) {
  char room[1000];
  pthread_mutex_lock(&lock);
  room[0] = 1;
  __atomic_fetch_add(&count, room[0], __ATOMIC_SEQ_CST);
  pthread_mutex_unlock(&lock);
  assert(own++ == 7 && !pthread_getspecific(key));
  pthread_setspecific(key, room);
  return argument;
}
int main(void) {
  pthread_t thread, last;
  pthread_key_create(&key, 0);
  pthread_create(&last, 0, run, 0);
  for (int i = 1; i < 3000; i++) {
    pthread_create(&thread, 0, run, &count);
    if (i % 3)
      pthread_join(thread, 0);
    else
      pthread_detach(thread);
    if (i % 3 == 0)
      while (__atomic_load_n(&count, __ATOMIC_SEQ_CST) < i)
        continue;
  }
  pthread_join(last, 0);
  return WRONG && count == 3000;
}
END
for scheduler in pct act ppct random delay; do
  gives 0 'verdict: passed' threads succession.c -DWRONG=0 --lots=2 \
    --schedules=2 --scheduler=$scheduler
done
sed 's/i < 3000/i < 70000/' succession.c >endless_row.c
gives 4 'more than 65535 threads (endless_row.c:22:5)' \
  threads endless_row.c -DWRONG=0 --lots=1

# What has no access that others can see has a place all the same.
write deep.c <<'END'
#include <pthread.h>
static int deeper(int n) {
  volatile char kept[100];
  kept[n % 100] = 1;
  return deeper(n + 1) + kept[n % 50];
}
static void *dive(void *a) { return deeper(0) ? a : 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, dive, 0);
  return pthread_join(t, 0);
}
END
gives 1 'deep.c:4:10: stack-overflow, by thread 1' threads deep.c
