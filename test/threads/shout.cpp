// Two threads print at once; the library sees to it that nothing breaks.
//
// bug 1:    race       both set how numbers are printed
#include <iostream>
#include <thread>

static void shout(int number) {
#if BUG == 1
  std::cout << std::hex << number << std::dec << std::endl;
#else
  std::cout << number << std::endl;
#endif
}

int main() {
  std::thread other(shout, 1);
  shout(2);
  other.join();
}
