// A kernel that another file launches: of all the files given its launches
// count, if none of them hides some.  The other file is across_host.cu, whose
// own kernel comes first.
//
// args:     test/golden/launch/across_host.cu
// verdict:  verified, verified
// bug 1:    verified, racy            rounded down there
// bug 2:    verified, racy            what launches it has another name here
// bug 3:    verified, racy            a function that is not read gets it there
// bug 4:    verified, racy            it is another one: that one is static
// bug 5:    verified, verified, racy  both files have one: which is launched?
// bug 6:    verified, racy            this file does not compile for the host
// bug 7:    verified, racy            there it is a function, handed on
// bug 8:    verified, racy            here it is launched well, there it is not
// bug 9:    verified, verified, racy  .. where it is defined, but weak
// bug 10:   verified, racy            .. where its body is for inlining alone

typedef unsigned long long Wide;

#if BUG == 4
static
#endif
__global__ void cover(int *out, unsigned length) {
  if ((Wide)gridDim.x * blockDim.x < length)
    out[0] = threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10: write-write race on 'out'
}

#if BUG == 2
void hidden(int *out, unsigned length) __asm__("_Z20__device_stub__coverPij");
void launch_hidden(int *out) { hidden(out, 1); }
#elif BUG == 4
void *kept = (void *)cover; // or it has no code
#elif BUG == 6 && !defined __CUDA_ARCH__
#error not for the host
#elif BUG >= 7 && BUG <= 10
void launch_here(int *out) { cover<<<2, 32>>>(out, 64); }
#endif
