// The device's library: directions of rounding, integers out of range, functions
// that write through pointers, whose writes are watched.
//
// args:     --detect=races
// prints:   mathematics: 0 wrong
// verdict:  passed
// bug 1:    racy            all threads let sincos write to one place
// bug 2:    out-of-bounds   modf writes behind the end

#include <math.h>
#include <stdio.h>

extern "C" {
__device__ float __nv_fadd_ru(float, float);
__device__ float __nv_fadd_rd(float, float);
__device__ float __nv_fadd_rz(float, float);
__device__ double __nv_ddiv_ru(double, double);
__device__ double __nv_ddiv_rd(double, double);
__device__ float __nv_int2float_rz(int);
__device__ float __nv_int2float_ru(int);
__device__ float __nv_double2float_rd(double);
__device__ unsigned __nv_float2uint_rd(float);
__device__ int __nv_double2int_ru(double);
__device__ long long __nv_float2ll_rn(float);
__device__ double __nv_sinpi(double);
__device__ double __nv_normcdf(double);
__device__ float __nv_powif(float, int);
__device__ unsigned long long __nv_umul64hi(unsigned long long,
                                            unsigned long long);
__device__ unsigned __nv_usad(unsigned, unsigned, unsigned);
__device__ void __nv_sincosf(float, float *, float *);
__device__ double __nv_modf(double, double *);
__device__ double __nv_frexp(double, int *);
__device__ double __nv_remquo(double, double, int *);
}

__global__ void compute(double *out, int *whole) {
  const float third = 1.0f / 3, tiny = 1e-10f;
  out[0] = __nv_fadd_ru(third, tiny) > third;
  out[1] = __nv_fadd_rd(third, tiny) == third;
  out[2] = __nv_fadd_rz(-third, tiny) > -third;
  out[3] = __nv_ddiv_ru(1, 3) - __nv_ddiv_rd(1, 3); // one unit
  out[4] = __nv_int2float_rz(16777217);
  out[5] = __nv_int2float_ru(16777217);
  out[6] = __nv_double2float_rd(-1e300) < -1e38;
  out[7] = __nv_float2uint_rd(-3.5f);
  out[8] = __nv_double2int_ru(2147483647.5);
  out[9] = (double)__nv_float2ll_rn(2.5f);
  out[10] = __nv_sinpi(3);
  out[11] = __nv_normcdf(0);
  out[12] = __nv_powif(2, -3);
  out[13] = (double)__nv_umul64hi(1ull << 63, 6);
  out[14] = __nv_usad(3, 8, 100);
  out[15] = __nv_modf(-2.75, &out[16]);
  out[17] = __nv_frexp(48, &whole[0]);
  out[18] = __nv_remquo(23, 5, &whole[1]);
}

__global__ void turn(float *sines, float *cosines) {
  int i = threadIdx.x;
  __nv_sincosf(i, &sines[BUG == 1 ? 0 : i], &cosines[i]); // says 1: race
}

__global__ void split(double *out) {
  out[0] = __nv_modf(1.5, &out[BUG == 2 ? 50 : 1]); // says 2: outside
}

// A device's sine may be two units away from the host's.
static bool is_close(float a, float b) { return fabsf(a - b) <= 2.4e-7f; }

int main() {
  const double unit = 1.0 / (1ull << 54);
  const double wanted[] = {1,    1, 1,     unit,  16777216, 16777218, 1,
                           0,    2147483647, 2,   0,        0.5,      0.125,
                           3,    105, -0.75, -2,  0.75,     -2};
  double *out;
  float *sines;
  int *whole, wrong = 0;
  cudaMallocManaged((void **)&out, 32 * sizeof *out);
  cudaMallocManaged((void **)&sines, 64 * sizeof *sines);
  cudaMallocManaged((void **)&whole, 2 * sizeof *whole);
  compute<<<1, 1>>>(out, whole);
  cudaDeviceSynchronize();
  for (int i = 0; i < 19; i++)
    if (out[i] != wanted[i]) {
      printf("%d: %.17g, not %.17g\n", i, out[i], wanted[i]);
      wrong++;
    }
  wrong += whole[0] != 6 || whole[1] % 8 != 5;
  turn<<<1, 32>>>(sines, sines + 32);
  split<<<1, 1>>>(out);
  if (!cudaDeviceSynchronize() && !BUG)
    wrong += !is_close(sines[3], sinf(3)) || !is_close(sines[34], cosf(2)) ||
             out[1] != 1;
  printf("mathematics: %d wrong\n", wrong);
  return 0;
}
