// A worker that is asked to stop by a token.
//
// args:     -std=c++20
// bug 1:    deadlock   it waits without the token, and is never woken
// bug 2:    assertion  what was put in before the end is left there
#include <cassert>
#include <condition_variable>
#include <deque>
#include <iostream>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex mutex;
static std::condition_variable_any changed;
static std::deque<int> items;
static int sum;

static void work(std::stop_token token) {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
#if BUG == 1
    if (token.stop_requested() && items.empty())
      return;
    changed.wait(lock);
#else
    changed.wait(lock, token, [] { return !items.empty(); });
    if (token.stop_requested() && (BUG == 2 || items.empty()))
      return;
#endif
    if (items.empty())
      continue;
    sum += items.front();
    items.pop_front();
  }
}

int main() {
  {
    std::jthread worker(work);
    for (int i = 1; i <= 2; i++) {
      std::lock_guard<std::mutex> lock(mutex);
      items.push_back(i);
      changed.notify_one();
    }
  }
  std::cout << "sum " << sum << std::endl;
  assert(sum == 3);
}
