// What a lambda has captured, and who may change the lambda's copy.
//
// args:     --clang-arg=-std=c++20 --clang-arg=-fblocks
// verdict:  verified
// bug 1:    racy      by its address
// bug 2:    racy      .. that a function of the library gives
// bug 3:    racy      as a number
// bug 4:    racy      in a union
// bug 5:    racy      in an array
// bug 6:    racy      in what is derived from it
// bug 7:    racy      where it was allocated
// bug 8:    racy      what numbers become
// bug 9:    racy      the copy that another lambda has
// bug 10:   racy      in assembly
// bug 11:   racy      in an object of the library's
// bug 12:   racy      .. that does not name it
// bug 13:   racy      .. in one that does not name that either
// bug 14:   racy      it is thrown
// bug 15:   racy      the library keeps it until somebody asks
// bug 16:   racy      a place of the user's has what the library keeps
// bug 17:   racy      in a class within one that is made for it
// bug 18:   racy      in the frame of a coroutine
// bug 19:   racy      a block has captured it
// bug 20:   verified  who gets it is read here, or gives it back

#if BUG == 11 || BUG == 17
# 28 "test/golden/launch/opened_closures.cu" 1 3
template <typename T> struct Box {
  T kept;
  struct Inner {
    T kept;
  };
};
# 35 "test/golden/launch/opened_closures.cu" 2
#elif BUG == 8
#include <bit>
#elif BUG == 18
#include <coroutine>
#elif BUG
#include <any>
#include <array>
#include <functional>
#include <future>
#include <memory>
#include <span>

static void clear(std::span<std::byte> bytes) { bytes[0] = {}; }
#endif

__global__ void fill(int *out, int stride) {
  out[threadIdx.x * stride] = threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19: race on 'out'
}

#if BUG == 18
struct Task {
  struct promise_type {
    Task get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

static Task later(int *out) {
  int stride = 1;
  auto run = [stride](int *to) { fill<<<1, 64>>>(to, stride); };
  co_await std::suspend_always();
  run(out);
}
#elif BUG == 16
static char pool[4096];
void *operator new(size_t) { return pool; }
void operator delete(void *) noexcept {}
#elif BUG == 20
template <typename Run> static void call(Run &&run, int *out) {
  std::forward<Run>(run)(out);
}
#elif BUG == 14
template <typename Run>
static void again(std::exception_ptr kept, Run, int *out) {
  try {
    std::rethrow_exception(kept);
  } catch (Run &caught) {
    caught(out);
  }
}
#endif

void launch(int *out) {
  int stride = 1;
  auto run = [stride](int *to) { fill<<<1, 64>>>(to, stride); };
#if BUG == 1
  __builtin_memset(&run, 0, sizeof run);
#elif BUG == 2
  clear(std::as_writable_bytes(std::span(std::addressof(run), 1)));
#elif BUG == 3
  reinterpret_cast<int &>(run) = 0;
#elif BUG == 4
  using Run = decltype(run);
  union Both {
    Run run;
    int number;
  } both = {run};
  both.number = 0;
  both.run(out);
#elif BUG == 5
  decltype(run) all[] = {run};
  clear(std::as_writable_bytes(std::span(all)));
  all[0](out);
#elif BUG == 6
  using Run = decltype(run);
  struct Derived : Run {
    void clear() { *(int *)this = 0; }
  } derived = {run};
  derived.clear();
  derived(out);
#elif BUG == 7
  auto *other = new auto(run);
  clear(std::as_writable_bytes(std::span(other, 1)));
  (*other)(out);
#elif BUG == 8
  auto other = std::bit_cast<decltype(run)>(0);
  other(out);
#elif BUG == 9
  auto around = [=](int *to) { run(to); };
  (int &)around = 0;
  around(out);
#elif BUG == 10
  asm("movl $0, %0" : "+m"(run));
#elif BUG == 11
  Box<decltype(run)> all{run};
  (int &)all = 0;
  all.kept(out);
#elif BUG == 12
  std::function<void(int *)> kept = run;
  *(int *)&kept = 0;
  kept(out);
#elif BUG == 13
  std::function<void(int *)> kept = run;
  std::any all = std::move(kept);
  (char &)all = 0;
  kept(out);
#elif BUG == 14
  try {
    throw run;
  } catch (...) {
    std::exception_ptr kept = std::current_exception();
    **(int **)&kept = 0;
    again(kept, run, out);
  }
#elif BUG == 15
  auto kept = std::async(std::launch::deferred, run, out);
  ((int *)*(char **)&kept)[12] = 0;
  kept.get();
#elif BUG == 16
  std::function<void()> kept = [=, all = std::array<int *, 4>()] { run(out); };
  *(int *)pool = 0;
  kept();
#elif BUG == 17
  Box<decltype(run)>::Inner inner{run};
  (int &)inner = 0;
  inner.kept(out);
#elif BUG == 18
  Task task = later(out);
  task.handle.resume();
  ((int *)task.handle.address())[8] = 0;
  task.handle.resume();
#elif BUG == 19
  void (^block)(int *) = ^(int *to) { fill<<<1, 64>>>(to, stride); };
  ((int *)(void *)block)[8] = 0;
  block(out);
#elif BUG == 20
  call(std::move(run), out);
#endif
  run(out);
}
