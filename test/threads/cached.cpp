// A cache of answers, with a lock that many may have to read.
//
// long:     1000
// bug 1:    assertion  the map is looked at without the lock
// bug 2:    assertion  what another thread has put in meanwhile is made twice
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>

static std::shared_timed_mutex mutex;
static std::unordered_map<std::string, int> cache;
static int made;

static int make(const std::string &key) {
  made++;
  return static_cast<int>(key.size());
}

static int get(const std::string &key) {
  {
#if BUG != 1
    std::shared_lock<std::shared_timed_mutex> reading(mutex);
#endif
    auto found = cache.find(key);
    if (found != cache.end())
      return found->second;
  }
  std::unique_lock<std::shared_timed_mutex> writing(mutex);
#if BUG != 2
  auto found = cache.find(key);
  if (found != cache.end())
    return found->second;
#endif
  return cache[key] = make(key);
}

int main() {
  std::thread first([] { assert(get("four") == 4); });
  std::thread second([] { assert(get("four") == 4); });
  first.join();
  second.join();
  assert(made == 1);
}
