// The C library and mathematics, with and without the library's own headers.
//
// Without BEFORE and AFTER the program includes nothing.  What becomes of a
// function must not depend on who declared others of its name.

#ifdef BEFORE
#include BEFORE
#endif

// CHECK-LABEL: @_Z9functionsPfPd
__global__ void functions(float *f, double *d) {
  // CHECK: call {{.*}}float @__nv_sinf(
  f[0] = sinf(f[0]);
  // CHECK: call {{.*}}float @__nv_sinf(
  f[1] = sin(f[1]);
  // CHECK: call {{.*}}double @__nv_sin(
  d[0] = sin(d[0]);
  // CHECK: call {{.*}}float @__nv_cosf(
  f[2] = std::cos(f[2]);
  // CHECK: call {{.*}}double @__nv_fabs(
  d[1] = fabs(d[1]);
  // CHECK: call {{.*}}float @__nv_fabsf(
  f[3] = fabs(f[3]);
  // CHECK: call {{.*}}float @__nv_fabsf(
  f[4] = std::fabs(f[4]);
  // CHECK: call {{.*}}float @__nv_fabsf(
  f[5] = abs(f[5]);
  // CHECK: call {{.*}}double @__nv_fabs(
  d[2] = std::abs(d[2]);
  // CHECK: call {{.*}}double @__nv_pow(
  d[3] = pow(d[3], 2.5);
  // CHECK: call {{.*}}float @__nv_powf(
  f[6] = powf(f[6], f[7]);
  // CHECK: call {{.*}}float @__nv_powf(
  f[7] = std::pow(f[6], f[7]);
  // CHECK: call {{.*}}float @__nv_powif(
  f[8] = std::pow(f[8], 3);
  // CHECK: call {{.*}}double @__nv_pow(
  d[4] = pow(d[4], f[8]);
  // CHECK: call {{.*}}float @__nv_sqrtf(
  f[9] = sqrt(f[9]);
  // CHECK: call {{.*}}float @__nv_rsqrtf(
  f[10] = rsqrtf(f[10]);
  // CHECK: call {{.*}}float @__nv_expf(
  f[11] = exp(f[11]);
  // CHECK: call {{.*}}float @__nv_floorf(
  f[12] = floor(f[12]);
  // CHECK: call {{.*}}float @__nv_fminf(
  f[13] = fminf(f[13], 1.0f);
  // CHECK: call {{.*}}float @__nv_fmaxf(
  f[14] = fmax(f[14], 1.0f);
  // CHECK: call {{.*}}double @__nv_fma(
  d[5] = fma(d[5], d[6], d[7]);
  // CHECK: call {{.*}}float @__nv_fmaf(
  f[15] = std::fma(f[15], f[16], f[17]);
  // CHECK: call {{.*}}double @__nv_atan2(
  d[6] = atan2(d[6], d[7]);
  // CHECK: call {{.*}}float @__nv_atan2f(
  f[16] = atan2f(f[16], f[17]);
  // CHECK: call {{.*}}float @__nv_roundf(
  f[17] = round(f[17]);
  // CHECK: call {{.*}}float @llvm.rint.f32(
  f[18] = rintf(f[18]);
  // CHECK: call {{.*}}void @__nv_sincosf(
  sincosf(f[0], f + 1, f + 2);
  // CHECK: call {{.*}}float @__nv_modff(
  f[19] = modff(f[0], f + 1);
  // CHECK: call {{.*}}float @__nv_frexpf(
  f[20] = frexp(f[0], (int *)d);
  // CHECK: ret void
}

// CHECK-LABEL: @_Z8integersPiPd
__global__ void integers(int *i, double *d) {
  // CHECK: call {{.*}}i32 @__nv_abs(
  i[0] = abs(i[0]);
  // CHECK: call {{.*}}i64 @__nv_llabs(
  i[1] = (int)abs((long)i[1]);
  // CHECK: call {{.*}}double @__nv_sqrt(
  d[0] = sqrt(i[0]);
  // CHECK: call {{.*}}double @__nv_exp(
  d[1] = std::exp(i[1]);
  // CHECK: call {{.*}}double @__nv_pow(
  d[2] = pow(2.0, i[2] * 0.5f);
  // CHECK: call {{.*}}i32 @__nv_max(
  i[2] = max(i[2], 4);
  // CHECK-NOT: @__nv_max(
  d[3] = max(1.5f, i[3]) + std::max(i[3], 4) + std::min<long>(i[3], 4l);
  // CHECK: call {{.*}}i32 @__nv_isnanf(
  i[4] = isnan((float)d[4]);
  // CHECK: call {{.*}}i32 @__nv_isnand(
  i[5] = std::isnan(d[5]);
  // CHECK: call {{.*}}i32 @__nv_isinfd(
  i[6] = isinf(d[6]);
  // CHECK: call {{.*}}i32 @__nv_isfinited(
  i[7] = isfinite(d[7]);
  // CHECK: call {{.*}}i64 @__nv_llrint(
  i[8] = (int)lrint(d[8]);
  // CHECK: ret void
}

// CHECK-LABEL: @_Z4bitsPiPf
__global__ void bits(int *i, float *f) {
  // CHECK: call {{.*}}float @__nv_fast_expf(
  f[0] = __expf(f[0]);
  // CHECK: call {{.*}}float @__nv_fast_fdividef(
  f[1] = __fdividef(f[1], f[0]);
  // CHECK: call {{.*}}i32 @__nv_float2int_rn(
  i[0] = __float2int_rn(f[2]);
  // CHECK: call {{.*}}float @__nv_int_as_float(
  f[3] = __int_as_float(i[1]);
  // CHECK: call {{.*}}i32 @__nv_popc(
  i[1] = __popc(i[1]);
  // CHECK: call {{.*}}i32 @__nv_umulhi(
  i[2] = __umulhi(i[1], i[2]);
  // CHECK: call {{.*}}float @__nv_fadd_rz(
  f[4] = __fadd_rz(f[4], 1.0f);
  // CHECK: call {{.*}}i32 @__nv_vadd4(
  i[3] = __vadd4(i[3], i[4]);
  // CHECK: ret void
}

struct Pair {
  int first, second;
};

// CHECK-LABEL: @_Z6memoryPiPf
__global__ void memory(int *p, float *f) {
  // CHECK: call void @llvm.memcpy
  memcpy(p, f, 4 * sizeof(int));
  // CHECK: call void @llvm.memset
  memset(p, 0, 8 * sizeof(int));
  // CHECK: call {{.*}}@malloc(
  int *q = (int *)malloc(sizeof(int));
  // CHECK: call {{.*}}@vprintf(
  printf("%d %u\n", *q, (unsigned)INT_MAX);
  // CHECK: call {{.*}}@free(
  free(q);
  // CHECK: call {{.*}}@_Znwm(
  Pair *pair = new Pair;
  // CHECK: call {{.*}}@_ZdlPv
  delete pair;
  // CHECK-NOT: call {{.*}}@_ZnwmPv(
  new (p) Pair;
  // CHECK: call {{.*}}@__assertfail(
  assert(p != NULL && f);
  // CHECK: = load float
  // CHECK: call {{.*}}float @__nv_sqrtf(
  f[0] = normf(3, f);
}

#ifdef AFTER
#include AFTER
#endif

// CHECK-LABEL: @_Z5afterPfPdPi
__global__ void after(float *f, double *d, int *i) {
  // CHECK: call {{.*}}float @__nv_logf(
  f[0] = log(f[0]);
  // CHECK: call {{.*}}float @__nv_tanf(
  f[1] = std::tan(f[1]);
  // CHECK: call {{.*}}double @__nv_sqrt(
  d[1] = sqrt(i[1]);
  // CHECK: call {{.*}}i32 @__nv_abs(
  i[0] = abs(i[0]);
  // CHECK: call {{.*}}i32 @__nv_isnand(
  i[1] = isnan(d[1]);
  // CHECK: call {{.*}}@vprintf(
  printf("%g\n", (double)std::min(f[1], f[2]));
  // CHECK: call {{.*}}@__assertfail(
  assert(i[0] > 0);
  // CHECK: ret void
}

// The host's functions.
int main(int argc, char **argv) {
  size_t size = argc * sizeof(float);
  float *f = (float *)malloc(size);
  if (!f || strcmp(argv[0], "") == 0)
    exit(EXIT_FAILURE);
  memset(f, 0, size);
  srand((unsigned)time(NULL));
  for (uint i = 0; i < (uint)argc; i++)
    f[i] = (float)(rand() / (double)RAND_MAX) + sqrtf(f[i]) + fabs(-2.0);
  assert(fmax(sin(1.0), pow(2.0, 3.0)) > std::max(0, abs(-1)));
  after<<<max(1, argc), min(2, 3)>>>(f, nullptr, nullptr);
  printf("%f\n", f[0]);
  free(f);
  return 0;
}
