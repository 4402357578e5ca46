# gpuverify threads --device: what goes together, what is refused, and how far
# it comes with a driver that executes nothing (test/device/libcuda.c).
# shellcheck shell=sh

account=$root/test/threads/account.c
queue=$root/test/threads/double_checked.c
write() { cat >"$1"; }

gives 2 'pct, act and random' threads "$account" --device=check --scheduler=dfs
gives 2 'a schedule is replayed by the processor' threads "$account" \
  --device=check --replay=none

# The device's code, executed here.
gives 1 'account.c:37:3: assertion, by thread 0' threads "$account" -DBUG=1 \
  --device=check --lots=1 --seconds=30 --output=account.schedule
gives 1 'verdict: assertion' threads "$account" -DBUG=1 \
  --replay=account.schedule
gives 0 'schedules/s by this processor, as a device' threads "$account" \
  -DBUG=0 --device=check --schedules=1000
gives 0 '"device":{"name":"this processor, as a device","schedules":936,"left":0' \
  threads "$account" -DBUG=0 --device=check --schedules=1000 --json
# More launches than a number has bits, and steps that change nothing.
gives 0 'verdict: passed (10000 schedules' threads "$account" -DBUG=0 \
  --device=check --schedules=10000
gives 1 'verdict: endless' threads "$root/test/threads/dekker.c" -DBUG=2 \
  --device=check --scheduler=random --lots=1 --seed=7 --schedules=100
# A wait with a time limit may end before others have done anything, by each scheduler.
for how in '--scheduler=act --device=check' '--device=check' --scheduler=ppct; do
  # shellcheck disable=SC2086
  gives 1 'verdict: assertion' threads "$root/test/threads/timeout.c" -DBUG=1 \
    $how --lots=1 --schedules=1000 --output=timeout.schedule
done
# Who gives way comes between two steps of a thread that is lowered later.
for how in act:6 pct:8 ppct:8; do
  bug=${how##*:} how=${how%%:*}
  # shellcheck disable=SC2086
  gives 1 'verdict: assertion' threads "$root/test/threads/ends.c" -DBUG="$bug" \
    --scheduler=$how --lots=1 --schedules=5000 --output=ends.schedule
done
# More threads give way than there are places for.
write late.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <sched.h>
static int table[80];
static _Atomic int last;
static void *f(void *a) { sched_yield(); last = 1; return a; }
int main(void) {
  pthread_t t;
  int sum = 0;
  pthread_create(&t, 0, f, 0);
  for (int i = 0; i < 80; i++)
    sum += table[i];
  assert(!sum && !last);
  return pthread_join(t, 0);
}
END
for how in pct act; do
  gives 1 'verdict: assertion' threads late.c --device=check --scheduler=$how \
    --lots=1 --schedules=1000 --output=late.schedule
done
write crowd.c <<'END'
#include <pthread.h>
#include <sched.h>
static int values[40];
static void *f(void *a) {
  for (int i = 0; i < 3; i++)
    sched_yield();
  ++*(int *)a;
  sched_yield();
  return a;
}
int main(void) {
  pthread_t t[40];
  for (int i = 0; i < 40; i++)
    pthread_create(&t[i], 0, f, &values[i]);
  for (int i = 0; i < 40; i++)
    pthread_join(t[i], 0);
  return values[39] != 1;
}
END
gives 0 'as a device' threads crowd.c --device=check --lots=1 --schedules=400 \
  --depth=6
gives 0 'as a device' threads "$root/test/threads/timeout.c" -DBUG=0 \
  --device=check --scheduler=act --lots=1 --schedules=1000
# A block that no schedule by lot loses is seen to be lost by the processor.
gives 1 'verdict: leak' threads "$queue" -DBUG=2 --device=check --lots=1 \
  --schedules=2000 --output=queue.schedule

# Memory that only later schedules need is the processor's business.
write grows.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int first;
static void *f(void *a) { first++; return a; }
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, f, 0);
  free(malloc(first == 4 ? 100000 : 10));
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
}
END
gives 0 'left to the processor' threads grows.c --device=check --lots=1 \
  --schedules=1000 --scheduler=random

# A thread's function that is known where all calls are in their place.
write wrapped.c <<'END'
#include <pthread.h>
static int first, second;
static void *g(void *a) { second++; return a; }
static void go(void *(*f)(void *), pthread_t *t) { pthread_create(t, 0, f, 0); }
static void *f(void *a) {
  pthread_t t;
  first++;
  go(g, &t);
  return pthread_join(t, 0) ? 0 : a;
}
int main(void) {
  pthread_t t;
  go(f, &t);
  pthread_join(t, 0);
  return first + second != 2;
}
END
gives 0 ' different ones, 3 threads, 13 steps' threads wrapped.c --device=check \
  --schedules=1000

# A device divides by zero and does not stop; nor may it read address zero.
write crashes.c <<'END'
#include <pthread.h>
static int d = 1, *p = &d;
static void *f(void *a) { d = 0; p = 0; return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  volatile int seen = DOES;
  pthread_join(t, 0);
  return !seen && seen;
}
END
for does in 10/d '*p'; do
  gives 1 'crashes.c:7' threads crashes.c "-DDOES=$does" --device=check \
    --lots=1 --schedules=3000
  tells 'verdict: crash'
  tells 'as a device'
done

# What frames have left behind between the members of a structure is copied.
write padding.c <<'END'
#include <pthread.h>
static struct pair { char c; long l; } shared;
static void *f(void *a) {
  struct pair own;
  own.c = 1;
  own.l = (long)a;
  shared = own;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, &t);
  pthread_join(t, 0);
}
END
gives 0 'as a device' threads padding.c --device=check --lots=2 --schedules=300

# Machine code calls functions for numbers of 128 bits.
write wide.c <<'END'
static __int128 a = ((__int128)5 << 70) + 3, b = 7, zero;
int main(void) {
  a = a / 10 + b;
  b = a % b;
  return b / (DIVISOR) == 1;
}
END
gives 0 'as a device' threads wide.c -DDIVISOR=a --device=check --lots=1 \
  --schedules=100
gives 1 'wide.c:5:15: crash' threads wide.c -DDIVISOR=zero --device=check \
  --lots=1 --schedules=100

# What a device does not have, by its name and place.
write recursive.c <<'END'
static int f(int n) { return n ? f(n - 1) + f(n / 2) : 1; }
int main(int argc, char **argv) { (void)argv; return f(argc) == 9; }
END
write pointer.c <<'END'
static int g(void) { return 0; }
int (*volatile f)(void) = g;
int main(void) { return f(); }
END
write address.c <<'END'
static int g(void) { return 0; }
static int (*f)(void) = g;
int main(void) { return f == g ? 0 : 1; }
END
write handler.c <<'END'
#include <pthread.h>
static int n;
static void h(void *a) { (void)a; n++; }
static void *f(void *a) {
  pthread_cleanup_push(h, 0);
  n++;
  pthread_cleanup_pop(1);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  return pthread_join(t, 0);
}
END
write real.c <<'END'
static __int128 a = 3;
static double d;
int main(void) { return (d = (double)a) < 0; }
END
write array.c <<'END'
int main(int argc, char **argv) { (void)argv; int a[argc]; return a[0] = 0; }
END
write reads.c <<'END'
#include <stdio.h>
int main(void) { char text[9]; return sscanf("7", "%s", text) != 1; }
END
write starts.c <<'END'
#include <pthread.h>
static void *f(void *a) { return a; }
int main(int argc, char **argv) {
  pthread_t t;
  void *(*start)(void *) = argc > 5 ? (void *(*)(void *))argv[1] : f;
  pthread_create(&t, 0, start, 0);
  return pthread_join(t, 0);
}
END
gives 4 "recursive.c:2:54: --device: 'f' is recursive" threads recursive.c \
  --device=check
gives 4 'pointer.c:3:25: --device: a call through a pointer' threads pointer.c \
  --device=check
gives 4 'address.c:3:27: --device: the address of a function' threads address.c \
  --device=check
gives 4 "handler.c:5:3: --device: setjmp, or pthread_cleanup_push, is not there" threads \
  handler.c --device=check
gives 4 'real.c:3:30: --device: a conversion between a real and an integer of' \
  threads real.c --device=check
gives 4 'array.c:1:47: --device: a local array whose size is not fixed' threads \
  array.c --device=check
gives 4 "reads.c:2:39: --device: '__isoc" threads \
  reads.c --device=check
gives 4 'starts.c:6:3: --device: a thread begins at a function that is not named' \
  threads starts.c --device=check

# A driver that executes nothing is not believed.
mkdir empty
export LD_LIBRARY_PATH="$PWD/empty"
if ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1'; then
  skip 'this machine has a CUDA driver'
else
  gives 4 'there is no CUDA driver (libcuda.so.1) on this machine' threads \
    "$account" --device=cuda
fi
fake_driver || return 0
export FAKE=follows FAKE_LOG=calls.log FAKE_PTX=program.ptx
gives 4 'the device has not executed schedule 65' threads "$account" -DBUG=0 \
  --device=cuda
check 'as many as there is room for' grep -q '^launch 16, 64' calls.log
for arch in sm_80 sm_90; do
  if [ -x /usr/local/cuda/bin/ptxas ]; then
    check "ptxas takes the PTX for $arch" \
      /usr/local/cuda/bin/ptxas -arch=$arch -o program.cubin program.ptx
  else
    skip 'no ptxas'
  fi
done
FAKE=lies
gives 4 "schedule 65: the device says 'assertion' (somewhere, thread 0, 1 steps), and the processor 'passed'" \
  threads "$account" -DBUG=0 --device=cuda
FAKE=broken
gives 4 'the CUDA driver cannot execute the kernel: an illegal address' \
  threads "$account" -DBUG=0 --device=cuda
FAKE=none
gives 4 'the CUDA driver finds no device on this machine' threads "$account" \
  --device=cuda
