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

  cat >prints.cpp <<'END'
#include <cassert>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
int main(int argc, char **) {
  std::cout << 3 << ' ' << std::hex << std::showbase << 255 << std::dec << ' '
            << std::setw(6) << std::setfill('*') << -4 << std::left << ' '
            << std::setw(4) << "ab" << std::fixed << std::setprecision(2)
            << 3.14159 << ' ' << std::boolalpha << true << std::endl;
  std::cerr << "wrong " << argc << std::endl;
  std::ostringstream out;
  out << 1e10 << '|' << std::string("s") << '|' << 2.5f << '|' << (void *)16;
  assert(out.str() == "1e+10|s|2.5|0x10");
  std::istringstream in("12 -7 2.5e2 word  rest of it\nnext 0x1f");
  int a, b;
  double real;
  std::string word, line;
  in >> a >> b >> real >> word;
  std::getline(in, line);
  assert(a == 12 && b == -7 && real == 250 && word == "word");
  assert(line == "  rest of it");
  in >> word >> std::hex >> a;
  assert(a == 31 && in.eof() && !in.fail());
  assert(!(in >> b));
  std::ofstream("kept.txt") << "one\ntwo " << 2 << '\n';
  std::ifstream file("kept.txt");
  while (std::getline(file, line))
    word = line;
  assert(word == "two 2");
  std::cout.rdbuf(out.rdbuf());
  std::cout << "to the other";
  if (argc > 1)
    std::cin >> a;
}
END
  gives 0 '"output":"3 0xff ****-4 ab**3.14 true\n"' \
    threads prints.cpp --schedules=5 --json
  gives 0 'verdict: passed' threads prints.cpp -std=c++14 --schedules=5
  gives 0 'verdict: passed' threads prints.cpp -std=c++20 --schedules=5
  check 'a file of a schedule is not on the disk' test ! -e kept.txt
  gives 4 'the program reads what a person types (prints.cpp:35:14)' \
    threads prints.cpp --schedules=5 -- typed

  cat >locale.cpp <<'END'
#include <iostream>
#include <locale>
int main() { std::cout.imbue(std::locale("de_DE")); }
END
  gives 4 "'std::locale::locale(char const*)' is called, and C++'s library" \
    threads locale.cpp
  echo '#include <iostream>
int main() { void *volatile at = &std::wcout; return !at; }' >wide.cpp
  gives 4 "'std::wcout' is used, and neither" threads wide.cpp

  # A line of several << may be torn, and nothing is wrong with that.
  cat >torn.cpp <<'END'
#include <iostream>
#include <thread>
static void print(int number) { std::cout << number << '\n'; }
int main() {
  std::thread first(print, 1), second(print, 2);
  first.join();
  second.join();
}
END
  gives 0 'these are all' threads torn.cpp --scheduler=dfs
  tells '4 different outputs'

  cat >objects.cpp <<'END'
#include <cassert>
#include <cstdio>
#include <string>
#include <thread>
struct Object {
  std::string name;
  Object(const char *text) : name(text) {}
  ~Object() { printf("-%s", name.c_str()); }
};
static int next() { static int last; return ++last; }
thread_local Object object("own");
thread_local int number = next();
struct Base { virtual ~Base() {} };
struct Left : virtual Base {};
struct Right : virtual Base {};
struct Both : Left, Right {};
struct Hidden : private Left { Base *base() { return this; } };
int main() {
  std::thread([] { object.name += "!"; assert(number == 1); }).join();
  assert(number == 2 && object.name == "own");
  Both both;
  Base *base = &both;
  Left *left = dynamic_cast<Left *>(base);
  assert(left == &both && dynamic_cast<Right *>(left) == &both);
  assert(dynamic_cast<void *>(left) == &both);
  Hidden hidden;
  Base plain;
  assert(!dynamic_cast<Hidden *>(hidden.base()));
  assert(!dynamic_cast<Left *>(&plain));
}
END
  gives 0 '"output":"-own!-own"' threads objects.cpp --schedules=5 --json

  cat >limits.cpp <<'END'
#include <atomic>
#include <cassert>
#include <chrono>
#include <random>
#include <shared_mutex>
#include <thread>
struct Pair { long one, other; };
static std::atomic<Pair> pair;
static std::shared_timed_mutex mutex;
int main() {
  std::random_device device;
  std::mt19937 numbers(device());
  assert(std::uniform_int_distribution<int>(1, 6)(numbers) <= 6);
  std::thread thread([] { pair.store({1, 2}); });
  Pair seen = pair.load();
  assert(2 * seen.one == seen.other);
  auto soon = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  if (mutex.try_lock_shared_until(soon))
    mutex.unlock_shared();
  if (mutex.try_lock_until(soon))
    mutex.unlock();
  thread.join();
}
END
  gives 0 'verdict: passed' threads limits.cpp --schedules=300

  cat >kinds.cpp <<'END'
#include <any>
#include <bitset>
#include <cassert>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <typeinfo>
extern int absent(int) __attribute__((weak));
int main() {
  std::any value = 1;
  assert(std::any_cast<int>(value) == 1 && !std::any_cast<long>(&value));
  assert(value.type() == typeid(int) && value.type() != typeid(const char *));
  std::time_t then = 86400;
  std::cout << std::put_time(std::gmtime(&then), "%Y-%m-%d") << ' '
            << std::bitset<4>(5) << (absent ? absent(1) : 7);
}
END
  gives 0 '"output":"1970-01-02 01017"' threads kinds.cpp --schedules=5 --json
else
  skip 'no C++ library'
fi
