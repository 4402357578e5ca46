// mbarriers and asynchronous copies without the SDK.

#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

// CHECK-LABEL: @_Z9mbarriers
__global__ void mbarriers(const float4 *in, float4 *out) {
  __shared__ __mbarrier_t barrier;
  __shared__ float4 cell;
  __mbarrier_init(&barrier, 2);
  __pipeline_memcpy_async(&cell, in, sizeof cell, 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __pipeline_arrive_on(&barrier);
  __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token))
    ;
  while (!__mbarrier_try_wait(&barrier, token, 20))
    ;
  while (!__mbarrier_test_wait_parity(&barrier, false))
    ;
  while (!__mbarrier_try_wait_parity(&barrier, false, 20))
    ;
  __mbarrier_arrive_and_drop(&barrier);
  __mbarrier_inval(&barrier);
  *out = cell;
}
// CHECK-DAG: asm sideeffect "mbarrier.init.shared.b64 [$0], $1;", "r,r
// CHECK-DAG: asm sideeffect "cp.async.cg.shared.global [$0], [$1], 16, $2;"
// CHECK-DAG: asm sideeffect "cp.async.commit_group;"
// CHECK-DAG: asm sideeffect "cp.async.wait_group 1;"
// CHECK-DAG: asm sideeffect "cp.async.mbarrier.arrive.shared.b64 [$0];", "r
// CHECK-DAG: asm sideeffect "mbarrier.arrive.shared.b64 $0, [$1];", "=l,r
// CHECK-DAG: mbarrier.test_wait.shared.b64 p, [$1], $2;
// CHECK-DAG: mbarrier.try_wait.shared.b64 p, [$1], $2, $3;
// CHECK-DAG: mbarrier.test_wait.parity.shared.b64 p, [$1], $2;
// CHECK-DAG: mbarrier.try_wait.parity.shared.b64 p, [$1], $2, $3;
// CHECK-DAG: asm sideeffect "mbarrier.arrive_drop.shared.b64 $0, [$1];"
// CHECK-DAG: asm sideeffect "mbarrier.inval.shared.b64 [$0];", "r
