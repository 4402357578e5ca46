# gpuverify threads: programs in C++.
# shellcheck shell=sh

# Constructors that have two names, variables of functions, and what is
# destroyed behind main.
cat >objects.cpp <<'END'
#include <assert.h>
#include <pthread.h>
class Account {
public:
  Account(int start);
  virtual ~Account();
  virtual int fee() const { return 0; }
  void add(int value);
  int balance;
};
Account::Account(int start) : balance(start) {}
Account::~Account() { assert(balance != 7); }
void Account::add(int value) { balance += value - fee(); }
struct Saving : Account {
  Saving(int start) : Account(start) {}
  int fee() const override { return 1; }
};
static int made;
static Account first(4);
static Account &bank() {
  static Saving bank((made++, 10));
  return bank;
}
static void *work(void *unused) { return bank().balance ? unused : nullptr; }
int main() {
  pthread_t threads[2];
  for (pthread_t &each : threads)
    pthread_create(&each, nullptr, work, nullptr);
  for (pthread_t &each : threads)
    pthread_join(each, nullptr);
  bank().add(WRONG == 1 ? -2 : 3);
  assert(made == (WRONG == 2 ? 2 : 1));
  return 0;
}
END
for scheduler in pct dfs; do
  gives 0 'verdict: passed' threads objects.cpp -DWRONG=0 --schedules=2000 \
    --scheduler=$scheduler
done
gives 1 'objects.cpp:12:' threads objects.cpp -DWRONG=1 --output=s
gives 1 'verdict: assertion' threads objects.cpp -DWRONG=2 --output=s
cat >alias.c <<'END'
static int own(int value) { return value + 1; }
int other(int) __attribute__((alias("own")));
int main(void) { return other(3) - 4; }
END
gives 0 'verdict: passed' threads alias.c --schedules=3

cat >library.cpp <<'END'
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>
static std::mutex lock;
static std::condition_variable filled;
static std::queue<int> items;
static bool is_closed;
static std::atomic<int> sum;
static bool take(int &item) {
  std::unique_lock<std::mutex> held(lock);
#if WRONG == 1
  if (items.empty() && !is_closed)
    filled.wait(held);
  assert(!items.empty() || is_closed);
#else
  filled.wait(held, [] { return !items.empty() || is_closed; });
#endif
  if (items.empty())
    return false;
  item = items.front();
  items.pop();
  return true;
}
static void put(int last) {
  for (int i = 1; i <= last; i++) {
    std::lock_guard<std::mutex> held(lock);
    items.push(i);
    filled.notify_one();
  }
}
int main() {
  auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> takers;
  for (int i = 0; i < 2; i++)
    takers.emplace_back([] {
      for (int item = 0; take(item);)
        sum += item;
    });
  std::thread putter(put, 2);
  putter.join();
  {
    std::lock_guard<std::mutex> held(lock);
    is_closed = true;
  }
  if (WRONG != 2)
    filled.notify_all();
  for (auto &each : takers)
    each.join();
  auto once = std::make_shared<int>(WRONG == 3 ? 4 : 3);
  assert(sum == *once && !putter.joinable());
  assert(std::chrono::steady_clock::now() > start);
  if (WRONG == 4)
    std::thread left(put, 1);
  return std::thread::hardware_concurrency() == 0;
}
END
if echo '#include <thread>' | ${CXX:-c++} -x c++ -fsyntax-only - 2>compiler.log; then
  gives 0 'verdict: passed' threads library.cpp -DWRONG=0 --schedules=2000
  gives 0 'verdict: passed' threads library.cpp -DWRONG=0 --schedules=2000 \
    --scheduler=random
  gives 1 'verdict: assertion' threads library.cpp -DWRONG=1 --output=s
  gives 1 'verdict: deadlock' threads library.cpp -DWRONG=2 --output=s
  gives 1 'verdict: assertion' threads library.cpp -DWRONG=3 --output=s
  gives 1 'std::terminate is called' threads library.cpp -DWRONG=4 --output=s
  printf '#include <iostream>\nint main() { std::cout << 3; }\n' >prints.cpp
  gives 4 "C++'s library is not executed" threads prints.cpp
else
  skip 'no C++ library'
fi
