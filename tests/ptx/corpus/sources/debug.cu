// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <cstdio>
__device__ int g[4] = {1, 2, 3, 4};
extern __shared__ float sm[];
__device__ __noinline__ int f(int a) { return a * 3 + g[a & 3]; }
__global__ void k(float *p, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) {
    sm[threadIdx.x] = p[i];
    __syncthreads();
    p[i] = sm[threadIdx.x ^ 1] + f(i) + sqrtf(p[i]);
    printf("%d\n", i);
  }
  switch (n) {
  case 1:
    p[0] = 1;
    break;
  case 2:
    p[1] = 2;
    break;
  case 3:
    p[1] = 5;
    break;
  case 4:
    p[8] = 3;
    break;
  case 5:
    p[5] = p[6];
    break;
  case 6:
    p[7] = 9;
    break;
  default:;
  }
}
