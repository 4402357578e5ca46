// An object that is counted by its owners, and destroyed by the last one.
//
// long:     1000
// bug 1:    assertion       the count is read apart from being lowered
// bug 2:    use-after-free  a pointer is taken from the shared one, not counted
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Object {
  int value = 7;
  std::atomic<int> owners{1};
};

static std::atomic<int> destroyed;

static void release(Object *object) {
#if BUG == 1
  object->owners--;
  if (object->owners == 0)
    destroyed++;
#else
  if (--object->owners == 0)
    destroyed++;
#endif
}

static std::shared_ptr<int> current = std::make_shared<int>(1);

static int look() {
#if BUG == 2
  int *raw = std::atomic_load(&current).get();
  return *raw;
#else
  std::shared_ptr<int> own = std::atomic_load(&current);
  return *own;
#endif
}

int main() {
  Object object;
  object.owners++;
  std::thread owner([&object] {
    assert(object.value == 7);
    release(&object);
  });
  std::thread reader([] { assert(look() > 0); });
  std::atomic_store(&current, std::make_shared<int>(2));
  release(&object);
  owner.join();
  reader.join();
  assert(destroyed == 1);
}
