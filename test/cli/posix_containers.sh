# gpuverify threads: containers, strings, futures and locks of C++'s library, and
# futexes.
# shellcheck shell=sh

cat >contents.cpp <<'END_OF_C'
#include <algorithm>
#include <cstdio>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
static std::shared_mutex lock;
static std::map<std::string, int> counts; // its header is put back
static std::unordered_map<std::string, std::vector<int>> places;
static std::list<int> order;
static void add(const std::string &word, int place) {
#if WRONG != 1
  std::unique_lock<std::shared_mutex> held(lock);
#endif
  counts[word]++;
  places[word].push_back(place);
}
static int count(const std::string &word) {
#if WRONG != 2
  std::shared_lock<std::shared_mutex> held(lock);
#endif
  auto found = counts.find(word);
  return found == counts.end() ? 0 : found->second;
}
int main() {
  if (!counts.empty() || !places.empty() || !order.empty())
    return 1;
  std::thread other([] { add("of another", 1), count("both"), add("both", 2); });
  add("both", 3);
  count("both");
  other.join();
  for (int i = 0; i < 40; i++)
    add(std::to_string(i * 7 % 40) + " more", i), order.push_front(i);
  order.reverse();
  order.sort([](int a, int b) { return a % 5 < b % 5; });
  std::list<int> rest;
  rest.splice(rest.begin(), order, ++order.begin(), order.end());
  rest.remove(7);
  order.swap(rest);
  for (int i = 0; i < 40; i += 3)
    counts.erase(std::to_string(i) + " more");
  std::set<int> all(order.begin(), order.end());
  while (all.size() > 5)
    all.erase(++all.begin());
  auto &both = places["both"];
  std::sort(both.begin(), both.end());
  std::string text;
  for (auto &each : counts)
    text += each.first + "=" + std::to_string(each.second) + ",";
  for (auto each = counts.rbegin(); each != counts.rend(); ++each)
    text.insert(text.size() / 2, each->first.substr(0, 3));
  for (auto &each : places)
    text += each.first;
  for (int each : order)
    text += std::to_string(each);
  for (int each : all)
    text.append(1, char('a' + each));
  std::printf("%s %d %d\n", text.c_str(), both[0], both[1]);
  return text.find("both=2") == text.npos;
}
END_OF_C
cat >waits.cpp <<'END_OF_C'
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>
static std::once_flag once;
static int begun, sum;
static int twice(int value) {
  std::call_once(once, [] { begun++; });
  return 2 * value;
}
int main() {
  std::latch both(WRONG == 1 ? 3 : 2);
  std::barrier<> phase(2);
  std::counting_semaphore<4> free_ones(WRONG == 2 ? 1 : 0);
  std::promise<int> promise;
  auto promised = promise.get_future();
  auto later = std::async(std::launch::async, twice, 3);
  {
    std::jthread other([&] {
      sum = 1;
      free_ones.release();
      both.count_down();
      phase.arrive_and_wait();
      if (WRONG != 3)
        promise.set_value(sum);
    });
    free_ones.acquire();
    assert(sum == 1);
    both.arrive_and_wait();
    phase.arrive_and_wait();
    sum = promised.get() + later.get() + twice(1);
  }
  std::mutex lock;
  std::condition_variable_any never;
  std::jthread waiting([&](std::stop_token token) {
    std::unique_lock<std::mutex> held(lock);
    never.wait(held, token, [] { return false; });
  });
  if (WRONG != 4)
    waiting.request_stop();
  waiting.join();
  std::timed_mutex timed;
  assert(timed.try_lock_for(std::chrono::seconds(1)));
  timed.unlock();
  auto status = std::async(std::launch::async, twice, 1);
  status.wait_for(std::chrono::seconds(1));
  std::printf("%d %d\n", sum, begun);
  return sum != 9 || begun != 1;
}
END_OF_C
cat >futex.c <<'END_OF_C'
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static _Atomic unsigned state; // 0: free, 1: taken, 2: and somebody may wait
static int sum;
static void lock(void) {
  unsigned seen = 0;
  if (atomic_compare_exchange_strong(&state, &seen, 1))
    return;
  while (atomic_exchange(&state, 2))
    syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}
static void unlock(void) {
  if (atomic_exchange(&state, 0) == 2 || WRONG == 2)
    if (WRONG != 1)
      syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
static void *work(void *unused) {
  for (int i = 0; i < 2; i++) {
    lock();
    sum++;
    unlock();
  }
  return unused;
}
int main(void) {
  pthread_t threads[2];
  struct timespec soon = {0, 1000};
  assert(syscall(SYS_futex, &state, FUTEX_WAIT, 7, NULL, NULL, 0) == -1);
  assert(errno == EAGAIN);
  assert(syscall(SYS_futex, &state, FUTEX_WAIT, 0, &soon, NULL, 0) == -1);
  assert(errno == ETIMEDOUT);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return sum != 4;
}
END_OF_C
gives 0 'verdict: passed' threads futex.c -DWRONG=0 --schedules=3000
gives 0 'verdict: passed' threads futex.c -DWRONG=0 --schedules=3000 --scheduler=dfs
gives 1 'verdict: deadlock' threads futex.c -DWRONG=1 --schedules=3000 --output=s
tells 'waits for a futex'
if ${CC:-cc} -w -pthread -DWRONG=0 -o native futex.c 2>compiler.log; then
  check 'futex.c is right' ./native
fi
printf '%s\n' '#include <unistd.h>' 'int main(void) { return syscall(39) != getpid(); }' \
  >number.c
gives 4 'calls of the system by number are not executed' threads number.c

# same NAME: what it prints, and a compiler's own does, too.
same() {
  gives 0 'verdict: passed' threads "$1.cpp" -std=c++20 -DWRONG=0 --schedules=500
  gives 0 'verdict: passed' threads "$1.cpp" -std=c++20 -DWRONG=0 --schedules=500 \
    --scheduler=random
  ${CXX:-c++} -std=c++20 -w -pthread -DWRONG=0 -o native "$1.cpp" 2>compiler.log &&
    check "$1.cpp is right" ./native
}
if printf '#include <%s>\n' latch stop_token | ${CXX:-c++} -std=c++20 -x c++ \
  -fsyntax-only - 2>compiler.log; then
  same contents
  same waits
  gives 1 'racy' threads contents.cpp -std=c++20 -DWRONG=1 --schedules=64 \
    --output=s
  gives 1 'verdict: racy' threads contents.cpp -std=c++20 -DWRONG=2 --schedules=64 \
    --output=s
  gives 1 'verdict: deadlock' threads waits.cpp -std=c++20 -DWRONG=1 --output=s
  gives 1 'verdict: assertion' threads waits.cpp -std=c++20 -DWRONG=2 --output=s
  gives 1 'verdict: deadlock' threads waits.cpp -std=c++20 -DWRONG=3 --output=s
  gives 1 'verdict: deadlock' threads waits.cpp -std=c++20 -DWRONG=4 --output=s
  cat >broken.cpp <<'END_OF_C'
#include <future>
int main() {
  std::future<int> left;
  {
    std::promise<int> promise;
    left = promise.get_future();
  }
  return left.valid();
}
END_OF_C
  gives 4 'an exception is made, which is not executed' threads broken.cpp -std=c++20
else
  skip 'no library of C++20'
fi
