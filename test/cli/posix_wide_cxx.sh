# gpuverify threads: complex numbers and wide strings of C++'s library.
# shellcheck shell=sh

if ! printf '#include <complex>\n' | clang++-22 -E -x c++ - >one.txt 2>&1; then
  skip 'no C++ library'
  return 0 2>/dev/null || exit 0
fi

cat >numbers.cpp <<'END'
#include <complex>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <thread>
int main() {
  std::complex<double> number(1, -2.5), read, none;
  std::ostringstream text;
  std::thread thread([&] { text << std::setw(9) << number << number; });
#if WRONG == 1
  text << number;
#endif
  thread.join();
  std::istringstream("(3,4)") >> read;
  std::istringstream("7") >> none;
  std::cout << text.str() << std::abs(read) << none << std::setprecision(2)
            << std::complex<float>(1.25f, 2) << std::complex<long double>(0, 1);
}
END
gives 0 '"output":" (1,-2.5)(1,-2.5)5(7,0)(1.2,2)(0,1)"' threads numbers.cpp \
  -DWRONG=0 --schedules=20 --json
gives 1 'numbers.cpp:9:59: ' threads numbers.cpp -DWRONG=1 --output=s
tells "thread 0's write (numbers.cpp:11:8)"

cat >wide.cpp <<'END'
#include <cassert>
#include <map>
#include <string>
#include <thread>
static std::wstring shared = L"some words that are not short";
static void add() { shared += L"more"; }
int main() {
  std::wstring word = L"wide";
  word += L" text";
  word.insert(0, 2, L'!');
  assert(word == L"!!wide text" && word.find(L"text") == 7 && word < L"b");
  assert(word.substr(2, 4).compare(L"wide") == 0 && word.rfind(L'e') == 8);
  assert(std::stoi(std::to_wstring(42)) == 42 && L"a" + word != word + L'b');
  std::map<std::wstring, int> lengths{{word, 1}};
  assert(lengths.count(word) && word.replace(0, 2, L"").size() == 9);
  std::thread thread(add);
#if WRONG == 1
  add();
#endif
  thread.join();
  assert(shared.size() == 33 || WRONG);
}
END
for standard in 14 17 20; do
  gives 0 'verdict: passed' threads wide.cpp "-std=c++$standard" -DWRONG=0 \
    --schedules=20
done
gives 1 'wide.cpp:6:28: ' threads wide.cpp -DWRONG=1 --output=s
