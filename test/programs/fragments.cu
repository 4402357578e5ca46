// Tensor cores, pipelines and barriers as C++ has them in the SDK.
//
// needs:    cuda
// args:     --detect=races
// prints:   fragments: 0 wrong
// verdict:  passed
// bug 1:    racy       the tile is read before the warp has written it
// bug 2:    divergent  half of a warp multiplies
// bug 3:    racy       nobody waits at the barrier for the copies

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <mma.h>
#include <stdio.h>

using namespace nvcuda;
namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

template <class Type, class In, class Out, int M, int N, int K>
__global__ void multiply(const In *a, const In *b, Out *c) {
  __shared__ Out tile[M * N];
  wmma::fragment<wmma::matrix_a, M, N, K, Type, wmma::row_major> of_a;
  wmma::fragment<wmma::matrix_b, M, N, K, Type, wmma::col_major> of_b;
  wmma::fragment<wmma::accumulator, M, N, K, Out> of_c;
  wmma::fill_fragment(of_c, Out(1.0f));
  wmma::load_matrix_sync(of_a, a, K);
  wmma::load_matrix_sync(of_b, b, K);
  if (BUG == 2 && threadIdx.x >= 16)
    return;
  wmma::mma_sync(of_c, of_a, of_b, of_c); // 2: the place is one of the header
  for (int i = 0; i < of_c.num_elements; i++)
    of_c.x[i] = of_c.x[i] + of_c.x[i];
  wmma::store_matrix_sync(tile, of_c, M, wmma::mem_col_major);
  if (BUG != 1)
    __syncwarp();
  for (int i = threadIdx.x; i < M * N; i += 32)
    c[i] = tile[i]; // says 1: reads tile
}

__global__ void stages(const int *in, int *out) {
  __shared__ alignas(Barrier) char place[sizeof(Barrier)];
  __shared__ int tile[2][64];
  Barrier &barrier = *reinterpret_cast<Barrier *>(place);
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0)
    init(&barrier, 64);
  block.sync();
  cuda::memcpy_async(&tile[0][threadIdx.x], in + threadIdx.x,
                     cuda::aligned_size_t<4>(4), barrier);
  if (BUG != 3)
    barrier.arrive_and_wait();
  int sum = tile[0][63 - threadIdx.x]; // says 3: reads tile
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[1][threadIdx.x], in + 64 + threadIdx.x, sizeof(int),
                     pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  block.sync();
  sum += tile[1][63 - threadIdx.x];
  pipe.consumer_release();
  block.sync();
  cg::memcpy_async(block, tile[0], in + 128, sizeof tile[0]);
  cg::wait(block);
  out[threadIdx.x] = sum + tile[0][63 - threadIdx.x];
}

template <class Type, class In, class Out, int M, int N, int K> int check() {
  In *a, *b;
  Out *c;
  int wrong = 0;
  cudaMallocManaged(&a, M * K * sizeof *a);
  cudaMallocManaged(&b, K * N * sizeof *b);
  cudaMallocManaged(&c, M * N * sizeof *c);
  for (int i = 0; i < M * K; i++)
    a[i] = In((float)(i * 7 % 5));
  for (int i = 0; i < K * N; i++)
    b[i] = In((float)(i * 3 % 4));
  multiply<Type, In, Out, M, N, K><<<1, 32>>>(a, b, c);
  cudaDeviceSynchronize();
  for (int i = 0; i < M * N; i++) {
    int sum = 1;
    for (int k = 0; k < K; k++)
      sum += (i % M * K + k) * 7 % 5 * ((i / M * K + k) * 3 % 4);
    wrong += (float)c[i] != (float)(2 * sum);
  }
  return wrong;
}

int main() {
  int *in, *out;
  typedef wmma::precision::tf32 Tf32;
  int wrong = check<half, half, float, 16, 16, 16>() +
              check<half, half, half, 32, 8, 16>() +
              check<__nv_bfloat16, __nv_bfloat16, float, 8, 32, 16>() +
              check<Tf32, float, float, 16, 16, 8>() +
              check<signed char, signed char, int, 16, 16, 16>() +
              check<unsigned char, unsigned char, int, 32, 8, 16>() +
              check<double, double, double, 8, 8, 4>();
  cudaMallocManaged(&in, 192 * sizeof *in);
  cudaMallocManaged(&out, 64 * sizeof *out);
  for (int i = 0; i < 192; i++)
    in[i] = i;
  stages<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i++)
    wrong += out[i] != 3 * (63 - i) + 192;
  printf("fragments: %d wrong\n", wrong);
  return 0;
}
