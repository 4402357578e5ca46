// Two threads write lines into one log, piece by piece, by <<.
//
// bug 1:    assertion  the lock is taken for each piece, so lines are torn
// bug 2:    assertion  a line is counted outside of the lock
// bug 3:    deadlock   who writes a long line returns with the lock
#include <cassert>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex mutex;
static std::ostringstream log;
static int lines;

static void write(int thread, const std::string &text) {
#if BUG == 1
  {
    std::lock_guard<std::mutex> guard(mutex);
    log << std::setw(2) << std::setfill('0') << thread << ": ";
  }
  std::lock_guard<std::mutex> guard(mutex);
  log << text << std::endl;
  lines++;
#elif BUG == 2
  std::unique_lock<std::mutex> guard(mutex);
  log << std::setw(2) << std::setfill('0') << thread << ": " << text << '\n';
  int next = lines + 1;
  guard.unlock();
  std::this_thread::yield();
  guard.lock();
  lines = next;
#else
  mutex.lock();
  log << std::setw(2) << std::setfill('0') << thread << ": " << text << '\n';
  lines++;
  if (BUG == 3 && text.size() > 3)
    return;
  mutex.unlock();
#endif
}

int main() {
  std::thread first([] { write(1, "one"); });
  std::thread second([] { write(2, "three"); });
  first.join();
  second.join();
  std::istringstream in(log.str());
  std::string line;
  while (std::getline(in, line)) {
    assert(line == "01: one" || line == "02: three");
    std::cout << std::left << std::setw(10) << line << lines << std::endl;
  }
  assert(lines == 2);
}
