// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_pipeline.h>
#include <mma.h>
namespace ptx = cuda::ptx;
using namespace nvcuda;
__global__ void pipe(float *g, float *o) {
  __shared__ alignas(16) float s[1024];
  __pipeline_memcpy_async(s + threadIdx.x * 4, g + threadIdx.x * 4, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
}
__global__ void mm(half *a, half *b, float *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(((int *)a)[0]), "r"(((int *)a)[1]), "r"(((int *)a)[2]),
                 "r"(((int *)a)[3]), "r"(((int *)b)[0]), "r"(((int *)b)[1]));
  unsigned r[4];
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
      : "r"((unsigned)__cvta_generic_to_shared(a)));
  c[5] = r[0] + r[1];
}
#if __CUDA_ARCH__ >= 900
__global__ void __cluster_dims__(2, 1, 1)
    tma(const __grid_constant__ int4 map[8], float *o) {
  __shared__ alignas(128) float s[256];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int c[2] = {0, 3};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, s, map, c,
                              &bar);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, o, 64, &bar);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, &bar, 1024);
  }
  while (!ptx::mbarrier_try_wait_parity(&bar, 0))
    ;
  o[threadIdx.x] = s[threadIdx.x];
  ptx::fence_proxy_async(ptx::space_shared);
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, o, s, 64);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
  float *q = (float *)cooperative_groups::this_cluster().map_shared_rank(s, 1);
  o[3] = q[2];
  if (cooperative_groups::this_cluster().block_rank() == 0)
    asm volatile("griddepcontrol.wait;");
  asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
  asm volatile("wgmma.fence.sync.aligned;");
  asm volatile("{.reg .pred p; setp.ne.b32 p, 0, 1; "
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0,%1,%2,%3}, %4, %5, p, 1, 1, 0, 0;}"
               : "+f"(o[0]), "+f"(o[1]), "+f"(o[2]), "+f"(o[3])
               : "l"(0ull), "l"(0ull));
}
#endif
