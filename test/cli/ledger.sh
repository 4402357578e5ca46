# What gpuverify run knows of a program's launches survives what the program
# does to its descriptors, its environment, its processes and its memory; or
# the verdict is unknown, with the reason.
# shellcheck shell=sh

cat >acts.cu <<'CODE'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void one(int *a, int half) {
  a[threadIdx.x / (half + 1)] = threadIdx.x;
}
__global__ void wait_for(volatile int *a) {
  while (!a[0])
    ;
}

static int launch(int is_racy) {
  int *a;
  if (cudaMalloc(&a, 64 * sizeof *a))
    return 9;
  one<<<1, 64>>>(a, is_racy);
  return cudaDeviceSynchronize() != cudaSuccess;
}

static void close_from(int first) {
  for (int i = first; i < 256; i++)
    close(i);
}

// Each number is that of an open file, an empty one.
static void take_all_numbers(const char *name) {
  int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  for (int i = 3; i < 64; i++)
    if (i != file)
      dup2(file, i);
}

static void overwrite(const char *what, int value) {
  char line[4096];
  unsigned long start, end;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps))
    if (strstr(line, what) && sscanf(line, "%lx-%lx", &start, &end) == 2)
      memset((void *)start, value, end - start);
  fclose(maps);
}

// What is mapped next is likely to be in its place.
static int unmap_between() {
  char line[4096];
  unsigned long start, end;
  int status = launch(0);
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps))
    if (strstr(line, "gpuverify.ledger") &&
        sscanf(line, "%lx-%lx", &start, &end) == 2)
      mmap((void *)start, end - start, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  fclose(maps);
  return status || launch(1);
}

static void *end_soon(void *data) {
  usleep(200 * 1000);
  _exit(0);
  return data;
}

static int launch_and_exit() {
  pthread_t other;
  int *a;
  cudaMallocManaged(&a, sizeof *a);
  *a = 0;
  pthread_create(&other, NULL, end_soon, NULL);
  wait_for<<<1, 1>>>(a);
  return 0;
}

// Two processes that launch at once, many times.
static int launch_often() {
  pid_t child = fork();
  for (int i = 0; i < 300; i++)
    launch(0);
  if (child)
    waitpid(child, NULL, 0);
  return 0;
}

int main(int count, char **arguments) {
  const char *act = count > 1 ? arguments[1] : "";
  char *again[] = {arguments[0], (char *)"racy", NULL}, *empty[] = {NULL};
  int is_child = 0;
  if (!strcmp(act, "nothing"))
    return 0;
  if (!strcmp(act, "racy"))
    return launch(1);
  if (!strcmp(act, "close"))
    close_from(3);
  if (!strcmp(act, "close-all"))
    close_from(0);
  if (!strcmp(act, "numbers"))
    take_all_numbers("empty");
  if (!strcmp(act, "clear"))
    clearenv();
  if (!strcmp(act, "again"))
    execve("/proc/self/exe", again, empty);
  if (!strcmp(act, "other"))
    execl("/bin/true", "true", (char *)NULL);
  if (!strcmp(act, "zeros"))
    overwrite("gpuverify.ledger", 0);
  if (!strcmp(act, "ones"))
    overwrite("gpuverify.ledger", 255);
  if (!strcmp(act, "exit"))
    return launch_and_exit();
  if (!strcmp(act, "unmap"))
    return unmap_between();
  if (!strcmp(act, "often"))
    return launch_often();
  if (!strcmp(act, "fork") && !(is_child = !fork()))
    return wait(NULL) < 0;
  if (!strcmp(act, "daemon"))
    return daemon(1, 0) || (usleep(300 * 1000), launch(1));
  if (!strcmp(act, "stay"))
    return launch(0) || daemon(1, 0) || (sleep(6), launch(1));
  int status = launch(1);
  if (!strcmp(act, "then-zeros"))
    overwrite("gpuverify.ledger", 0);
  return status;
}
CODE

ours='-nocudainc -nocudalib --detect=races'
# act STATUS TEXT ACT: the program that does this ends so.
act() {
  # shellcheck disable=SC2086 # options are words
  gives "$1" "$2" run $ours acts.cu -- "$3"
}
race="acts.cu:11:31: write-write race on 'a'"
for how in close close-all numbers clear again fork; do
  act 1 "$race" $how
  contains 'verdict: racy (this run, 1 launch,' || fail "$how: no launch"
done
act 1 "$race" daemon
act 0 'verdict: passed (this run, 600 launches,' often

# What cannot have been looked at.
none='not decided: the program has launched no kernel, so nothing was looked at'
act 4 "$none" nothing
act 4 "$none" other
written='the program has written to the memory where its launches are noted'
act 4 "$written" then-zeros
contains 'verdict: unknown (this run, launches not counted, ' || fail 'counted'
act 1 "$race" zeros
act 1 "$race" ones
act 1 "$race" unmap
act 4 'not decided: 1 launch has not come to its end' exit
act 4 'not decided: the program has left process ' stay
# shellcheck disable=SC2086
gives 4 '"verdict":"unknown","reason":"the program has launched no kernel' \
  run $ours --json acts.cu -- nothing

# It ends before any library begins.
cat >early.c <<'CODE'
#include <unistd.h>
static void end(void) { _exit(0); }
__attribute__((section(".preinit_array"), used)) static void (*first)(void) = end;
int main(void) { return 0; }
CODE
gives 4 'the program has not come to our library (libgpuverify-cuda.so)' \
  run early.c

# Descriptors that are closed when the command begins.
cat >racy.cu <<'CODE'
#include <stdio.h>
__global__ void one(int *a) {
  a[threadIdx.x / 2] = threadIdx.x;
}
int main() {
  int *a;
  cudaMalloc(&a, 256);
  one<<<1, 64>>>(a);
  for (int i = 0; i < 20000; i++)
    printf("a line of the program's own, which nobody reads\n");
  return 0;
}
CODE
# closed STATUS REDIRECTION..: with these descriptors closed.
closed() {
  want=$1
  shift
  # shellcheck disable=SC2086
  eval "\"\$gpuverify\" run $ours racy.cu $*" >said 2>&1
  status=$?
  out=$(head -c 2000 said)
  if [ $status = "$want" ]; then pass; else fail "$*: status $status"; fi
}
closed 1 '2>report >&-'
out=$(cat report)
contains "race on 'a'" || fail 'stdout is closed: no race'
closed 1 '2>report <&-'
closed 1 '2>report <&- >&-'
closed 2 '>/dev/null 2>&-'
closed 2 '<&- >&- 2>&-'
closed 2 '>/dev/null 2>/dev/full'

# Interrupted, wherever: unknown, with what was seen until then.  The program
# does it itself, when it is where it wants to be.
cat >slow.cu <<'CODE'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__global__ void one(int *a, int shift) {
  a[threadIdx.x >> shift] = threadIdx.x;
}
__global__ void wait_for(volatile int *a) {
  while (!a[0])
    ;
}
static int number;
static pid_t whom;
static void *interrupt(void *data) {
  usleep(200 * 1000);
  kill(whom, number);
  sleep(3);
  kill(whom, number);
  return data;
}
static void end(int) { exit(0); }
int main(int count, char **arguments) {
  const char *act = arguments[1];
  pthread_t other;
  int *a;
  number = atoi(arguments[2]);
  whom = !strcmp(act, "group") ? 0 : getppid();
  cudaMalloc(&a, 256);
  cudaMemset(a, 0, 256);
  if (!strcmp(act, "handles"))
    signal(number, end);
  if (!strcmp(act, "ignores"))
    signal(number, SIG_IGN);
  one<<<1, 64>>>(a, !strcmp(act, "racy"));
  pthread_create(&other, NULL, interrupt, NULL);
  if (!strcmp(act, "kernel"))
    wait_for<<<1, 1>>>(a);
  sleep(60);
}
CODE
# interrupted STATUS TEXT ACT NUMBER
interrupted() {
  # shellcheck disable=SC2086
  out=$(timeout 60 setsid -w env --default-signal=HUP,INT,QUIT,TERM \
    "$gpuverify" run $ours slow.cu -- "$3" "$4" 2>&1)
  status=$?
  if [ $status != "$1" ]; then
    fail "signal $4, $3: status $status"
  elif ! contains "$2"; then
    fail "signal $4, $3: does not say: $2"
  else
    pass
  fi
}
for number in 1 2 15; do
  interrupted 4 'not decided: the run was interrupted by signal ' sleeps $number
  contains 'verdict: unknown (this run, 1 launch,' || fail "signal $number"
done
interrupted 4 'not decided: the run was interrupted by signal 2' group 2
interrupted 4 'not decided: the run was interrupted by signal 15' handles 15
interrupted 4 'program ended by signal 9: Killed' ignores 15
interrupted 4 "in launch 2, kernel 'wait_for" kernel 2
interrupted 1 "slow.cu:7:27: write-write race on 'a'" racy 2
contains 'verdict: racy (this run, 1 launch,' || fail 'racy'

# No PATH, and files that may not grow.
# shellcheck disable=SC2086
out=$(env -i "$gpuverify" run $ours racy.cu 2>&1 >/dev/null)
contains 'verdict: racy (this run, 1 launch,' || fail 'no environment'
for most in 0 8 100; do
  # shellcheck disable=SC2086
  out=$(ulimit -f $most && "$gpuverify" run $ours racy.cu 2>&1 >/dev/null)
  status=$?
  if [ $status = 2 ] || [ $status = 3 ]; then pass; else fail "-f $most"; fi
  contains 'File too large' || fail "-f $most: no reason"
done

# The same of one kernel.
cat >loop.cu <<'CODE'
__global__ void loop(volatile int *a) {
  printf("begun\n");
  while (!a[0])
    ;
}
CODE
echo '{"grid": 1, "block": 1, "seconds": 50, "arguments": [{"count": 1}]}' \
  >loop.json
out=$(timeout -s TERM 3 env --default-signal=TERM "$gpuverify" run \
  --launch=loop.json loop.cu 2>&1)
contains 'not executed to the end: the run was interrupted' || fail 'no reason'
contains 'verdict: unknown (this run, ' || fail 'interrupted: no verdict'

# A limit is not our bug.
out=$(ulimit -s 64 && "$gpuverify" racy.cu 2>&1)
status=$?
contains 'stack is limited (ulimit -v, -d, -s)' || fail "ulimit -s: $status"
