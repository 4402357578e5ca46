// N agents sell the tickets of a flight with fewer seats.
//
// bug 1: assertion  whether it is full is asked, then a seat is sold

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

enum { SEATS = N - 1 };

static atomic_int sold;

static void *sell(void *unused) {
#if BUG == 1
  if (sold < SEATS)
    sold++;
#else
  int now = sold;
  while (now < SEATS && !atomic_compare_exchange_weak(&sold, &now, now + 1))
    continue;
#endif
  return unused;
}

int main(void) {
  pthread_t agents[N];
  for (int i = 0; i < N; i++)
    pthread_create(&agents[i], NULL, sell, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(agents[i], NULL);
  assert(sold <= SEATS);
  return 0;
}
