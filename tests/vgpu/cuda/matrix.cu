// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices: plain tiles, wmma, and mma.sync with ldmatrix and
// cp.async. matrix_test.cpp says what each kernel computes.

#include <cuda_fp16.h>
#include <mma.h>

namespace {

constexpr int tileSize = 16;

__device__ unsigned sharedAddress(const void *pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

} // namespace

extern "C" __global__ void matmul_tiled(const float *a, const float *b,
                                        float *c, int n) {
  __shared__ float as[tileSize][tileSize], bs[tileSize][tileSize + 1];
  const int row = blockIdx.y * tileSize + threadIdx.y;
  const int column = blockIdx.x * tileSize + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tileSize) {
    const int ka = k + threadIdx.x, kb = k + threadIdx.y;
    as[threadIdx.y][threadIdx.x] = row < n && ka < n ? a[row * n + ka] : 0;
    bs[threadIdx.y][threadIdx.x] =
        kb < n && column < n ? b[kb * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tileSize; ++i)
      sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n)
    c[row * n + column] = sum;
}

/// A warp computes 16 x 16 of C = A B; B is stored by columns.
extern "C" __global__ void matmul_wmma(const __half *a, const __half *b,
                                       float *c, int n) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  const int row = 16 * blockIdx.y, column = 16 * blockIdx.x;
  wmma::fill_fragment(fc, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(fa, a + row * n + k, n);
    wmma::load_matrix_sync(fb, b + column * n + k, n);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}

/// A warp computes 16 x 8 of C = A B, with two stages of cp.async.
extern "C" __global__ void matmul_mma(const __half *a, const __half *b,
                                      float *c, int n) {
  __shared__ alignas(16) __half as[2][16][16], bs[2][16][8];
  const int lane = threadIdx.x, row = 16 * blockIdx.y, column = 8 * blockIdx.x;
  const auto fetch = [&](int stage, int k) {
    const int i = lane / 2, j = lane % 2 * 8;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     sharedAddress(&as[stage][i][j])),
                 "l"(a + (row + i) * n + k + j));
    if (lane < 16)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                       sharedAddress(&bs[stage][lane][0])),
                   "l"(b + (k + lane) * n + column));
    asm volatile("cp.async.commit_group;");
  };
  float d[4] = {};
  fetch(0, 0);
  for (int k = 0, stage = 0; k < n; k += 16, stage ^= 1) {
    if (k + 16 < n) {
      fetch(stage ^ 1, k + 16);
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    } else {
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    }
    __syncwarp();
    unsigned x[4], y[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(sharedAddress(&as[stage][lane % 16][lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(y[0]), "=r"(y[1])
                 : "r"(sharedAddress(&bs[stage][lane % 16][0])));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]),
                   "r"(y[1]));
    __syncwarp();
  }
  float *to = c + (row + lane / 4) * n + column + lane % 4 * 2;
  to[0] = d[0];
  to[1] = d[1];
  to[8 * n] = d[2];
  to[8 * n + 1] = d[3];
}
