// A function that only this file calls, if it is the whole program.
//
// args:     --ladder=whole-program
// verdict:  verified
// assumes:  launch-limits, whole-program
// bug 1:    racy     a call gives a size that does not fit
// bug 2:    racy     no program begins in this file
// bug 3:    racy     a header declares the function
// bug 4:    racy     .. behind its definition
// bug 5:    racy     .. and defines it for all who include it
// bug 6:    racy     its address is taken
// bug 7:    racy     other languages call it
// bug 8:    racy     it is instantiated for others
// bug 9:    racy     .. or specialised
// bug 10:   racy     a library is loaded for it
// bug 11:   racy     another file may define it, too
// bug 12:   racy     an object of any type may have it
// bug 13:   racy     the system calls it as the program's first one
// bug 14:   racy     an operator
// bug 15:   racy     a size that no call tells
// bug 16:   racy     it has another name
// bug 17:   racy     a header has it as a template

struct Image {
  int *cells;
};

#if BUG == 3
# 1 "run.h" 1
void run(Image image, int pitch);
# 32 "whole_program.cu" 2
#endif

__global__ void fill(int *cells, int pitch) {
  cells[blockIdx.x * pitch + threadIdx.x] = (int)blockIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17: race on 'cells'
}

#if BUG == 5
# 1 "run.h" 1
inline
#elif BUG == 17
# 1 "run.h" 1
template <typename T>
#elif BUG == 7
extern "C"
#elif BUG == 8 || BUG == 9
template <typename T>
#elif BUG == 10
__attribute__((visibility("default")))
#elif BUG == 11
__attribute__((weak))
#elif BUG == 12
struct Runner {
#elif BUG == 16
void run(Image image, int pitch) asm("run_image");
#endif
#if BUG == 8 || BUG == 9 || BUG == 17
void run(T image, int pitch) {
#elif BUG == 14
void operator<<(Image image, int pitch) {
#else
void run(Image image, int pitch) {
#endif
  fill<<<64, 32>>>(image.cells, pitch);
}
#if BUG == 5 || BUG == 17
# 68 "whole_program.cu" 2
#elif BUG == 12
};
#elif BUG == 4
# 1 "run.h" 1
void run(Image image, int pitch);
# 74 "whole_program.cu" 2
#elif BUG == 8
template void run<Image>(Image, int);
#elif BUG == 9
template <> void run<Image>(Image image, int pitch) {
  fill<<<64, 32>>>(image.cells, pitch);
}
#endif

#if BUG == 6
void (*chosen)(Image, int) = run;
#endif

#if BUG == 2
int main(int count, char **words);
void begin(int count, Image image) {
#elif BUG == 13
int main(int count, char **words) {
  Image image = {(int *)words};
  fill<<<64, 32>>>(image.cells, count);
  if (count > 32)
    main(32, words);
#else
int main(int count, char **words) {
  Image image = {(int *)words};
#endif
#if BUG == 12
  Runner().run(image, 32);
#elif BUG == 14
  image << 32;
#elif BUG == 15
  run(image, count);
#else
  run(image, 32);
#endif
#if BUG == 1
  run(image, 31);
#endif
}
