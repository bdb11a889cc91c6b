// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
__constant__ float lut[16] = {1.f, 2.f, -0.f};
__device__ int counter;
__global__ void warp(int *p, float *f) {
  auto w = cg::tiled_partition<32>(cg::this_thread_block());
  int v = p[threadIdx.x];
  for (int o = 16; o; o >>= 1)
    v += __shfl_xor_sync(~0u, v, o);
  unsigned b = __ballot_sync(~0u, v & 1);
  if (__any_sync(~0u, v > 3))
    p[1] =
        __popc(b) + __ffs(b) + __clz(b) + __brev(b) + __byte_perm(b, v, 0x3210);
#if __CUDA_ARCH__ >= 800
  p[2] = __reduce_add_sync(~0u, v);
#endif
  p[3] = __match_any_sync(~0u, v);
  int pr;
  p[4] = __match_all_sync(~0u, v, &pr) + pr;
  w.sync();
  __syncwarp();
  atomicAdd(&counter, 1);
  atomicAdd(f, 2.f);
  atomicMax(p + 5, v);
  atomicCAS(p + 6, 1, 2);
  atomicAdd_block(p + 7, 3);
  atomicExch(p + 8, 3);
  atomicInc((unsigned *)p + 9, 7u);
  atomicXor(p + 10, 5);
  p[11] = __dp4a(v, p[12], p[13]);
  p[14] = __funnelshift_l(v, p[1], p[2]) + __funnelshift_rc(v, p[1], p[2]);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  p[15] = __syncthreads_count(v) + __syncthreads_and(v) + __syncthreads_or(v);
  p[16] = clock() + (int)clock64();
  __nanosleep(20);
  p[17] = __isShared(p) + __isGlobal(p);
  p[18] = __vadd2(v, p[3]) + __vmaxs4(v, p[2]) + __sad(v, 1, 2u) +
          __mul24(v, 3) + __mulhi(v, 3) + __umul64hi(v, 1ull << 40);
  f[3] = __ldg(f + 4) + lut[v & 15] + __ldcg(f + 5) + __ldcs(f + 6);
  __stwt(f + 8, 3.f);
  __stcg(f + 9, 2.f);
  if (v == 99) {
    __brkpt();
    __trap();
  }
  assert(v != 7);
  printf("%d %f\n", v, f[0]);
}
__global__ void maths(float *f, double *d, int n) {
  f[0] = sinf(f[1]) + expf(f[2]) + logf(f[3]) + powf(f[4], f[5]) +
         rsqrtf(f[6]) + tanhf(f[7]) + erff(f[8]) + fmodf(f[1], f[2]);
  d[0] = sin(d[1]) + exp(d[2]) + log(d[3]) + d[4] / d[5] + sqrt(d[6]) +
         __dadd_rz(d[1], d[2]) + __fma_rn(d[1], d[2], d[3]);
  f[9] = __sinf(f[1]) + __expf(f[2]) + __logf(f[3]) + __fdividef(f[1], f[2]) +
         __frcp_ru(f[3]) + __fsqrt_rd(f[4]) + __saturatef(f[5]);
  f[10] = __float2int_rn(f[1]) + __float2uint_ru(f[2]) + __double2ll_rd(d[1]) +
          __int2float_rz(n) + __uint2double_rn(n) +
          __half2float(__float2half_rn(f[3]));
  long long q = n;
  q = q / 7 + q % 13;
  f[11] = q;
  unsigned u = n;
  f[12] = u / 10 + u % 10;
}
#if __CUDA_ARCH__ >= 800
__global__ void halves(__half2 *h, __nv_bfloat162 *b) {
  h[0] = __hfma2(h[1], h[2], h[3]);
  h[4] = __hmax2(h[1], h[2]);
  h[5] = h2exp(h[6]);
  h[6] = __hadd2_sat(h[1], h[2]);
  h[7] = __float2half2_rn(2.f);
  h[8] = __hfma2_relu(h[1], h[2], h[3]);
  h[9] = h2rsqrt(h[1]);
  h[10] = __hgt2(h[1], h[2]);
  b[0] = __hfma2(b[1], b[2], b[3]);
  b[4] = __hmin2_nan(b[1], b[2]);
  b[5] = __float22bfloat162_rn(make_float2(1.f, 3.f));
  b[7] = __hmul2(b[1], b[2]);
  b[8] = __habs2(b[1]);
  h[11].x = h[1].x > h[2].y ? h[3].x : __hsub(h[4].x, h[5].y);
  b[9].x = __hadd(b[1].x, b[2].y);
}
#endif
struct V {
  virtual __device__ int f(int) = 0;
};
struct A : V {
  __device__ int f(int x) override { return x + 1; }
};
struct B : V {
  __device__ int f(int x) override { return x * 3; }
};
__device__ __noinline__ int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__global__ void __launch_bounds__(256, 2) calls(int *p, int n) {
  A a;
  B b;
  V *v = n & 1 ? (V *)&a : (V *)&b;
  int big[32];
  for (int i = 0; i < 32; i++)
    big[i] = p[i];
  p[0] = v->f(n) + fib(n) + big[n & 31];
  switch (n) {
  case 1:
    p[1] = 3;
    break;
  case 2:
    p[2] = 4;
    break;
  case 3:
    p[n] = 7;
    break;
  case 4:
    p[9] = p[8];
    break;
  case 5:
    p[3] = 1;
    break;
  case 6:
    p[7] = n;
    break;
  default:
    break;
  }
}
struct P {
  float4 a;
  int2 b;
  char c[3];
};
__global__ void par(P q, float4 *o, const P *__restrict__ r) {
  o[0] = q.a;
  o[1] = r->a;
  ((int2 *)o)[4] = q.b;
  o[3].x = q.c[1] + r->c[2];
  extern __shared__ char dyn[];
  __shared__ float t[33];
  t[threadIdx.x] = o[5].x;
  __syncthreads();
  dyn[threadIdx.x] = t[31 - threadIdx.x];
  __syncthreads();
  o[7].y = dyn[3];
  cg::this_grid().thread_rank();
}
