// A pool of threads that keeps promises: tasks go in, futures come out.
//
// long:     1000
// bug 1:    deadlock   the end is announced without the lock, and slept through
// bug 2:    assertion  a task's result is counted by the workers without a lock
// bug 3:    deadlock   a task waits for another one, which has no worker left
#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
  std::vector<std::thread> workers;
  std::queue<std::function<void()>> tasks;
  std::mutex mutex;
  std::condition_variable changed;
  bool is_over = false;

public:
  int done = 0;

private:
  void work() {
    for (;;) {
      std::unique_lock<std::mutex> lock(mutex);
      while (tasks.empty() && !is_over)
        changed.wait(lock);
      if (tasks.empty())
        return;
      std::function<void()> task = std::move(tasks.front());
      tasks.pop();
#if BUG != 2
      done++;
#endif
      lock.unlock();
      task();
#if BUG == 2
      done++;
#endif
    }
  }

public:
  explicit Pool(int count) {
    for (int i = 0; i < count; i++)
      workers.emplace_back([this] { work(); });
  }

  std::future<int> add(std::function<int()> body) {
    auto task = std::make_shared<std::packaged_task<int()>>(std::move(body));
    std::future<int> result = task->get_future();
    {
      std::lock_guard<std::mutex> lock(mutex);
      tasks.push([task] { (*task)(); });
    }
    changed.notify_one();
    return result;
  }

  void end() {
#if BUG == 1
    *(volatile bool *)&is_over = true;
#else
    {
      std::lock_guard<std::mutex> lock(mutex);
      is_over = true;
    }
#endif
    changed.notify_all();
    for (std::thread &each : workers)
      each.join();
  }
};

int main() {
#if BUG == 3
  Pool pool(1);
  std::future<int> result = pool.add([&pool] {
    std::future<int> inner = pool.add([] { return 2; });
    return inner.get() + 1;
  });
  std::future<int> other = pool.add([] { return 4; });
#else
  Pool pool(2);
  std::future<int> result = pool.add([] { return 3; });
  std::future<int> other = pool.add([] { return 4; });
#endif
  int sum = result.get() + other.get();
  pool.end();
  std::cout << sum << ' ' << pool.done << '\n';
  assert(sum == 7 && pool.done == 2);
}
