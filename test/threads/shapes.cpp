// Objects with virtual functions, made and used by several threads.
//
// bug 1:    assertion  one is put into the list before it is made
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};

struct Square : Shape {
  int side;
  explicit Square(int size) : side(size) {}
  int area() const override { return side * side; }
};

struct Box : Shape {
  int width, height;
  Box(int x, int y) : width(x), height(y) {}
  int area() const override { return width * height; }
};

static std::mutex mutex;
static std::vector<std::unique_ptr<Shape>> shapes;
static int squares;

static void make(int size) {
  std::unique_ptr<Square> square(new Square(0));
#if BUG == 1
  Square *later = square.get();
  {
    std::lock_guard<std::mutex> guard(mutex);
    shapes.push_back(std::move(square));
  }
  later->side = size;
#else
  square->side = size;
  std::lock_guard<std::mutex> guard(mutex);
  shapes.push_back(std::move(square));
#endif
}

static void add_box() {
  std::lock_guard<std::mutex> guard(mutex);
  shapes.push_back(std::make_unique<Box>(2, 3));
  for (const auto &each : shapes)
    if (auto *square = dynamic_cast<const Square *>(each.get())) {
      assert(square->area() == 9);
      squares++;
    }
}

int main() {
  std::thread first(make, 3), second(add_box);
  first.join();
  second.join();
  int sum = 0;
  for (const auto &each : shapes)
    sum += each->area();
  assert(sum == 15 && squares <= 1);
}
