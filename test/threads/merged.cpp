// Each thread counts words in a map of its own, which its end merges.
//
// bug 1:    assertion  the maps are merged without the lock
// bug 2:    assertion  main looks before the threads have ended
#include <cassert>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::mutex mutex;
static std::map<std::string, int> all;

struct Counts {
  std::map<std::string, int> own;
  ~Counts() {
#if BUG != 1
    std::lock_guard<std::mutex> guard(mutex);
#endif
    for (const auto &each : own)
      all[each.first] += each.second;
  }
};

static thread_local Counts counts;

static void count(const char *one, const char *other) {
  counts.own[one]++;
  counts.own[other]++;
}

int main() {
  std::thread first(count, "a", "b");
  std::thread second(count, "b", "b");
#if BUG != 2
  first.join();
  second.join();
#endif
  int found;
  {
    std::lock_guard<std::mutex> guard(mutex);
    found = all["b"];
  }
#if BUG == 2
  first.join();
  second.join();
#endif
  std::cout << "b: " << found << std::endl;
  assert(found == 3);
}
