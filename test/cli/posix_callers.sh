# gpuverify threads: places of what stands in headers of the system.
# shellcheck shell=sh

# What goes wrong in the code of a header is told at the program's call of it.
cat >inside.cpp <<'END'
#include <algorithm>
#include <atomic>
#if WRONG == 2
#include <condition_variable>
#elif WRONG == 4
#include <memory>
#elif WRONG == 5
#include <latch>
#endif
#include <mutex>
#include <thread>
#include <vector>
static std::atomic<bool> is_there;
static std::vector<int> numbers;
static std::mutex mutex;
static int steps;
static bool less(int a, int b) {
  steps++;
  return a < b;
}
static int twice(int a) { return std::max(a, 2 * a); }
static void add(int number) {
#if WRONG != 1
  std::lock_guard<std::mutex> guard(mutex);
#endif
  numbers.push_back(number);
#if WRONG == 2
  std::condition_variable never;
  std::unique_lock<std::mutex> lock(mutex, std::adopt_lock);
  never.wait(lock, [] { return false; });
#endif
}
int main() {
  int more[] = {3, 1, 2}, others[] = {2, 1};
  std::thread one(add, 1), two(add, 2);
#if WRONG == 3
  std::sort(more, more + 3, less);
  std::thread three([&] { std::sort(others, others + 2, less); });
  std::sort(more, more + 2, less);
  three.join();
#endif
#if WRONG == 4
  auto lost = new std::shared_ptr<int>(new int(1));
  lost = nullptr;
#endif
#if WRONG == 5
  std::latch latch(1);
  latch.wait();
#endif
#if WRONG == 6
  std::thread three([&] { std::transform(more, more + 1, others, twice); });
  std::transform(more, more + 1, others, twice);
  three.join();
#endif
#if WRONG == 7
  auto late = new std::unique_lock<std::mutex>(mutex, std::defer_lock);
  mutex.lock();
  std::thread three([late] {
    is_there = true;
    late->lock();
  });
  while (!is_there)
    std::this_thread::yield();
  delete late;
  mutex.unlock();
  three.join();
#endif
  one.join(), two.join();
  return more[0] > 3;
}
END
inside() {
  bug=$1
  shift
  gives 1 "$@" threads inside.cpp "-std=c++${CXX:-17}" "-DWRONG=$bug" -w --output=s \
    --schedules=64
}
gives 0 'verdict: passed' threads inside.cpp -std=c++17 -DWRONG=0 \
  --schedules=64
inside 1 'inside.cpp:26:11: '
inside 2 'inside.cpp:30:9: deadlock'
tells 'waits for a condition variable (inside.cpp:30:9)'
inside 3 'inside.cpp:18:8: racy, by thread'
tells 'calls std::thread::join() (inside.cpp:'
inside 4 'inside.cpp:43:15: leak'
CXX=20 inside 5 'waits for a futex (inside.cpp:48:9)'
inside 6 'inside.cpp:51:27: racy'
tells "thread 0's write (inside.cpp:52:3)"
inside 7 'inside.cpp:60:11: use-after-free'

# To find a thread's own variables is no step.
cat >found.c <<'END'
static _Thread_local int own;
int main(void) {
  for (int i = 0; i < 100; i++)
    own++;
  return own - 100;
}
END
gives 0 '"steps":1,' threads found.c --schedules=2 --json
